"""One line that tells how far a comparison or a tuning has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rooftop.measure.case_run import CaseState


class Progress:
    """Shows between samples how far the work has come, where someone looks on."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def remark(self, message: str) -> None:
        """See CommandWatcher."""
        self._line("")
        self._console.print(message, markup=False, highlight=False, soft_wrap=True)

    def progressed(self, case: CaseState, doing: str) -> None:
        """Draw one line; a spinner that goes on by itself would take time from what is measured."""
        self._line(doing)

    def done(self) -> None:
        """Leave the line empty."""
        self._line("")

    def _line(self, text: str) -> None:
        if self._console.is_terminal:
            self._console.file.write(f"\r\x1b[K{text}")
            self._console.file.flush()
