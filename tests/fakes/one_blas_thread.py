"""Importing this loads NumPy's and SciPy's BLAS with one thread each, in this process alone.

Tests run on all cores already. Two threads that share a small product wait for each other by spinning: simulations of
the gate took four times as many CPU seconds.
"""

from __future__ import annotations

import os
from importlib import import_module

_ASKED = "OPENBLAS_NUM_THREADS"

if _ASKED not in os.environ:
    os.environ[_ASKED] = "1"
    for _library in ("numpy", "scipy.linalg"):
        import_module(_library)
    del os.environ[_ASKED]  # programs that tests start have as many as ever
