"""Progress watchers: their interface, and one that tells another process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

_TOLD_EVERY_S = 0.05


class Watch(Protocol):
    """Receives the current activity and the progress in bytes."""

    def begin(self, total_bytes: int) -> None:
        """Set the total number of bytes, counted once for writing and once for comparing."""

    def doing(self, what: str) -> None:
        """Set the current activity."""

    def done(self, more_bytes: int) -> None:
        """Add to the number of bytes done."""


class Telling:
    """See Watch. Passes on by a function what it is told, with the bytes of many blocks at once."""

    def __init__(self, tell: Callable[[str, Any], None]) -> None:
        """Take the function, which gets the name of a method and its argument."""
        self._tell = tell
        self._untold, self._told_s = 0, 0.0

    def begin(self, total_bytes: int) -> None:
        """See Watch."""
        self._tell("begin", total_bytes)

    def doing(self, what: str) -> None:
        """See Watch."""
        self._tell("doing", what)

    def done(self, more_bytes: int) -> None:
        """See Watch."""
        self._untold += more_bytes
        now_s = time.monotonic()
        if now_s >= self._told_s + _TOLD_EVERY_S:
            self._tell("done", self._untold)
            self._untold, self._told_s = 0, now_s
