"""Functions of Python's own that lie beside a solver's library; see ``solvers/cmake/add_python_functions.cmake``."""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from pathlib import Path


def beside(library: ctypes.CDLL, name: str) -> ctypes.PyDLL | None:
    """Return the library of a solver's functions; None where there is none, or it is not for this interpreter."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    file = Path(library._name).with_name(f"librooftop_{name}_python.so")
    if not file.is_absolute() or not file.is_file():
        return None
    try:
        return ctypes.PyDLL(str(file))
    except OSError:
        return None
