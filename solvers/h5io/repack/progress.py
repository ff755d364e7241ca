"""Interface of progress watchers."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """Receives the current activity and the progress in bytes."""

    def begin(self, total_bytes: int) -> None:
        """Set the total number of bytes, counted once for writing and once for comparing."""

    def doing(self, what: str) -> None:
        """Set the current activity."""

    def done(self, more_bytes: int) -> None:
        """Add to the number of bytes done."""
