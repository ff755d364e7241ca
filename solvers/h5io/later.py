"""Asynchronous reads and writes."""

from __future__ import annotations

import atexit
import ctypes
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.transfer import Report, options_for, told
from rooftop.solvers.running.stop import StopFlag

_LOOK_S = 0.05  # between checks for signals

_Result = TypeVar("_Result")


class Request(Generic[_Result]):
    """An asynchronous read, write or prefetch by a file's I/O thread. `wait` returns its result.

    Made by `read_later`, `write_later` and `prefetch`. Garbage collection of a request, and the end of the interpreter,
    wait until it is done. In a process that was forked before that, `wait` raises H5ArgumentError: the I/O thread does
    not exist there.
    """

    def __init__(self, handle: Handle, flag: StopFlag, result: Callable[[Report], _Result]) -> None:
        self._handle, self._flag, self._result = handle, flag, result
        self._report: Report | None = None
        _live.add(self)

    @property
    def report(self) -> Report:
        """The bytes and calls of the request. Waits, and raises, like `wait`."""
        self.wait()
        assert self._report is not None
        return self._report

    def done(self) -> bool:
        """Return whether the request has finished, failed or been cancelled."""
        return self._done_within(0.0)

    def cancel(self) -> None:
        """Cancel the request. `wait` then raises H5Cancelled, unless the request was done before."""
        self._flag.set()

    def wait(self) -> _Result:
        """Wait, and return the result of the synchronous call: values, or a Report.

        Raises its errors, at each call, and H5Cancelled. An exception of a signal handler, such as KeyboardInterrupt,
        cancels the request and is raised.
        """
        try:
            while not self._done_within(_LOOK_S):
                pass
        except BaseException:
            self.cancel()
            raise
        report = library.Report()
        library.check(library.load().rooftop_h5io_wait(self._handle, ctypes.byref(report)))
        self._report = told(report)
        return self._result(self._report)

    def _done_within(self, seconds: float) -> bool:
        done = ctypes.c_int32()
        library.check(library.load().rooftop_h5io_wait_for(self._handle, seconds, ctypes.byref(done)))
        return bool(done.value)

    def __repr__(self) -> str:
        return f"<HDF5 request, {'done' if self.done() else 'pending'}>"


_live: weakref.WeakSet[Request[Any]] = weakref.WeakSet()


def requested(
    function: Callable[..., int],
    handle: Handle,
    spans: bytes,
    values: NDArray[Any] | None,
    threads: Any,
    by_library: Any,
    result: Callable[[Report], _Result],
) -> Request[_Result]:
    """Return the request that a C function makes. `values`: its memory, if it takes any. Raises H5ArgumentError."""
    flag, made = StopFlag(), ctypes.c_void_p()
    options = options_for(threads, by_library, flag)
    count = len(spans) // library.SPAN_BYTES
    memory = () if values is None else (values.ctypes.data, values.nbytes)
    library.check(function(handle, count, spans, *memory, ctypes.byref(options), ctypes.byref(made)))
    destroy = library.load().rooftop_h5io_request_destroy

    def end(pointer: ctypes.c_void_p, _kept: tuple[Any, ...] = (values, flag)) -> None:
        destroy(pointer)  # waits: the I/O thread uses the values and the flag until then

    return Request(Handle(made, end), flag, result)


def _finish() -> None:
    """Wait for all pending requests. An interrupt cancels them."""
    for request in tuple(_live):
        with suppress(Exception):
            try:
                request.wait()
            except KeyboardInterrupt:
                for one in tuple(_live):
                    one.cancel()
                request.wait()


# Exit handlers run in reverse order, so this one runs before those of modules that were imported earlier.
atexit.register(_finish)
