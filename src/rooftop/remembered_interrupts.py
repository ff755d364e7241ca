"""Interrupts that are not lost where Python drops the exception that one raises.

An exception that is raised while an object is being finalised, or in a callback of a weak reference, goes no further:
Python prints it and goes on. What may run for hours looks here from time to time instead of relying on the exception.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_came: list[int] = []


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    raise KeyboardInterrupt


@contextmanager
def remembered_interrupts() -> Iterator[None]:
    """Remember interrupts that come in the block, and raise them as always; an end asked for by SIGTERM is one too.

    Where interrupts are ignored, as in a shell's background, they stay ignored.
    """
    _came.clear()
    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, _interrupt)}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def raise_if_interrupted() -> None:
    """Raise the interrupt that has come, once: whoever still works has not been stopped by it."""
    if _came:
        _came.clear()
        raise KeyboardInterrupt
