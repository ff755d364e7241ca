"""Which core and which memory node each usable processor belongs to, from /sys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rooftop.machine.cpu_list import parse_cpu_list
from rooftop.machine.system_files import SystemFiles


@dataclass(frozen=True)
class Places:
    """The usable processors (CPUs as Linux numbers them) and where they lie.

    core  CPU to the lowest CPU of its core: hardware threads of one core have the same
    node  CPU to its NUMA node
    """

    core: Mapping[int, int]
    node: Mapping[int, int]

    @property
    def cpus(self) -> frozenset[int]:
        """All usable CPUs."""
        return frozenset(self.core)

    @property
    def cores(self) -> int:
        """The number of whole cores among them."""
        return len(set(self.core.values()))

    @property
    def nodes(self) -> int:
        """The number of NUMA nodes that they lie in."""
        return len(set(self.node.values()))


def _list(text: str | None) -> set[int]:
    try:
        return parse_cpu_list(text or "")
    except ValueError:
        return set()


def places(files: SystemFiles, usable: Iterable[int]) -> Places:
    """Find where the usable CPUs lie. What /sys does not tell is one core each, and node 0."""
    cpus = sorted(set(usable))
    core: dict[int, int] = {}
    for cpu in cpus:
        siblings = _list(files.text(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"))
        core[cpu] = min(siblings | {cpu})
    node = dict.fromkeys(cpus, 0)
    for name in files.names("/sys/devices/system/node"):
        if name[:4] == "node" and name[4:].isdecimal():
            own = _list(files.text(f"/sys/devices/system/node/{name}/cpulist"))
            node.update((cpu, int(name[4:])) for cpu in cpus if cpu in own)
    return Places(core, node)
