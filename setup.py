"""Builds the compiled kernel and the referee; everything else about the package is in pyproject.toml.

ODDS_KERNEL_CHECKS=1 builds them with run-time checks: bounds of every array in the Cython code, and undefined
behaviour (array bounds, overflow, shifts) in the C code. That build is also for the least of processors: it has no
version of the hot loops for others. ODDS_KERNEL_CHECKS=memory checks every access to memory besides; Python has to
load the sanitizer's library first then, see .ci/run.
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKS = os.environ.get("ODDS_KERNEL_CHECKS", "0").strip() or "0"
CHECKED = CHECKS != "0"
compile_args: list[str] = []
link_args: list[str] = []
if sys.platform != "win32":
    # No contraction into fused multiply-add: the last digits must not depend on the processor.
    compile_args = ["-O3", "-ffp-contract=off", "-fno-math-errno"]
    if CHECKED:
        kinds = "undefined,address" if CHECKS == "memory" else "undefined"
        sanitizers = [f"-fsanitize={kinds}", "-fno-sanitize-recover=undefined"]
        compile_args = ["-O1", "-g", "-ffp-contract=off", "-DODDS_BASELINE_ONLY", *sanitizers]
        link_args = sanitizers

kernel = Extension(
    "odds._kernel",
    ["ext/_kernel.pyx", *(f"ext/version_{name}.c" for name in ("baseline", "avx2", "avx512"))],
    include_dirs=["ext"],
    depends=[
        f"ext/{name}"
        for name in (
            "actions.h",
            "card_sets.pxi",
            "chart.pxi",
            "dealer_pass.h",
            "full.pxi",
            "full_sweep.h",
            "hand_sweep.h",
            "hand_sweep_body.h",
            "numbers.h",
            "pairs.pxi",
            "resplits.pxi",
            "vectors.h",
            "version.h",
            "versions.h",
        )
    ],
    extra_compile_args=compile_args,
    extra_link_args=link_args,
)
referee = Extension(
    "odds._simulator",
    ["ext/_simulator.pyx"],
    include_dirs=["ext"],
    depends=["ext/actions.h", "ext/side_bets.pxi", "ext/simulator.pxi"],
    extra_compile_args=compile_args,
    extra_link_args=link_args,
)
setup(
    ext_modules=cythonize(
        [kernel, referee],
        force=CHECKED,
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
        },
    )
)
