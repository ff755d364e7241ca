"""Interrupts, and ends asked for by SIGTERM: remembered, put off for a moment, or taken as a request to stop.

An exception that is raised while an object is being finalised, or in a callback of C or of a weak reference, goes no
further: Python reports it and goes on. A remembered interrupt then comes again a moment later. What may run for hours
looks here from time to time as well, since a library may have dropped the exception and not reported it.

It comes again by SIGALRM, which others use too: only the one that was asked for here is taken for an interrupt.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_ASKED = (signal.SIGINT, signal.SIGTERM)
_AGAIN_S = 0.005  # until a dropped one comes again
_AT_ONCE_S = 1e-6  # 0 would be never


class _Flag:
    """Whether an interrupt has come since the block began, and one that was not yet raised where it was looked for."""

    ever = False
    unseen = False
    comes_again: Callable[[], None] | None = None  # takes back that a dropped one does


def _interrupt(number: int, frame: FrameType | None) -> None:
    _Flag.ever = _Flag.unseen = True
    raise KeyboardInterrupt


def _again(number: int, frame: FrameType | None) -> None:
    _leave_alarm()
    _interrupt(number, frame)


def _leave_alarm() -> None:
    take_back, _Flag.comes_again = _Flag.comes_again, None
    if take_back is not None:
        take_back()


def alarm_after(seconds: float, handler: Callable[[int, FrameType | None], None]) -> Callable[[], None]:
    """Handle a SIGALRM that comes after so long. Return what ends that, and lets come what others had asked for before.

    It works in the main thread only.
    """
    before = signal.signal(signal.SIGALRM, handler)
    left_s, every_s = signal.setitimer(signal.ITIMER_REAL, seconds)
    began_s = time.monotonic()

    def take_back() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)
        if left_s:
            signal.setitimer(signal.ITIMER_REAL, max(left_s - (time.monotonic() - began_s), _AT_ONCE_S), every_s)

    return take_back


@contextmanager
def _handled(numbers: Iterable[int], handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle signals in the block. Python hands them to the main thread only: in another, nothing changes."""
    of_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers} if of_main else {}
    try:
        yield
    finally:
        for number, one in before.items():
            signal.signal(number, signal.SIG_DFL if one is None else one)


@contextmanager
def remembered_interrupts() -> Iterator[None]:
    """Remember interrupts that come in the block, and raise them as always; an end asked for by SIGTERM is one too.

    Where interrupts are ignored, as in a shell's background, they stay ignored.
    """
    _Flag.ever = _Flag.unseen = False
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    hook = sys.unraisablehook

    def dropped(args: UnraisableHookArgs) -> None:
        if args.exc_type is not KeyboardInterrupt or threading.current_thread() is not threading.main_thread():
            hook(args)
        elif _Flag.comes_again is None:
            _Flag.comes_again = alarm_after(_AGAIN_S, _again)

    with _handled([one for one in _ASKED if not (ignored and one == signal.SIGINT)], _interrupt):
        sys.unraisablehook = dropped
        try:
            yield
        finally:
            _Flag.unseen = False
            sys.unraisablehook = hook
            _leave_alarm()


def interrupt_came() -> bool:
    """Whether an interrupt has come since the block began: what fails after one has failed for it."""
    return _Flag.ever


def raise_if_interrupted() -> None:
    """Raise the interrupt that has come, once: whoever still works has not been stopped by it."""
    if _Flag.unseen:
        _Flag.unseen = False
        raise KeyboardInterrupt


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let an interrupt, or an end asked for by SIGTERM, come when the block is through.

    Whoever is interrupted still tells what is known, and needs its store and its packages whole for that: a session
    that was cut short in writing cannot be read, nor a large package imported again whose import was cut short.
    """
    came: list[int] = []
    # Those that are ignored, and those that would end the process without a word, stay as they are.
    try:
        with _handled(
            [one for one in (*_ASKED, signal.SIGALRM) if callable(signal.getsignal(one))],
            lambda number, _: came.append(number),
        ):
            yield
    finally:
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


@contextmanager
def taken_as_requests(request: Callable[[], None]) -> Iterator[None]:
    """Call a function at SIGINT and SIGTERM instead of raising an exception, which would lose what is known.

    Interrupts that are ignored, as in a shell's background, stay ignored.
    """
    numbers = [one for one in _ASKED if signal.getsignal(one) is not signal.SIG_IGN]
    with _handled(numbers, lambda *_: request()):
        yield
