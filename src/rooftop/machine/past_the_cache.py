"""What lets reads reach the device: dropping the system's cache, going past it, and asking for many at once."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import platform
import tempfile
from pathlib import Path

from rooftop.machine.system_files import SystemFiles

DROP_CACHES = "/proc/sys/vm/drop_caches"
_IO_URING_SETUP = 425  # on every architecture
_PARAMS_BYTES = 120  # of struct io_uring_params


def drops_caches(files: SystemFiles | None = None) -> bool:
    """Return whether this process may drop everybody's files from the cache, as root outside most containers may."""
    return os.access((files or SystemFiles()).path(DROP_CACHES), os.W_OK)


def refuses_direct(folder: Path) -> str | None:
    """Return why files of a folder cannot be opened with O_DIRECT; None where they can. A file is made and removed."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            page = mmap.mmap(-1, mmap.PAGESIZE)  # aligned, as O_DIRECT asks for
            file.truncate(mmap.PAGESIZE)
            direct = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY | os.O_DIRECT)
            try:
                os.preadv(direct, [page], 0)
            finally:
                os.close(direct)
    except OSError as error:
        return error.strerror or str(error)
    return None


def refuses_io_uring() -> str | None:
    """Return why the kernel does not take io_uring from this process; None where it does."""
    if platform.system() != "Linux":
        return os.strerror(errno.ENOSYS)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(_IO_URING_SETUP, 1, ctypes.create_string_buffer(_PARAMS_BYTES))
    if descriptor < 0:
        return os.strerror(ctypes.get_errno())
    os.close(descriptor)
    return None
