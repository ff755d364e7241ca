"""The benchmark composed from MKL's transforms (PyPI's mkl_fft), in place, with as many threads as are given.

Where it is found: with MKL it takes a gigabyte, and is not among what the bench installs.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numpy_reference import Complexes
from python_driver import main

try:
    import mkl
    import mkl_fft
except ImportError as error:
    MISSING: str | None = f"{error.name or error} is not installed (pip install mkl_fft mkl-service)"
else:
    MISSING = None


def transform(values: Complexes, forward: bool, threads: int) -> Complexes:
    """Transform along all axes, undivided, in place."""
    mkl.set_num_threads(threads)
    if forward:
        return mkl_fft.fftn(values, out=values)
    return mkl_fft.ifftn(values, norm="forward", out=values)


if __name__ == "__main__":
    raise SystemExit(main(__file__, sys.argv[1:], transform, MISSING))
