"""Cores and memory nodes of CPUs, from recorded /sys trees."""

from __future__ import annotations

from collections.abc import Callable

from rooftop.machine.system_files import SystemFiles
from rooftop.machine.topology import places

Plant = Callable[[dict[str, str]], SystemFiles]


def test_two_nodes_of_two_cores_with_two_threads(plant: Plant) -> None:
    tree = {
        f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list": f"{cpu % 4},{cpu % 4 + 4}\n"
        for cpu in range(8)
    }
    tree |= {
        "/sys/devices/system/node/node0/cpulist": "0-1,4-5\n",
        "/sys/devices/system/node/node1/cpulist": "2-3,6-7\n",
        "/sys/devices/system/node/online": "0-1\n",
    }
    found = places(plant(tree), range(8))
    assert dict(found.core) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 0, 5: 1, 6: 2, 7: 3}
    assert dict(found.node) == {0: 0, 1: 0, 2: 1, 3: 1, 4: 0, 5: 0, 6: 1, 7: 1}
    assert (found.cores, found.nodes) == (4, 2)


def test_what_is_not_told_is_a_core_each_on_one_node(plant: Plant) -> None:
    found = places(plant({"/sys/devices/system/node/node0/cpulist": "soon\n"}), {3, 5})
    assert (dict(found.core), dict(found.node)) == ({3: 3, 5: 5}, {3: 0, 5: 0})
