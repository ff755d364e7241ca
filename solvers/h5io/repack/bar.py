"""Progress bar of a rewrite."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn


class Bar:
    """See Watch. Nothing is shown where the console is no terminal."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(binary_units=True),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("opening", total=None)

    def begin(self, total_bytes: int) -> None:
        """See Watch."""
        self._progress.update(self._task, total=total_bytes)

    def doing(self, what: str) -> None:
        """See Watch."""
        self._progress.update(self._task, description=what)

    def done(self, more_bytes: int) -> None:
        """See Watch."""
        self._progress.advance(self._task, more_bytes)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
