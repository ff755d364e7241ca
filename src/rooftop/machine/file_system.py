"""The file system of a file or folder: type, free space, and ways to read from the device instead of the cache."""

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
# 9p and virtiofs are folders of a host, mounted in its guest.
_REMOTE = {
    "9p", "afs", "beegfs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "gpfs", "lustre", "nfs", "nfs4", "smb3",
    "virtiofs",
}  # fmt: skip
_ESCAPED = re.compile(r"\\([0-7]{3})")
DROP_CACHES = "/proc/sys/vm/drop_caches"
_IO_URING_SETUP = 425  # on every architecture
_PARAMS_BYTES = 120  # sizeof(struct io_uring_params)


@dataclass(frozen=True)
class FileSystem:
    """A mounted file system; byte counts are 0 if unknown.

    type         the system's name for it: "ext4", "tmpfs", "nfs4"
    source       what is mounted: a device, a server's folder, or the type again
    mount_point  the folder at which it is mounted
    kind         "memory": its files are always in the cache; "remote": another host's cache may hold them too;
                 "overlay": a folder of another file system
    free_bytes   available to unprivileged users
    """

    type: str
    source: str
    mount_point: str
    bytes: int = 0
    free_bytes: int = 0

    @property
    def kind(self) -> Kind:
        if self.type in _MEMORY:
            return "memory"
        if self.type in _REMOTE:
            return "remote"
        return "overlay" if self.type in _OVERLAY else "local"

    @property
    def name(self) -> str:
        """Readable name, distinct from all other mounted file systems."""
        return f"{self.type} on {self.source}, mounted at {self.mount_point}"


def _plain(text: str) -> str:
    r"""Decode a path of mountinfo, in which a blank is \040."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)


def _mounts(files: SystemFiles) -> Iterator[FileSystem]:
    """Parse /proc/self/mountinfo: ``ID PARENT DEV ROOT MOUNT OPTIONS … - TYPE SOURCE SUPER``, in mount order."""
    for line in (files.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) >= 5 and len(kind) >= 2:
            yield FileSystem(kind[0], _plain(kind[1]), _plain(fields[4]))


def existing_folder(path: Path) -> Path:
    """Return the nearest existing folder at or above a path, with symbolic links resolved."""
    path = path.resolve()
    return next((folder for folder in (path, *path.parents) if folder.is_dir()), Path("/"))


def file_system_of(path: Path, files: SystemFiles | None = None) -> FileSystem:
    """Return the file system of a path, which need not exist."""
    folder = existing_folder(path)
    found = FileSystem("unknown", "unknown", "/")
    for mounted in _mounts(files or SystemFiles()):
        # The last of several mounts at one folder hides the others.
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
    """Return whether this process may drop the system's file cache: root may, but not in most containers."""
    return os.access((files or SystemFiles()).path(DROP_CACHES), os.W_OK)


def refuses_direct(folder: Path) -> str | None:
    """Return why files in a folder cannot be read with O_DIRECT; None if they can. Tries it on a temporary file."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            page = mmap.mmap(-1, mmap.PAGESIZE)  # aligned, as O_DIRECT requires
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
    """Return why this process cannot use io_uring; None if it can."""
    if platform.system() != "Linux":
        return os.strerror(errno.ENOSYS)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(_IO_URING_SETUP, 1, ctypes.create_string_buffer(_PARAMS_BYTES))
    if descriptor < 0:
        return os.strerror(ctypes.get_errno())
    os.close(descriptor)
    return None
