"""The files that a command writes beside what it prints, before it prints: no older one passes for its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer

from rooftop.errors import Busy, Misuse
from rooftop.files.atomic import write_whole

PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", metavar="FILE.html", help="HTML file to write. Default: in the folder of the campaign."),
]

_Stamp = tuple[int, int, int]


def _stamp(path: Path) -> _Stamp | None:
    """Return what changes when a regular file is written again; None where there is none."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size) if path.is_file() and not path.is_symlink() else None


def kept_with(**paths: Path | None) -> dict[str, Any]:
    """Return what a campaign keeps of its files, so that `kept_files` names them when it is resumed."""
    return {"files": {name: str(path.absolute()) for name, path in paths.items() if path is not None}}


def kept_files(beside: Mapping[str, Any] | None, **paths: Path | None) -> list[Path | None]:
    """Return paths, and for each that is None the one that was asked for when the campaign was begun."""
    before = (beside or {}).get("files", {})
    return [path if path is not None or name not in before else Path(before[name]) for name, path in paths.items()]


class Files:
    """The files that one run of a command writes.

    A run that fails once it has begun removes those of an earlier run that it has not written anew: they would pass for
    its own. One that is refused (Misuse, Busy) has not begun, and leaves all as it is.
    """

    def __init__(self, *paths: Path | None) -> None:
        self._before = {path: stamp for path in paths if path is not None and (stamp := _stamp(path)) is not None}
        self._failures: list[str] = []

    def __enter__(self) -> Files:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Remove what is out of date."""
        if not isinstance(error, Misuse | Busy):
            self._drop()

    def _drop(self) -> None:
        for path, stamp in self._before.items():
            if _stamp(path) == stamp:
                path.unlink(missing_ok=True)

    def write(self, option: str, path: Path | None, text: Callable[[], str]) -> None:
        """Write a file that an option names; what it cannot be written for is told by `require_written`."""
        if path is not None:
            self.attempt(option, path, lambda: write_whole(path, text()))

    def attempt(self, option: str, path: Path, write: Callable[[], None]) -> None:
        """Write a file in a way of its own; see `write`."""
        try:
            write()
        except OSError as error:
            self._failures.append(f"{option}: {path} cannot be written: {error.strerror or error}")

    def require_written(self) -> None:
        """Raise Misuse where a file could not be written: at the end, so that what is printed is not lost with it."""
        if self._failures:
            self._drop()
            raise Misuse("; ".join(self._failures))
