"""How a search is asked to end."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """Asks searches to end soon, with what they have found: those it is given to, now and later.

    Any thread may request it, and a signal handler.
    """

    def __init__(self) -> None:
        """Nobody has requested it."""
        self.requested = False
        self._told: dict[object, Callable[[], None]] = {}

    def request(self) -> None:
        """Ask all searches to end. They have ended when they return."""
        # No locks: a signal handler may run in the middle of anything here.
        self.requested = True
        for tell in tuple(self._told.values()):
            tell()

    @contextmanager
    def telling(self, tell: Callable[[], None]) -> Iterator[None]:
        """Call a function when it is requested within the block, or at once if it was before."""
        key = object()
        self._told[key] = tell
        try:
            if self.requested:
                tell()
            yield
        finally:
            self._told.pop(key, None)


class StopFlag:
    """What a solver's C interface looks at: 0 as long as it is to go on."""

    def __init__(self) -> None:
        """Go on."""
        self._flag = ctypes.c_int32(0)

    @property
    def address(self) -> int:
        """Where the number lies, for as long as this object lives."""
        return ctypes.addressof(self._flag)

    @property
    def is_set(self) -> bool:
        """Whether to end."""
        return self._flag.value != 0

    def set(self) -> None:
        """End."""
        self._flag.value = 1
