"""The file system of a file or folder: what it is, how much is free, and what lets reads reach its device."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import platform
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rooftop.machine.system_files import SystemFiles

Kind = Literal["local", "memory", "remote", "overlay"]

_MEMORY = {"tmpfs", "ramfs", "devtmpfs"}
_OVERLAY = {"overlay", "overlayfs", "aufs", "fuse.fuse-overlayfs"}
# 9p and virtiofs are a host's folders in its guest.
_REMOTE = {
    "9p", "afs", "beegfs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "gpfs", "lustre", "nfs", "nfs4", "smb3",
    "virtiofs",
}  # fmt: skip
_ESCAPED = re.compile(r"\\([0-7]{3})")
DROP_CACHES = "/proc/sys/vm/drop_caches"
_IO_URING_SETUP = 425  # on every architecture
_PARAMS_BYTES = 120  # of struct io_uring_params


@dataclass(frozen=True)
class FileSystem:
    """One mounted file system; bytes are 0 where nothing tells them.

    type         as the system calls it: "ext4", "tmpfs", "nfs4"
    source       what is mounted: a device, a server's folder, or the type once more
    mount_point  the folder at which it is mounted
    kind         "memory": its files are in the cache always; "remote": another host's cache holds them, too;
                 "overlay": a folder of another file system
    free_bytes   that a user without privileges may write
    """

    type: str
    source: str
    mount_point: str
    bytes: int = 0
    free_bytes: int = 0

    @property
    def kind(self) -> Kind:
        """What it lies on."""
        if self.type in _MEMORY:
            return "memory"
        if self.type in _REMOTE:
            return "remote"
        return "overlay" if self.type in _OVERLAY else "local"

    @property
    def name(self) -> str:
        """What tells it from all others that are mounted, for people to read."""
        return f"{self.type} on {self.source}, mounted at {self.mount_point}"


def _plain(text: str) -> str:
    r"""Return a path of mountinfo, in which blanks are \040."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)


def _mounts(files: SystemFiles) -> Iterator[FileSystem]:
    """Read /proc/self/mountinfo: ``ID PARENT DEV ROOT MOUNT OPTIONS … - TYPE SOURCE SUPER``, the last on top."""
    for line in (files.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) >= 5 and len(kind) >= 2:
            yield FileSystem(kind[0], _plain(kind[1]), _plain(fields[4]))


def existing_folder(path: Path) -> Path:
    """Return the folder, the file's folder, or the nearest one above that exists, without links."""
    path = path.resolve()
    return next((folder for folder in (path, *path.parents) if folder.is_dir()), Path("/"))


def file_system_of(path: Path, files: SystemFiles | None = None) -> FileSystem:
    """Return the file system on which a path lies, or would lie if it were made."""
    folder = existing_folder(path)
    found = FileSystem("unknown", "unknown", "/")
    for mounted in _mounts(files or SystemFiles()):
        # Of several mounts at one folder the last hides the others.
        if folder.is_relative_to(mounted.mount_point) and len(mounted.mount_point) >= len(found.mount_point):
            found = mounted
    try:
        told = os.statvfs(folder)
    except OSError:
        return found
    return FileSystem(
        found.type,
        found.source,
        found.mount_point,
        bytes=told.f_blocks * told.f_frsize,
        free_bytes=told.f_bavail * told.f_frsize,
    )


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
