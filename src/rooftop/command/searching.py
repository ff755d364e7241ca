"""A search that is given up after some time: a pattern such as ``(a+)+b`` can take for ever where it does not match."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT_S = 10.0


@contextmanager
def limited_search(shown: str) -> Iterator[None]:
    """Raise ValueError, which names the pattern, where the block takes longer. Python's own search looks at signals.

    Signals are the main thread's: in another the block takes as long as it takes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: object) -> None:
        raise ValueError(f"searching for {shown!r} takes longer than {LIMIT_S:g} s: expected a simpler pattern")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
