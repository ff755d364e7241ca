"""Files that are written whole or not at all, and never over one that is read."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path

from rooftop.errors import Misuse


def is_written_through(path: Path) -> bool:
    """Whether a path is no regular file and must stay what it is: a device, a pipe, a link such as /dev/stdout."""
    if path.is_symlink():
        return not path.is_file() or path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc")
    return path.exists() and not path.is_file()


def write_whole(path: Path, text: str) -> None:
    """Write a file and its folder, replacing what was there only once the new one is complete. Raises OSError.

    A symbolic link stays one, and its target is replaced. What is no regular file is written to as it is.
    """
    if is_written_through(path):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return
    target = path.resolve() if path.is_symlink() else path
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name that nobody else takes: two processes may write the file at once, and others may have put links there.
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        with partial.open("x", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


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
