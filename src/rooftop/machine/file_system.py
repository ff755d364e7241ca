"""The file system that a file or folder lies on: what it is, where it is mounted, how much is free."""

from __future__ import annotations

import os
import re
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
