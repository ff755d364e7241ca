"""Interrupts that are not lost where Python drops the exception that one raises.

An exception that is raised while an object is being finalised, or in a callback of C or of a weak reference, goes no
further: Python reports it and goes on. Such an interrupt comes again a moment later. What may run for hours looks here
from time to time as well, since a library may have dropped the exception and not reported it.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_AGAIN = signal.SIGALRM  # by which a dropped one comes again
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, _AGAIN)
_AGAIN_S = 0.005

_came: list[int] = []  # and not yet raised where it was looked for
_ever: list[int] = []


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    _ever.append(number)
    raise KeyboardInterrupt


@contextmanager
def remembered_interrupts() -> Iterator[None]:
    """Remember interrupts that come in the block, and raise them as always; an end asked for by SIGTERM is one too.

    Where interrupts are ignored, as in a shell's background, they stay ignored.
    """
    _came.clear()
    _ever.clear()
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    numbers = [number for number in INTERRUPTS if not (ignored and number == signal.SIGINT)]
    before: dict[int, Any] = {number: signal.signal(number, _interrupt) for number in numbers}
    hook = sys.unraisablehook

    def dropped(args: UnraisableHookArgs) -> None:
        if args.exc_type is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        else:
            hook(args)

    sys.unraisablehook = dropped
    try:
        yield
    finally:
        _came.clear()
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def interrupt_came() -> bool:
    """Whether an interrupt has come since the block began: what fails after one has failed for it."""
    return bool(_ever)


def raise_if_interrupted() -> None:
    """Raise the interrupt that has come, once: whoever still works has not been stopped by it."""
    if _came:
        _came.clear()
        raise KeyboardInterrupt
