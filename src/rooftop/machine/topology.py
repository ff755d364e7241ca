"""Caches, cores, NUMA nodes and threads per core, from hwloc's lstopo or else from /sys."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rooftop.machine.processor import parse_bitmap, parse_cpu_list
from rooftop.machine.system_files import SystemFiles

LSTOPO = ("lstopo-no-graphics", "--no-io", "--of", "xml")
_LIMIT_S = 20.0
_PRIVATE = {"HostName", "ProcessName"}  # removed, since documents may be published


@dataclass(frozen=True)
class Topology:
    """Topology around the usable processors.

    caches  data and unified caches, one entry per kind: {"level": "L2", "bytes": 2097152, "shared_by": 1, "count": 2}
    xml     output of lstopo, without host names; None if it could not be had
    reason  why there is no xml
    """

    caches: tuple[dict[str, Any], ...]
    numa_nodes: int
    threads_per_core: int
    xml: str | None = None
    reason: str | None = None


def _caches(found: Iterable[tuple[int, int, frozenset[int]]], usable: set[int]) -> tuple[dict[str, Any], ...]:
    """Count the distinct caches (level, bytes, processors) of the usable processors."""
    kinds: Counter[tuple[int, int, int]] = Counter()
    for level, size, shared in set(found):
        if shared & usable:
            kinds[level, size, len(shared & usable)] += 1
    return tuple(
        {"level": f"L{level}", "bytes": size, "shared_by": shared_by, "count": count}
        for (level, size, shared_by), count in sorted(kinds.items())
    )


def parse_lstopo(xml: str, usable: set[int]) -> Topology:
    """Parse lstopo's XML. Raises ValueError naming what could not be parsed."""
    try:
        root = ET.fromstring(xml)
    except ET.ParseError as error:
        raise ValueError(f"lstopo's XML cannot be parsed: {error}") from None
    if root.tag != "topology":
        raise ValueError(f"lstopo's XML starts with <{root.tag}>, expected <topology>")
    caches: list[tuple[int, int, frozenset[int]]] = []
    nodes = 0
    threads: list[int] = []
    for item in root.iter("object"):
        kind = item.get("type", "")
        cpus = frozenset(parse_bitmap(item.get("cpuset", "0x0")))
        if kind == "NUMANode":
            nodes += 1
        elif kind == "Core" and cpus & usable:
            threads.append(len(cpus & usable))
        elif kind.startswith("L") and kind.endswith("Cache") and kind[1:-5].isdecimal():
            size = item.get("cache_size", "")
            if not size.isdecimal():
                raise ValueError(f"lstopo's {kind} has the size {size!r}, expected bytes")
            caches.append((int(kind[1:-5]), int(size), cpus))
    for item in root.iter():
        for info in [child for child in item if child.tag == "info" and child.get("name") in _PRIVATE]:
            item.remove(info)
    text = ET.tostring(root, encoding="unicode")
    return Topology(_caches(caches, usable), max(1, nodes), max(threads, default=1), text)


def parse_cache_size(text: str) -> int | None:
    """Parse "48K", "2M" or "1024". Return bytes; None if malformed."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    digits, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1)
    return int(digits) * unit if digits.isdecimal() and digits.isascii() else None


def _list(text: str | None, default: set[int]) -> frozenset[int]:
    try:
        return frozenset(parse_cpu_list(text or "") or default)
    except ValueError:
        return frozenset(default)


def from_sys(files: SystemFiles, usable: set[int], reason: str) -> Topology:
    """Return the topology without XML, from /sys. `reason` is why lstopo's is not used."""
    caches: list[tuple[int, int, frozenset[int]]] = []
    threads = [1]
    for cpu in sorted(usable):
        folder = f"/sys/devices/system/cpu/cpu{cpu}"
        siblings = _list(files.text(f"{folder}/topology/thread_siblings_list"), {cpu})
        threads.append(len(siblings & usable))
        for index in [name for name in files.names(f"{folder}/cache") if name.startswith("index")]:
            level = files.number(f"{folder}/cache/{index}/level")
            size = parse_cache_size(files.text(f"{folder}/cache/{index}/size") or "")
            if not level or not size or files.text(f"{folder}/cache/{index}/type") == "Instruction":
                continue
            caches.append((level, size, _list(files.text(f"{folder}/cache/{index}/shared_cpu_list"), {cpu})))
    nodes = [name for name in files.names("/sys/devices/system/node") if name[:4] == "node" and name[4:].isdecimal()]
    return Topology(_caches(caches, usable), max(1, len(nodes)), max(threads), None, reason)


def topology(files: SystemFiles, usable: set[int], command: tuple[str, ...] = LSTOPO) -> Topology:
    """Return the topology from lstopo, or from /sys if lstopo is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=False, errors="replace")
        if done.returncode != 0:
            said = " ".join(done.stderr.split())[:200]
            return from_sys(files, usable, f"{command[0]} exited with code {done.returncode}: {said}")
        return parse_lstopo(done.stdout, usable)
    except FileNotFoundError:
        return from_sys(files, usable, f"{command[0]} is not installed (Debian and Ubuntu: apt install hwloc-nox)")
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return from_sys(files, usable, f"{command[0]}: {' '.join(str(error).split())}")


@dataclass(frozen=True)
class Places:
    """Cores and NUMA nodes of the usable CPUs, numbered as by Linux.

    core  maps a CPU to the lowest CPU of its core, which all hardware threads of the core share
    node  maps a CPU to its NUMA node
    """

    core: Mapping[int, int]
    node: Mapping[int, int]

    @property
    def cpus(self) -> frozenset[int]:
        return frozenset(self.core)

    @property
    def cores(self) -> int:
        """Number of cores with a usable CPU."""
        return len(set(self.core.values()))

    @property
    def nodes(self) -> int:
        """Number of NUMA nodes with a usable CPU."""
        return len(set(self.node.values()))

    def cores_by_node(self) -> dict[int, int]:
        """Return how many cores each NUMA node has; one whose CPUs are on several counts at each."""
        return {one: len({self.core[cpu] for cpu in self.core if self.node[cpu] == one}) for one in self.node.values()}

    def shares_by_node(self, by_cpu: Mapping[int, float]) -> dict[int, float]:
        """Return shares by NUMA node from those by CPU; a CPU that is not usable counts nowhere."""
        found: dict[int, float] = {}
        for cpu, share in by_cpu.items():
            if cpu in self.node:
                found[self.node[cpu]] = found.get(self.node[cpu], 0.0) + share
        return found


def places(files: SystemFiles, usable: Iterable[int]) -> Places:
    """Return cores and NUMA nodes of the usable CPUs. A CPU unknown to /sys is a core of its own, on node 0."""
    cpus = sorted(set(usable))
    core: dict[int, int] = {}
    for cpu in cpus:
        siblings = _list(files.text(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"), set())
        core[cpu] = min(siblings | {cpu})
    node = dict.fromkeys(cpus, 0)
    for name in files.names("/sys/devices/system/node"):
        if name[:4] == "node" and name[4:].isdecimal():
            own = _list(files.text(f"/sys/devices/system/node/{name}/cpulist"), set())
            node.update((cpu, int(name[4:])) for cpu in cpus if cpu in own)
    return Places(core, node)
