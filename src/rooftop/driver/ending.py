"""How a process ended, in words."""

from __future__ import annotations

import signal

_SHELLS = 128  # and the signal that ended its command is a shell's exit code


def _of_shell(code: int) -> str:
    """Return which signal a shell says by its exit code; nothing where it says none."""
    try:
        return f", which a shell gives for signal {code - _SHELLS} ({signal.Signals(code - _SHELLS).name})"
    except ValueError:
        return ""


def ending(code: int | None) -> str:
    """Return how a process ended from its exit code, or minus the signal that ended it; None: it has not."""
    if code is None:
        return "is still running"
    if code >= 0:
        return f"left with exit code {code}" + _of_shell(code)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "?"
    hint = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}{hint})"
