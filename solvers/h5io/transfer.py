"""Call the C functions that read and write, and return their reports."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_numbers import whole, yes_or_no
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import Handle, threads_of_caller
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.library import H5ArgumentError
from rooftop.solvers.running.stop import StopFlag

Way = Literal["nothing", "direct", "sieved", "chunks", "library"]
_WAYS: tuple[Way, ...] = get_args(Way)
_BYTE = ctypes.c_char


@dataclass(frozen=True)
class Report:
    """Bytes and calls of a read or write.

    way             "nothing" (no data was ever written: fill values), "direct", "sieved" (gaps are read as well),
                    "chunks", or "library": by H5Dread or H5Dwrite
    selected_bytes  size of the selection in memory
    file_bytes      read from the file or written to it; 0 for "library"
    calls           number of system calls, or of chunks that were not in the chunk cache; 0 for "library"
    """

    way: Way
    selected_bytes: int
    file_bytes: int
    calls: int


def address_of(values: Any) -> int:
    """Return where an array that can be written has its first byte: `ctypes.data` of NumPy, in a fifth of its time."""
    try:
        return ctypes.addressof(_BYTE.from_buffer(values))
    except (TypeError, ValueError):  # empty; or of a type that buffers do not have
        return int(values.ctypes.data)


def told(report: library.Report) -> Report:
    """Return the report of the C interface as a Report."""
    return Report(_WAYS[report.way], report.selected_bytes, report.read_bytes, report.reads)


def options_for(threads: Any, by_library: Any, flag: StopFlag) -> library.Options:
    """Return the options of a transfer. `threads` 0: OpenMP's default. Raises H5ArgumentError."""
    team = whole("threads", threads, H5ArgumentError, bits=32)
    if team < 0:
        raise H5ArgumentError(f"threads is {team}; expected 0 or more")
    functions, options = library.load(), library.Options()
    functions.rooftop_h5io_default_options(ctypes.byref(options))
    options.threads = team or threads_of_caller(functions)
    options.library = yes_or_no("by_library", by_library, H5ArgumentError)
    options.stop = flag.address
    return options


def transferred(
    function: Callable[..., int],
    handle: Handle,
    spans: bytes,
    values: NDArray[Any],
    threads: Any,
    by_library: Any,
) -> Report:
    """Call a C function that reads into `values` or writes them. Raises H5ArgumentError and H5FileError."""
    call = LongCall()
    options, report = options_for(threads, by_library, call.flag), library.Report()
    count = len(spans) // library.SPAN_BYTES
    words = (handle, count, spans, values.ctypes.data, values.nbytes, ctypes.byref(options), ctypes.byref(report))
    call.run(lambda: library.check(function(*words)))
    return told(report)
