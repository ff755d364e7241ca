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

_MARK = 4  # bytes, each two digits of a name


@contextmanager
def file_beside(target: Path) -> Iterator[Path]:
    """Make an empty file, ``NAME.repack-MARK.partial`` beside ``NAME``, gone in the end. Raises Misuse."""
    path = target.with_name(f"{target.name}.repack-{secrets.token_hex(_MARK)}.partial")
    try:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise Misuse(
                f"{target.parent} cannot be written: {error.strerror}: expected --out with a file in a folder that can"
            ) from None
        yield path
    finally:
        with suppress(OSError):
            path.unlink()


def left_beside(target: Path) -> list[Path]:
    """Return files of `file_beside` that were never finished, or are being written."""
    named = re.compile(re.escape(target.name) + rf"\.repack-[0-9a-f]{{{2 * _MARK}}}\.partial")
    try:
        return sorted(one for one in target.parent.iterdir() if named.fullmatch(one.name))
    except OSError:
        return []


def dress(path: Path, like: os.stat_result, attributes_of: Path) -> None:
    """Set a file's mode to another one's, and its owner and extended attributes where that is allowed."""
    with suppress(OSError):
        os.chown(path, like.st_uid, like.st_gid)
    path.chmod(stat.S_IMODE(like.st_mode))
    with suppress(OSError):
        for name in os.listxattr(attributes_of):
            with suppress(OSError):
                os.setxattr(path, name, os.getxattr(attributes_of, name))


def bring_to_disk(path: Path) -> None:
    """Return once the device has all of a file or a folder's names. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def take_place(path: Path, target: Path) -> None:
    """Rename a file that is on the device, so that its name is there, too. Raises OSError."""
    path.replace(target)
    with suppress(OSError):  # some file systems have no such thing for folders
        bring_to_disk(target.parent)
