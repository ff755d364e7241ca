"""The benchmark composed from DUCC's transforms (PyPI's ducc0), in place, with as many threads as are given.

PyPI's wheel is compiled for every x86-64 processor; `pip install --no-binary ducc0 ducc0` compiles it for this one.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numpy_reference import Complexes
from python_driver import main

try:
    from ducc0.fft import c2c
except ImportError as error:
    MISSING: str | None = f"{error.name} is not installed (pip install ducc0)"
else:
    MISSING = None


def transform(values: Complexes, forward: bool, threads: int) -> Complexes:
    """Transform along all axes, undivided, in place."""
    c2c(values, forward=forward, out=values, nthreads=threads)
    return values


if __name__ == "__main__":
    raise SystemExit(main(__file__, sys.argv[1:], transform, MISSING))
