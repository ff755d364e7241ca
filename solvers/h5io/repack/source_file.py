"""The original file: locked against writers, and checked for changes at the end."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path
from typing import Any, Self

from h5py import h5f, h5p

from rooftop.errors import Misuse
from rooftop.solvers.h5io.library import H5FileError
from rooftop.solvers.h5io.repack.failures import FAILURES, reason
from rooftop.text.quantities import size

_LOCKED = "unable to lock file"
_MARKED = "already open for write"
_MOST_USER_BYTES = 256 << 20


def opened(path: Path) -> Any:
    """Open a file for reading with h5py. Raises the errors of h5py."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    return h5f.open(os.fsencode(path), h5f.ACC_RDONLY, access)


class OldFile:
    """A file that is open for reading, with a shared lock as HDF5 sets it.

    path     path of the file itself, with symbolic links resolved
    id       h5py's file
    status   status of the file when it was opened
    alone    whether no other program had locked it; False if `ask_alone` is false

    Raises H5FileError, and Misuse if it is not a regular file.
    """

    def __init__(self, named: Path, *, ask_alone: bool = False) -> None:
        self.named, self.path = named, named.resolve()
        try:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise H5FileError(f"{named}: cannot be read: {error.strerror}") from None
        self.id: Any = None
        try:
            self.status = os.fstat(self._descriptor)
            if not stat.S_ISREG(self.status.st_mode):
                raise Misuse(f"{named} is no regular file, expected an HDF5 file")
            self.alone = ask_alone and self._lock(fcntl.LOCK_EX)
            if not self._lock(fcntl.LOCK_SH):
                raise self._written_elsewhere()
            self.id = self._opened()
        except BaseException:
            self.close()
            raise

    def _written_elsewhere(self) -> H5FileError:
        return H5FileError(f"{self.named}: is open for writing in another program; wait until that has closed it")

    def _lock(self, kind: int) -> bool:
        """Lock the file. Return False if a conflicting lock exists, and True on file systems without locks."""
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def _opened(self) -> Any:
        try:
            return opened(self.path)
        except FAILURES as error:
            if _LOCKED in str(error):
                raise self._written_elsewhere() from None
            if _MARKED in str(error):
                raise H5FileError(
                    f"{self.named}: is open for writing in another program, or its writer was killed; once there is "
                    f"none, clear the mark: h5clear --status {self.named}"
                ) from None
            raise H5FileError(f"{self.named}: cannot be read as HDF5: {reason(error)}") from None

    def user_block(self) -> bytes:
        """Return the user block: the bytes before the HDF5 data. Raises H5FileError for one that is no header."""
        length = self.id.get_create_plist().get_userblock()
        if length > _MOST_USER_BYTES:
            raise H5FileError(
                f"{self.named}: has {size(length)} before its HDF5 data, expected at most {size(_MOST_USER_BYTES)}"
            )
        return os.pread(self._descriptor, length, 0)

    def require_unchanged(self) -> None:
        """Raise H5FileError if the file was modified or replaced since it was opened."""
        try:
            found = self.path.stat()
        except OSError as error:
            raise H5FileError(f"{self.named}: was removed during the rewrite: {error.strerror}") from None
        kept = ("st_dev", "st_ino", "st_size", "st_mtime_ns")
        if any(getattr(found, name) != getattr(self.status, name) for name in kept):
            raise H5FileError(f"{self.named}: was changed by another program during the rewrite, and is left as it is")

    def close(self) -> None:
        """Close the file."""
        if self.id is not None and self.id.valid:
            self.id.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
