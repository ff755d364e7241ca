"""Control groups of both versions, in trees recorded from a virtual machine, a container and a service."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.machine.cgroup import ThrottleMeter, cgroup_limits, parse_cpu_max, parse_memory_limit
from rooftop.machine.system_files import SystemFiles

Plant = Callable[[dict[str, str]], SystemFiles]

V2_MOUNT = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
V1_MOUNTS = (
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
)


def test_the_tightest_limit_of_version_2_is_found_above(plant: Plant) -> None:
    files = plant(
        {
            "/proc/self/cgroup": "0::/user.slice/bench.scope\n",
            "/proc/self/mountinfo": V2_MOUNT,
            "/sys/fs/cgroup/user.slice/cpu.max": "150000 100000\n",
            "/sys/fs/cgroup/user.slice/memory.max": "4294967296\n",
            "/sys/fs/cgroup/user.slice/bench.scope/cpu.max": "max 100000\n",
            "/sys/fs/cgroup/user.slice/bench.scope/memory.max": "max\n",
            "/sys/fs/cgroup/user.slice/bench.scope/cpu.stat": "usage_usec 5\nnr_periods 9\nnr_throttled 4\n",
        }
    )
    limits = cgroup_limits(files)
    assert (limits.version, limits.cpu_quota, limits.memory_bytes) == (2, 1.5, 4 << 30)
    assert (limits.throttled, limits.periods) == (4, 9)


@pytest.mark.case("commands.A9")
def test_throttling_is_counted_from_the_meter_s_making_on(plant: Plant) -> None:
    def files(stat: str) -> SystemFiles:
        return plant(
            {
                "/proc/self/cgroup": "0::/bench.scope\n",
                "/proc/self/mountinfo": V2_MOUNT,
                "/sys/fs/cgroup/bench.scope/cpu.stat": stat,
            }
        )

    meter = ThrottleMeter(files("nr_periods 100\nnr_throttled 90\n"))
    assert meter.fraction() is None  # no period has passed
    files("nr_periods 120\nnr_throttled 105\n")
    assert meter.fraction() == 0.75
    assert ThrottleMeter(files("usage_usec 5\n")).fraction() is None


def test_version_1_is_read_from_its_own_mounts(plant: Plant) -> None:
    files = plant(
        {
            "/proc/self/cgroup": "3:memory:/docker/a\n2:cpu,cpuacct:/docker/a\n1:name=systemd:/\n",
            "/proc/self/mountinfo": V1_MOUNTS,
            "/sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_quota_us": "250000\n",
            "/sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_period_us": "100000\n",
            "/sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
        }
    )
    limits = cgroup_limits(files)
    assert (limits.version, limits.cpu_quota, limits.memory_bytes) == (1, 2.5, 1 << 30)


def test_in_a_container_the_mount_is_this_processs_group(plant: Plant) -> None:
    files = plant(
        {
            "/proc/self/cgroup": "2:cpu,cpuacct:/docker/a\n",
            "/proc/self/mountinfo": V1_MOUNTS.replace("0:29 / ", "0:29 /docker/a "),
            "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
            "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        }
    )
    assert cgroup_limits(files).cpu_quota == 0.5


def test_no_quota_is_no_limit(plant: Plant) -> None:
    files = plant(
        {
            "/proc/self/cgroup": "2:cpu:/\n",
            "/proc/self/mountinfo": V1_MOUNTS,
            "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
            "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        }
    )
    assert cgroup_limits(files).cpu_quota is None


def test_a_system_without_control_groups_has_no_limits(plant: Plant) -> None:
    limits = cgroup_limits(plant({}))
    assert (limits.version, limits.cpu_quota, limits.memory_bytes) == (None, None, None)


@pytest.mark.parametrize(("text", "cores"), [("max 100000", None), ("200000 100000", 2.0), ("5", 5e-05), ("", None)])
def test_cpu_max(text: str, cores: float | None) -> None:
    assert parse_cpu_max(text) == cores


@given(st.text(max_size=40))
def test_any_text_gives_a_positive_limit_or_none(text: str) -> None:
    for value in (parse_cpu_max(text), parse_memory_limit(text)):
        assert value is None or value > 0


@given(st.text(max_size=80), st.text(max_size=120))
def test_broken_lists_of_groups_limit_nothing(groups: str, mounts: str) -> None:
    class Recorded(SystemFiles):
        def text(self, name: str) -> str | None:
            return {"/proc/self/cgroup": groups, "/proc/self/mountinfo": mounts}.get(name)

    assert cgroup_limits(Recorded()).cpu_quota is None
