"""Interrupts while a solver runs below Python."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Noted:
    """Whether an interrupt has come."""

    def __init__(self) -> None:
        """None has."""
        self.seen = False


@contextmanager
def noted_interrupts() -> Iterator[Noted]:
    """Note interrupts instead of raising them: one that is raised as a callback begins is lost between C and Python."""
    noted = Noted()

    def note(*_: object) -> None:
        noted.seen = True

    here = threading.current_thread() is threading.main_thread()  # no other may handle signals
    before = signal.signal(signal.SIGINT, note) if here else None
    try:
        yield noted
    finally:
        if here:
            signal.signal(signal.SIGINT, before)
