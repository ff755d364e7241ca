"""How a process ended, in words."""

from __future__ import annotations

import signal


def ending(code: int | None) -> str:
    """Return how a process ended from its exit code, or minus the signal that ended it; None: it has not."""
    if code is None:
        return "is still running"
    if code >= 0:
        return f"left with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "?"
    hint = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}{hint})"
