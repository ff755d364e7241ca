"""Threads that stay for the next long call.

To start a thread takes some 50 µs, and the team of OpenMP threads that a solver makes in it as long for each. A thread
that waits costs no processor time, and keeps its team.
"""

from __future__ import annotations

import _thread
import os
import queue
from collections.abc import Callable

_MOST_KEPT = 2  # more are seldom needed at once; their teams are memory

_Work = Callable[[], None]


class _KeptThread:
    """One thread, which does one piece of work after the other."""

    def __init__(self) -> None:
        self._given: queue.SimpleQueue[_Work] = queue.SimpleQueue()
        _thread.start_new_thread(self._serve, ())

    def give(self, work: _Work) -> None:
        """Let the thread do this. It does nothing else, and raises nothing."""
        self._given.put(work)

    def _serve(self) -> None:
        while True:
            work = self._given.get()
            work()
            del work  # with what it holds
            if len(_waiting) >= _MOST_KEPT:
                return
            _waiting.append(self)


_waiting: list[_KeptThread] = []


def start(work: _Work) -> None:
    """Do this, which raises nothing, in a thread that waits, or a new one. Raises RuntimeError if none can start."""
    try:
        thread = _waiting.pop()
    except IndexError:
        thread = _KeptThread()
    thread.give(work)


os.register_at_fork(after_in_child=_waiting.clear)  # threads are not in the process that was forked
