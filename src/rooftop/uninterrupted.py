"""Puts an interrupt off for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let an interrupt come when the block is through.

    Whoever is interrupted still tells what is known, and needs its store and its packages whole for that: a session
    that was cut short in writing cannot be read, nor a large package imported again whose import was cut short. Python
    hands interrupts to the main thread only: in another, nothing is put off.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        if came:
            signal.raise_signal(signal.SIGINT)
