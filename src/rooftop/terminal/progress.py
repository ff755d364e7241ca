"""One line with the progress of a comparison or a tuning, and its result so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console

if TYPE_CHECKING:
    from rooftop.measure.case_state import CaseState

_LONGEST_NAME = 24


def clipped(text: str, cells: int) -> str:
    """Return a text on one line of at most so many cells of a terminal."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if cell_len(line) <= cells else set_cell_size(line, max(cells - 1, 0)) + "…"


def so_far(case: CaseState) -> str:
    """Return the effect of the second command, or of the best of several, against the first; empty without a pair.

    The interval is told as soon as there are pairs enough for one.
    """
    import math

    from rooftop.measure.compare import Spread, spread
    from rooftop.measure.figures import compared

    commands = [arm for arm in case.arms if arm.role == "command"]
    best: tuple[str, Spread] | None = None
    for arm in commands[1:]:
        effect = spread(compared(arm, commands[0]).log_ratios) if arm.outcome == commands[0].outcome == "ok" else None
        if effect is not None and (best is None or effect.median > best[1].median):
            best = arm.name, effect
    if best is None:
        return ""
    name, effect = best
    interval = f" [{math.exp(effect.lo):.3g}, {math.exp(effect.hi):.3g}]" if effect.proven else ""
    pairs = f"{effect.count} pair{'' if effect.count == 1 else 's'}"
    best_of = "best so far " if len(commands) > 2 else ""
    return f"{best_of}{clipped(name, _LONGEST_NAME)} {math.exp(effect.median):.3g}×{interval} after {pairs}"


class Progress:
    """Shows between samples how far the work has come, where someone looks on. `budget_s` counts from its making."""

    def __init__(self, console: Console, budget_s: float | None = None) -> None:
        self._console = console
        self._budget_s = budget_s
        # A terminal that is dumb shows the codes that would clear the line.
        self._drawn = console.is_terminal and not console.is_dumb_terminal
        self._began_s = time.monotonic()

    def remark(self, message: str) -> None:
        """See CommandWatcher."""
        self._line("")
        self._console.print(message, markup=False, highlight=False, soft_wrap=True)

    def progressed(self, case: CaseState, doing: str) -> None:
        """Draw one line; a spinner that goes on by itself would take time from what is measured."""
        if not self._drawn:
            return
        # A race of configurations tells its own best.
        effect = so_far(case) if doing.startswith("block ") else ""
        told = [doing, *([effect] if effect else [])]
        if self._budget_s is not None:
            told.append(f"{time.monotonic() - self._began_s:.0f} s of {self._budget_s:.3g} s")
        self._line(clipped(", ".join(told), self._console.width - 1))

    def done(self) -> None:
        """Leave the line empty."""
        self._line("")

    def _line(self, text: str) -> None:
        if self._drawn:
            self._console.file.write(f"\r\x1b[K{text}")
            self._console.file.flush()
