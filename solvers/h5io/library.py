"""The solver's C interface, ``rooftop/h5io.h``."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.solvers.c_interface import solver_library
from rooftop.solvers.c_interface.solver_library import pointer, status

ABI_VERSION = 1
NAME, TITLE = "h5io", "HDF5"
DIMENSIONS = 32
SPAN_BYTES = 32  # ``rooftop_h5io_span``: start, count, stride and block along one dimension
_STOPPED, _FILE_ERROR = 4, 5
NOT_BRIEF = 6  # status of ``rooftop_h5io_read_brief`` and ``read_at_once``: nothing was read


class H5ArgumentError(Misuse, ValueError):
    """A selection or an option that cannot be: its message gives the value and what is expected."""


class H5FileError(Misuse, OSError):
    """A file that cannot be read: which one, and what was wrong with which part of it."""


class H5Cancelled(solver_library.NothingFound):
    """A read or a write that was asked for later was cancelled before it had ended."""


class Description(ctypes.Structure):
    """What a dataset is: ``rooftop_h5io_description``."""

    _fields_ = [
        ("dimensions", ctypes.c_int32),
        ("layout", ctypes.c_int32),
        ("filters", ctypes.c_int32),
        ("shape", ctypes.c_uint64 * DIMENSIONS),
        ("chunk", ctypes.c_uint64 * DIMENSIONS),
        ("element_bytes", ctypes.c_uint64),
        ("stored_bytes", ctypes.c_uint64),
        ("type", ctypes.c_char * 24),
    ]


class FilterStep(ctypes.Structure):
    """A filter and its parameters: ``rooftop_h5io_filter_step``."""

    _fields_ = [
        ("id", ctypes.c_int32),
        ("parameter_count", ctypes.c_int32),
        ("parameters", ctypes.POINTER(ctypes.c_uint32)),
    ]


class Creation(ctypes.Structure):
    """What a new dataset is to be: ``rooftop_h5io_creation``."""

    _fields_ = [
        ("dimensions", ctypes.c_int32),
        ("filter_count", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_uint64)),
        ("type", ctypes.c_char_p),
        ("chunk", ctypes.POINTER(ctypes.c_uint64)),
        ("filters", ctypes.POINTER(FilterStep)),
    ]


class Options(ctypes.Structure):
    """Threads, ways, and what stops a read: ``rooftop_h5io_options``."""

    _fields_ = [
        ("threads", ctypes.c_int32),
        ("library", ctypes.c_int32),
        ("gap_bytes", ctypes.c_uint64),
        ("stop", pointer),
    ]


class Report(ctypes.Structure):
    """What a read cost: ``rooftop_h5io_report``."""

    _fields_ = [
        ("way", ctypes.c_int32),
        ("selected_bytes", ctypes.c_uint64),
        ("read_bytes", ctypes.c_uint64),
        ("reads", ctypes.c_uint64),
    ]


@cache
def load() -> ctypes.CDLL:
    """Return the library with its function types declared. Raises NotBuilt if no matching library is found."""
    made, text, size = ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p, ctypes.c_size_t
    options = [ctypes.POINTER(Options)]
    selection = [pointer, ctypes.c_int32, pointer]
    transfer = [*selection, pointer, size, *options, ctypes.POINTER(Report)]
    later = [*selection, pointer, size, *options, made]
    functions: list[solver_library.Function] = [
        ("add_plugins", status, [text]),
        ("open", status, [text, made]),
        ("close", None, [pointer]),
        ("datasets", status, [pointer, pointer, size, ctypes.POINTER(size)]),
        ("dataset_open", status, [pointer, text, made]),
        ("dataset_close", None, [pointer]),
        ("describe", status, [pointer, ctypes.POINTER(Description)]),
        ("structure", status, [pointer, pointer, size, ctypes.POINTER(size), ctypes.POINTER(ctypes.c_int32)]),
        ("reclaim", status, [pointer, pointer, ctypes.c_uint64]),
        ("filter", status, [pointer, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32), pointer, size]),
        ("default_options", None, options),
        ("read", status, transfer),
        ("read_brief", status, [*selection, pointer, size, ctypes.POINTER(Report)]),
        ("read_at_once", status, transfer),
        ("create", status, [text, ctypes.c_int32, made]),
        ("change", status, [text, made]),
        ("finish", status, [pointer]),
        ("output_destroy", None, [pointer]),
        ("dataset_create", status, [pointer, text, ctypes.POINTER(Creation), made]),
        ("dataset_change", status, [pointer, text, made]),
        ("output_describe", status, [pointer, ctypes.POINTER(Description)]),
        ("output_dataset_destroy", None, [pointer]),
        ("write", status, transfer),
        ("read_later", status, later),
        ("write_later", status, later),
        ("prefetch", status, [*selection, *options, made]),
        ("wait", status, [pointer, ctypes.POINTER(Report)]),
        ("wait_for", status, [pointer, ctypes.c_double, ctypes.POINTER(ctypes.c_int32)]),
        ("request_destroy", None, [pointer]),
    ]
    library = solver_library.load(NAME, TITLE, ABI_VERSION, functions)
    folder = _plugins_of_hdf5plugin()
    if folder is not None:
        library.rooftop_h5io_add_plugins(os.fsencode(folder))
    return library


def _plugins_of_hdf5plugin() -> Path | None:
    """Return where the package hdf5plugin has its filters, if it is installed. It is not imported."""
    found = find_spec("hdf5plugin")
    folders = [] if found is None else [Path(one) / "plugins" for one in found.submodule_search_locations or ()]
    return next((one for one in folders if one.is_dir()), None)


def check(code: int) -> None:
    """Raise the exception of a status other than 0, with the library's message."""
    if code == _FILE_ERROR:
        raise H5FileError(load().rooftop_h5io_last_error().decode("utf-8", "replace"))
    if code == _STOPPED:
        raise H5Cancelled(load().rooftop_h5io_last_error().decode("utf-8", "replace"))
    solver_library.check(code, load(), NAME, TITLE, H5ArgumentError)
