"""Solver calls that are still running when the interpreter exits.

A thread that needs the interpreter once it has gone is ended in the middle of what it does, which no C++ library bears,
and one that computes on meets tables that have been destroyed. So daemon threads' searches are asked to end before the
interpreter goes, and it waits for them and for shorter calls. Threads that are no daemons have ended by then.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable
from threading import get_ident
from typing import Any, Protocol

_WAIT_MAX_S = 10.0  # for a call that does not end: then it is left as it is


class InProgress(Protocol):
    """A call that can be asked to end."""

    def give_up(self) -> None:
        """Ask it to end."""


class _BriefCall:
    """A call that ends by itself."""

    __slots__ = ()

    def give_up(self) -> None:
        """Leave it as it is."""


_calls: set[InProgress] = set()
_ended = threading.Event()  # a call has


_closed = False  # the interpreter is exiting
_main_thread = threading.main_thread().ident


def _refused() -> bool:
    """Return whether the interpreter is exiting, so that only its main thread may start calls."""
    return _closed and get_ident() != _main_thread


def begin(call: InProgress) -> None:
    """Register a call. Raises SystemExit, which ends a thread silently, if the interpreter is exiting."""
    _calls.add(call)
    if _refused():
        _calls.discard(call)
        raise SystemExit


def end(call: InProgress) -> None:
    """Unregister a call that has ended or was not started."""
    _calls.discard(call)
    if _closed:
        _ended.set()


def noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a C function wrapped so that its calls are registered while they run; `__wrapped__` is the function.

    Not those of the main thread: whatever waits for calls runs in it.
    """

    def call(*arguments: Any) -> Any:
        if get_ident() == _main_thread:
            return function(*arguments)
        one = _BriefCall()
        try:
            begin(one)
            return function(*arguments)
        finally:
            end(one)

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def _end_all() -> None:
    global _closed  # noqa: PLW0603 - once, by the interpreter's exit
    _closed = True
    for call in tuple(_calls):
        call.give_up()
    until = time.monotonic() + _WAIT_MAX_S
    while _calls and (left := until - time.monotonic()) > 0:
        _ended.wait(left)
        _ended.clear()


def _forget() -> None:
    """Leave the calls of other threads to the process that was forked: none of them is in this one."""
    global _ended, _main_thread  # noqa: PLW0603 - its lock may have been held, and the thread that forked is the main one
    _calls.clear()
    _ended = threading.Event()
    _main_thread = get_ident()


atexit.register(_end_all)
os.register_at_fork(after_in_child=_forget)
