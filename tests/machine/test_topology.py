"""The topology from lstopo's XML, and from /sys where lstopo is missing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.machine.system_files import SystemFiles
from rooftop.machine.topology import parse_cache_size, parse_lstopo, topology

Plant = Callable[[dict[str, str]], SystemFiles]


def lstopo_xml(packages: int, cores: int, threads: int) -> str:
    """Return what lstopo prints for packages with one L3 each, as far as the bench reads it."""

    def mask(first: int, count: int) -> str:
        bits = ((1 << count) - 1) << first
        words = [bits >> shift & 0xFFFFFFFF for shift in range(96, -1, -32)]
        return ",".join(f"0x{word:08x}" for word in words)

    lines = ['<?xml version="1.0"?><topology version="2.0"><object type="Machine">']
    lines += ['<info name="HostName" value="secret"/><info name="Backend" value="Linux"/>']
    for package in range(packages):
        first, count = package * cores * threads, cores * threads
        lines.append(f'<object type="Package" cpuset="{mask(first, count)}">')
        lines.append(f'<object type="NUMANode" cpuset="{mask(first, count)}" local_memory="1"/>')
        lines.append(f'<object type="L3Cache" cpuset="{mask(first, count)}" cache_size="33554432">')
        for core in range(cores):
            own = mask(first + core * threads, threads)
            lines.append(f'<object type="L2Cache" cpuset="{own}" cache_size="1048576">')
            lines.append(f'<object type="L1Cache" cpuset="{own}" cache_size="32768">')
            lines.append(f'<object type="L1iCache" cpuset="{own}" cache_size="16384">')
            lines.append(f'<object type="Core" cpuset="{own}"/></object></object></object>')
        lines.append("</object></object>")
    return "".join([*lines, "</object></topology>"])


@given(st.integers(1, 2), st.integers(1, 8), st.integers(1, 2))
def test_what_lstopo_prints_is_counted(packages: int, cores: int, threads: int) -> None:
    usable = set(range(packages * cores * threads))
    found = parse_lstopo(lstopo_xml(packages, cores, threads), usable)
    assert (found.numa_nodes, found.threads_per_core) == (packages, threads)
    assert found.caches == (
        {"level": "L1", "bytes": 32768, "shared_by": threads, "count": packages * cores},
        {"level": "L2", "bytes": 1048576, "shared_by": threads, "count": packages * cores},
        {"level": "L3", "bytes": 33554432, "shared_by": cores * threads, "count": packages},
    )


def test_only_what_usable_processors_reach_counts() -> None:
    found = parse_lstopo(lstopo_xml(2, 4, 2), {0, 1})
    assert found.threads_per_core == 2
    assert [cache["count"] for cache in found.caches] == [1, 1, 1]
    assert found.caches[2]["shared_by"] == 2


def test_the_hosts_name_is_left_out() -> None:
    xml = parse_lstopo(lstopo_xml(1, 1, 1), {0}).xml
    assert xml is not None
    assert "secret" not in xml
    assert "Backend" in xml


@pytest.mark.parametrize("xml", ["", "no xml", "<a/>", '<topology><object type="L2Cache" cpuset="0x1"/></topology>'])
def test_broken_xml_is_a_value_error_that_names_lstopo(xml: str) -> None:
    with pytest.raises(ValueError, match="lstopo"):
        parse_lstopo(xml, {0})


@given(st.text(max_size=60))
def test_any_text_is_read_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        parse_lstopo(f"<topology>{text}</topology>", {0})


SYS = {
    "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "0-1\n",
    "/sys/devices/system/cpu/cpu1/topology/thread_siblings_list": "0-1\n",
    **{
        f"/sys/devices/system/cpu/cpu{cpu}/cache/index{index}/{name}": text
        for cpu in (0, 1)
        for index, level, kind, size in ((0, 1, "Data", "48K"), (1, 1, "Instruction", "32K"), (2, 2, "Unified", "2M"))
        for name, text in (("level", str(level)), ("type", kind), ("size", size), ("shared_cpu_list", "0-1"))
    },
    "/sys/devices/system/node/node0/meminfo": "",
    "/sys/devices/system/node/node1/meminfo": "",
}


def test_without_lstopo_sys_tells_the_same_and_the_reason_is_kept(plant: Plant) -> None:
    found = topology(plant(SYS), {0, 1}, ("no-such-lstopo",))
    assert found.xml is None
    assert found.reason is not None
    assert "no-such-lstopo is not installed" in found.reason
    assert (found.numa_nodes, found.threads_per_core) == (2, 2)
    assert found.caches == (
        {"level": "L1", "bytes": 49152, "shared_by": 2, "count": 1},
        {"level": "L2", "bytes": 2 << 20, "shared_by": 2, "count": 1},
    )


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.stderr.write('no backend'); sys.exit(3)", "exited with code 3: no backend"),
        ("print('x')", "XML"),
    ],
)
def test_an_lstopo_that_fails_is_told(plant: Plant, program: str, said: str) -> None:
    found = topology(plant(SYS), {0}, (sys.executable, "-c", program))
    assert found.reason is not None
    assert said in found.reason
    assert found.caches


@pytest.mark.parametrize(("text", "size"), [("48K", 49152), ("2M", 2 << 20), ("7", 7), ("", None), ("K", None)])
def test_sizes_as_sys_writes_them(text: str, size: int | None) -> None:
    assert parse_cache_size(text) == size
