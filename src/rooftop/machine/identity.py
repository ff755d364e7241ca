"""Identity of this machine, with the id under which its probed figures are stored."""

from __future__ import annotations

import hashlib
import json
import math
import os
from dataclasses import asdict, dataclass
from typing import Any

from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.processor import format_cpu_list, processor
from rooftop.machine.system_files import SystemFiles
from rooftop.machine.topology import LSTOPO, topology


@dataclass(frozen=True)
class Identity:
    """Properties that do not change while the machine is the same. Fields as in ``documents.Machine``."""

    id: str
    processor: str
    architecture: str
    cores: int
    threads_per_core: int
    numa_nodes: int
    memory_bytes: int
    caches: tuple[dict[str, Any], ...]
    isas: tuple[str, ...]
    topology_xml: str | None
    missing: tuple[str, ...]

    def fields(self) -> dict[str, Any]:
        """Return the fields with lists in place of tuples, as arguments of ``documents.Machine``."""
        plain = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in plain.items()}


def usable_cores(affinity: set[int], cpu_quota: float | None) -> int:
    """Return how many processors can be kept busy: those allowed, limited by the quota (in CPUs), but at least one."""
    paid = math.inf if cpu_quota is None else max(1, math.floor(cpu_quota + 1e-9))
    return int(min(len(affinity) or 1, paid))


def cores_now() -> int:
    """Return how many processors this process can keep busy. Faster than `identity`."""
    return usable_cores(os.sched_getaffinity(0), cgroup_limits(SystemFiles()).cpu_quota)


def physical_memory(files: SystemFiles) -> int:
    """Return MemTotal in bytes; 0 if unknown."""
    for line in (files.text("/proc/meminfo") or "").splitlines():
        words = line.split()
        if words[:1] == ["MemTotal:"] and len(words) > 1 and words[1].isdecimal():
            return int(words[1]) * 1024
    return 0


def identity(
    files: SystemFiles | None = None, affinity: set[int] | None = None, lstopo: tuple[str, ...] = LSTOPO
) -> Identity:
    """Return the identity of this machine. What cannot be found out is listed in ``missing`` with the reason.

    The id does not depend on what may change without affecting the figures: host name, and memory size (hypervisors
    may change it).
    """
    files = files or SystemFiles()
    usable = os.sched_getaffinity(0) if affinity is None else affinity
    limits = cgroup_limits(files)
    cpu = processor(files)
    around = topology(files, usable, lstopo)
    cores = usable_cores(usable, limits.cpu_quota)
    physical = physical_memory(files)
    missing = [] if around.reason is None else [f"topology: {around.reason}; caches and nodes were read from /sys"]
    if physical == 0:
        missing.append("memory: /proc/meminfo has no MemTotal")
    if not around.caches:
        missing.append("caches: neither lstopo nor /sys lists any")
    memory = min(physical or 1 << 62, limits.memory_bytes or 1 << 62)
    key = json.dumps(
        [cpu.name, cpu.architecture, cpu.isas, format_cpu_list(usable), cores, around.threads_per_core,
         around.numa_nodes, around.caches],
        sort_keys=True,
    )  # fmt: skip
    return Identity(
        id=hashlib.sha256(key.encode()).hexdigest()[:16],
        processor=cpu.name,
        architecture=cpu.architecture,
        cores=cores,
        threads_per_core=around.threads_per_core,
        numa_nodes=around.numa_nodes,
        memory_bytes=0 if memory == 1 << 62 else memory,
        caches=around.caches,
        isas=cpu.isas,
        topology_xml=around.xml,
        missing=tuple(missing),
    )
