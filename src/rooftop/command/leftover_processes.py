"""What a program left at work when it ended: it is ended too, and so work may have been cut off."""

from __future__ import annotations

from collections.abc import Sequence

FIGURE = "left_running"  # how many processes a run left, where it left any


def left_behind(said: str, names: Sequence[str]) -> str:
    """Return the sentence that tells what a program left. `said`: what the program is called."""
    number = "a process" if len(names) == 1 else f"{len(names)} processes"
    told = ", ".join(dict.fromkeys(names))
    return f"{said} left {number} at work when it ended ({told}), which ended with it: let it wait for its own"
