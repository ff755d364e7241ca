"""Interface of progress watchers."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """Is told what is being done, and of how many bytes of the whole."""

    def begin(self, total_bytes: int) -> None:
        """Note how many bytes there are to do, once to write and once to compare."""

    def doing(self, what: str) -> None:
        """Note what is done from now on."""

    def done(self, more_bytes: int) -> None:
        """Note that so many more are done."""
