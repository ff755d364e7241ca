"""Whether a file still holds what it held, by its contents."""

from __future__ import annotations

import contextlib
import hashlib
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

WHOLE_BYTES = 64 << 20  # of a larger file, what its inode says stands for its contents
GONE = "no file"
_LENGTH = 16


class FileState(NamedTuple):
    """What an inode says: where all of it is the same, nothing was written."""

    device: int
    inode: int
    size: int
    written_ns: int
    changed_ns: int


def state_of(file: Path) -> FileState | None:
    """Return the state of a file, or of what a link leads to; None where that is no regular file."""
    try:
        found = file.stat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def contents_of(file: Path) -> str:
    """Return a short text that is the same as long as a file's contents are.

    Of a file that is larger than WHOLE_BYTES, or that may be executed and not read, it is made of its size, time and
    inode: then a copy is another file, and so is one that was touched.
    """
    state = state_of(file)
    if state is None:
        return GONE
    if state.size <= WHOLE_BYTES:
        try:
            with file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()[:_LENGTH]
        except OSError:
            pass
    return f"{state.size} bytes at {state.written_ns}, inode {state.inode}"


def shown(file: Path) -> str:
    """Return a file as its user would write it: from the present folder, where it lies below that."""
    with contextlib.suppress(OSError):
        if file.is_relative_to(here := Path.cwd()):
            return str(file.relative_to(here))
    return str(file)


def differing(kept: Mapping[Path, str]) -> list[Path]:
    """Return the files that no longer hold what was kept of them."""
    return [file for file, contents in kept.items() if contents_of(file) != contents]
