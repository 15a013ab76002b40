"""Many rule sets at once: grids of rules, worked out without doing anything twice.

The package is called `odds.sweep`, as is the function of the library that does it: so it can be called as that.
"""

import sys
from types import ModuleType
from typing import Any


class _Sweep(ModuleType):
    """The package, which is the function too, whichever of them was looked up first."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Return a grid of rules, solved; see `odds.sweep.run.sweep`."""
        from odds.sweep.run import sweep

        return sweep(*args, **options)


sys.modules[__name__].__class__ = _Sweep
