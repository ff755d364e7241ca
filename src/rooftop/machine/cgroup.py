"""Limits of CPU time and memory that control groups (version 1 or 2) set for this process."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from rooftop.machine.system_files import SystemFiles

_UNLIMITED = 1 << 60  # version 1 writes the largest number of whole pages for "no limit"


@dataclass(frozen=True)
class CgroupLimits:
    """The tightest limits of this process's control group and its ancestors; None means no limit, or not known.

    cpu_quota     in CPUs, such as 1.5
    memory_bytes  memory limit
    periods       number of periods with runnable tasks since the group was created, for the group throttled most
    throttled     number of those periods in which the quota was used up
    """

    version: int | None = None
    cpu_quota: float | None = None
    memory_bytes: int | None = None
    periods: int | None = None
    throttled: int | None = None


@dataclass(frozen=True)
class _Hierarchy:
    """A mounted hierarchy: its mount point, and the folder of the hierarchy that is mounted there (root)."""

    version: int
    controllers: frozenset[str]
    mount: str
    root: str


def parse_cpu_max(text: str) -> float | None:
    """Parse "QUOTA PERIOD" or "max PERIOD" of version 2. Return the quota in CPUs; None for no limit."""
    words = text.split()
    try:
        quota, period = int(words[0]), int(words[1]) if len(words) > 1 else 100_000
    except (IndexError, ValueError):
        return None
    return quota / period if quota > 0 and period > 0 else None


def parse_memory_limit(text: str) -> int | None:
    """Parse a memory limit of either version. Return bytes; None for "max" or version 1's largest number."""
    try:
        value = int(text)
    except ValueError:
        return None
    return value if 0 < value < _UNLIMITED else None


def _hierarchies(files: SystemFiles) -> list[_Hierarchy]:
    """Parse /proc/self/mountinfo: ``ID PARENT DEV ROOT MOUNT OPTIONS … - TYPE SOURCE SUPER``."""
    found = []
    for line in (files.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or len(kind) < 1 or kind[0] not in ("cgroup", "cgroup2"):
            continue
        options = frozenset(kind[2].split(",")) if len(kind) > 2 else frozenset()
        version = 2 if kind[0] == "cgroup2" else 1
        found.append(_Hierarchy(version, options, fields[4], fields[3]))
    return found


def _own_paths(files: SystemFiles) -> list[tuple[int, frozenset[str], str]]:
    """Parse /proc/self/cgroup: ``ID:CONTROLLERS:PATH``, without controllers for version 2."""
    found = []
    for line in (files.text("/proc/self/cgroup") or "").splitlines():
        parts = line.split(":", 2)
        if len(parts) == 3:
            controllers = frozenset(name for name in parts[1].split(",") if name)
            found.append((1 if controllers else 2, controllers, parts[2]))
    return found


def _folders(files: SystemFiles, version: int, controller: str) -> Iterator[str]:
    """Yield this process's folder in a controller's hierarchy, then its parents up to the mount point."""
    for hierarchy in _hierarchies(files):
        if hierarchy.version != version or (version == 1 and controller not in hierarchy.controllers):
            continue
        for own_version, controllers, path in _own_paths(files):
            if own_version != version or (version == 1 and controller not in controllers):
                continue
            # In a container the path may be outside the mounted part: then the mount point is this process's group.
            below = posixpath.relpath(path, hierarchy.root)
            parts = [] if below == "." or below.startswith("..") else below.split("/")
            for count in range(len(parts), -1, -1):
                yield posixpath.join(hierarchy.mount, *parts[:count])
            return


def _field(text: str | None, name: str) -> int | None:
    for line in (text or "").splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.strip().isdecimal():
            return int(value)
    return None


def cgroup_limits(files: SystemFiles) -> CgroupLimits:
    quotas: list[float] = []
    memories: list[int] = []
    stopped: list[tuple[int, int]] = []
    versions = {version for version, _, _ in _own_paths(files)} & {
        hierarchy.version for hierarchy in _hierarchies(files)
    }
    for folder in _folders(files, 2, ""):
        quota = parse_cpu_max(files.text(f"{folder}/cpu.max") or "")
        quotas += [] if quota is None else [quota]
        memory = parse_memory_limit(files.text(f"{folder}/memory.max") or "")
        memories += [] if memory is None else [memory]
    for folder in _folders(files, 1, "cpu"):
        quota_us = files.number(f"{folder}/cpu.cfs_quota_us")
        period_us = files.number(f"{folder}/cpu.cfs_period_us")
        if quota_us and period_us and quota_us > 0 and period_us > 0:
            quotas.append(quota_us / period_us)
    for folder in _folders(files, 1, "memory"):
        memory = parse_memory_limit(files.text(f"{folder}/memory.limit_in_bytes") or "")
        memories += [] if memory is None else [memory]
    for version, controller in ((2, ""), (1, "cpu")):
        for folder in _folders(files, version, controller):
            told = files.text(f"{folder}/cpu.stat")
            count, periods = _field(told, "nr_throttled"), _field(told, "nr_periods")
            stopped += [] if count is None else [(count, periods or 0)]
    most = max(stopped, default=None)
    # If both versions are mounted, version 1 has the controllers.
    return CgroupLimits(
        version=min(versions) if versions else None,
        cpu_quota=min(quotas, default=None),
        memory_bytes=min(memories, default=None),
        periods=most[1] if most is not None else None,
        throttled=most[0] if most is not None else None,
    )


class ThrottleMeter:
    """Measure how often the CPU quota throttles this process's group, from its creation to a call of ``fraction``."""

    def __init__(self, files: SystemFiles) -> None:
        self._files = files
        self._start = cgroup_limits(files)

    def fraction(self) -> float | None:
        """Return the share of throttled periods, 0 to 1; None if they are not counted."""
        now = cgroup_limits(self._files)
        if None in (now.periods, now.throttled, self._start.periods, self._start.throttled):
            return None
        periods = (now.periods or 0) - (self._start.periods or 0)
        throttled = (now.throttled or 0) - (self._start.throttled or 0)
        return min(max(throttled / periods, 0.0), 1.0) if periods > 0 else None
