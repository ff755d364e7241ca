"""Puts an interrupt off for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rooftop.remembered_interrupts import INTERRUPTS


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let an interrupt, or an end asked for by SIGTERM, come when the block is through.

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

    # Those that are ignored, and those that would end the process without a word, stay as they are.
    handled = [number for number in INTERRUPTS if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, note) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
