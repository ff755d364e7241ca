"""Interrupts and asked-for ends while a command searches: they end the search, and what it found is told."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rooftop.solvers.running.stop import Stop


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """Turn SIGINT and SIGTERM into a request to stop instead of an exception, which would lose what is known.

    Interrupts that are ignored, as in a shell's background, stay ignored.
    """
    stop = Stop()

    def request(*_: object) -> None:
        stop.request()

    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may handle signals
        wanted = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
        before = {one: signal.signal(one, request) for one in wanted}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
