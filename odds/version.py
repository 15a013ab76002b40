"""The version, where every module may take it from."""

from typing import Final

__version__: Final = "0.1.0"
