"""The benchmark composed from SciPy's transforms (its pocketfft), in place, with as many workers as are given."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numpy_reference import Complexes
from python_driver import main

try:
    from scipy.fft import fftn, ifftn
except ImportError as error:
    MISSING: str | None = f"{error.name} is not installed (pip install scipy)"
else:
    MISSING = None


def transform(values: Complexes, forward: bool, threads: int) -> Complexes:
    """Transform along all axes, undivided, in place."""
    if forward:
        return fftn(values, norm="backward", workers=threads, overwrite_x=True)
    return ifftn(values, norm="forward", workers=threads, overwrite_x=True)


if __name__ == "__main__":
    raise SystemExit(main(__file__, sys.argv[1:], transform, MISSING))
