"""The new file while it is written: beside the original, under a temporary name."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rooftop.errors import Misuse

_MARK = 4  # random bytes, two digits each in the name


def name_beside(target: Path) -> Path:
    """Return a new name ``NAME.repack-MARK.partial`` beside ``NAME``."""
    return target.with_name(f"{target.name}.repack-{secrets.token_hex(_MARK)}.partial")


@contextmanager
def created_empty(path: Path) -> Iterator[None]:
    """Create an empty file, removed in the end. Raises Misuse."""
    try:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise Misuse(
                f"{path.parent} cannot be written: {error.strerror}: give --out with a file in a writable folder"
            ) from None
        yield
    finally:
        with suppress(OSError):
            path.unlink()


def left_beside(target: Path) -> list[Path]:
    """Return the files that have such names: of killed runs, or of running ones."""
    named = re.compile(re.escape(target.name) + rf"\.repack-[0-9a-f]{{{2 * _MARK}}}\.partial")
    try:
        return sorted(one for one in target.parent.iterdir() if named.fullmatch(one.name))
    except OSError:
        return []


def dress(path: Path, like: os.stat_result, attributes_of: Path) -> None:
    """Copy the mode of another file, and its owner and extended attributes if permitted."""
    with suppress(OSError):
        os.chown(path, like.st_uid, like.st_gid)
    path.chmod(stat.S_IMODE(like.st_mode))
    with suppress(OSError):
        for name in os.listxattr(attributes_of):
            with suppress(OSError):
                os.setxattr(path, name, os.getxattr(attributes_of, name))


def bring_to_disk(path: Path) -> None:
    """Sync a file, or the entries of a folder, to the device. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def take_place(path: Path, target: Path) -> None:
    """Rename a file and sync its new name to the device. Raises OSError."""
    path.replace(target)
    with suppress(OSError):  # some file systems cannot sync folders
        bring_to_disk(target.parent)
