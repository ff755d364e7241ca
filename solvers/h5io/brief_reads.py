"""Small selections read by a C function of Python's own, where it is built: ``python/brief_reads.c``.

A call through ctypes takes 2 µs, in which a small selection is read several times. Without the C function, which needs
Python's headers when the solver is built, such reads go through ctypes, as all others do.
"""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from threading import get_ident, main_thread
from typing import Any

import numpy as np

from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.h5io import library


@cache
def _functions() -> ctypes.PyDLL | None:
    """Return the library of such functions; None where there is none, or it is not for this interpreter."""
    own = library.load()
    found = python_functions.beside(own, library.NAME)
    if found is None:
        return None
    prepare, reader = found.rooftop_h5io_python_prepare, found.rooftop_h5io_python_reader
    prepare.argtypes, prepare.restype = [ctypes.c_void_p, ctypes.c_ulong], None
    reader.argtypes, reader.restype = [ctypes.py_object] * 5, ctypes.py_object
    read_brief = ctypes.cast(own["rooftop_h5io_read_brief"], ctypes.c_void_p)
    prepare(read_brief, main_thread().ident or 0)
    os.register_at_fork(after_in_child=lambda: prepare(read_brief, get_ident()))
    return found


def selection_reader(handle: Handle, shape: tuple[int, ...], dtype: np.dtype[Any]) -> python_functions.AskedFirst:
    """Return a function of an index that reads a small selection into a new array; without it, one that reads none."""
    functions = _functions()
    if functions is None or max(shape, default=0) > sys.maxsize:
        return python_functions.AskedFirst()
    return python_functions.AskedFirst(
        functions.rooftop_h5io_python_reader(handle, handle.address, shape, dtype, np.empty)
    )
