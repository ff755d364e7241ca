"""A file that is read must not be written over: the user's own would be lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from rooftop.errors import Misuse


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one regular file, by links too, or to one that is not there yet."""
    try:
        return stat.S_ISREG(one.stat().st_mode) and one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def refuse_overwriting(option: str, written: Path | None, read: Iterable[tuple[str, Path | None]]) -> None:
    """Raise Misuse where an option writes a file that is read, too. `read`: what reads it, and the file."""
    for reader, file in read:
        if written is not None and file is not None and same_file(written, file):
            raise Misuse(
                f"{option} is {written}, which {reader} reads: it would be written over, expected another file"
            )
