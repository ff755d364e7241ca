"""Progress bar of a rewrite."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Self

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress


def _progress(console: Console) -> Progress:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


class Bar:
    """See Watch. Shows nothing unless the console is a terminal: importing rich.progress takes time."""

    def __init__(self, console: Console) -> None:
        self._progress = _progress(console) if console.is_terminal else None
        self._update: Callable[..., None] = lambda **_: None
        if self._progress is not None:
            self._update = partial(self._progress.update, self._progress.add_task("opening", total=None))

    def begin(self, total_bytes: int) -> None:
        """See Watch."""
        self._update(total=total_bytes)

    def doing(self, what: str) -> None:
        """See Watch."""
        self._update(description=what)

    def done(self, more_bytes: int) -> None:
        """See Watch."""
        self._update(advance=more_bytes)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
