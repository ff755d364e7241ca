"""How much memory a further driver may take: the kernel's estimate, and what is left under every cgroup limit."""

from __future__ import annotations

from pathlib import Path

import psutil


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):  # absent, or "max"
        return None


def _reclaimable(folder: Path) -> int:
    """Page cache that a cgroup would give back before it refuses memory."""
    try:
        lines = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    fields = dict(line.split(" ", 1) for line in lines if " " in line)
    return sum(int(fields.get(name, 0)) for name in ("inactive_file", "active_file"))


def _cgroup_folders(proc: Path, sys_fs: Path) -> list[Path]:
    """Return this process's memory cgroup and all above it, of version 2 or 1."""
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    folders: list[Path] = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "" or "memory" in controllers.split(","):
            base = sys_fs if controllers == "" else sys_fs / "memory"
            here = base / path.lstrip("/")
            folders += [folder for folder in (here, *here.parents) if folder == base or base in folder.parents]
    return folders


def available_bytes(proc: Path = Path("/proc"), sys_fs: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the bytes that may still be allocated without swapping or being killed."""
    room = int(psutil.virtual_memory().available)
    for folder in _cgroup_folders(proc, sys_fs):
        for limit_name, used_name in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            limit, used = _number(folder / limit_name), _number(folder / used_name)
            if limit is not None and used is not None:
                room = min(room, limit - used + _reclaimable(folder))
    return max(room, 0)
