"""Asynchronous reads and writes."""

from __future__ import annotations

import atexit
import ctypes
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.library import Span
from rooftop.solvers.h5io.transfer import Report, options_for, told
from rooftop.solvers.running.stop import StopFlag

_LOOK_S = 0.05  # within so long a signal is heard

_Result = TypeVar("_Result")


class Request(Generic[_Result]):
    """A read, a write or a prefetch that a file's I/O thread was asked for; `wait` returns what came of it.

    Made by `read_later`, `write_later` and `prefetch`. One that nothing refers to any more is waited for, and so are
    all when the interpreter ends. A process that is forked meanwhile does not have the thread: `wait` raises
    H5ArgumentError there.
    """

    def __init__(self, handle: Handle, flag: StopFlag, result: Callable[[Report], _Result]) -> None:
        self._handle, self._flag, self._result = handle, flag, result
        self._report: Report | None = None
        _live.add(self)

    @property
    def report(self) -> Report:
        """What it cost. Waits, and raises, as `wait` does."""
        self.wait()
        assert self._report is not None
        return self._report

    def done(self) -> bool:
        """Return whether it has ended, by itself, by an error, or cancelled."""
        return self._done_within(0.0)

    def cancel(self) -> None:
        """Ask it to end soon, or not to begin. `wait` then raises H5Cancelled, unless it had ended."""
        self._flag.set()

    def wait(self) -> _Result:
        """Wait, and return what the call would have returned that does not end in ``_later``: values, or a Report.

        Raises what that would have raised, each time that it is called, and H5Cancelled. What a signal handler raises
        meanwhile, such as KeyboardInterrupt, cancels it and is raised here.
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
    spans: Sequence[Span],
    values: NDArray[Any] | None,
    threads: Any,
    by_library: Any,
    result: Callable[[Report], _Result],
) -> Request[_Result]:
    """Return a request that the C function makes, for `values` if it takes any. Raises H5ArgumentError."""
    flag, made = StopFlag(), ctypes.c_void_p()
    options = options_for(threads, by_library, flag)
    given = (Span * max(len(spans), 1))(*spans)
    memory = () if values is None else (values.ctypes.data, values.nbytes)
    library.check(function(handle, len(spans), given, *memory, ctypes.byref(options), ctypes.byref(made)))
    destroy = library.load().rooftop_h5io_request_destroy

    def end(pointer: ctypes.c_void_p, _kept: tuple[Any, ...] = (values, flag)) -> None:
        destroy(pointer)  # it waits: until then the I/O thread needs the values and the flag

    return Request(Handle(made, end), flag, result)


def _finish() -> None:
    """Wait for what is still under way; an interrupt cancels it."""
    for request in tuple(_live):
        with suppress(Exception):
            try:
                request.wait()
            except KeyboardInterrupt:
                for one in tuple(_live):
                    one.cancel()
                request.wait()


# What was registered last comes first: the interpreter's other calls are ended only then.
atexit.register(_finish)
