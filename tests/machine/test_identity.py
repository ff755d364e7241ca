"""Identity, conditions and steal, from recorded trees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rooftop.documents import Machine
from rooftop.machine import StealMeter, conditions, identity
from rooftop.machine.conditions import chosen, parse_cpu_times, steal_since_boot, turbo
from rooftop.machine.identity import usable_cores
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

Plant = Callable[[dict[str, str]], SystemFiles]
NO_LSTOPO = ("no-such-lstopo",)
FLAGS = "fpu sse2 avx2 fma bmi2 hypervisor"
CPUINFO = (
    f"processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Some  CPU\nstepping\t: 8\nflags\t\t: {FLAGS}\n\n"
)
TREE = {"/proc/cpuinfo": CPUINFO + CPUINFO.replace("Some", "Other"), "/proc/meminfo": "MemTotal:  1024 kB\n"}


def test_identity_has_the_fields_of_a_machine(plant: Plant) -> None:
    found = identity(plant(TREE), {0, 1, 2}, NO_LSTOPO)
    machine = Machine(**found.fields())
    assert machine.processor == "Some CPU, family 6 model 143 stepping 8"
    assert machine.cores == 3
    assert machine.memory_bytes == 1 << 20
    assert machine.isas[-1] == "avx2"
    assert any("no-such-lstopo" in line for line in machine.missing)


def test_the_id_is_that_of_the_machine_not_of_the_moment(plant: Plant) -> None:
    files = plant(TREE)
    before = identity(files, {0, 1}, NO_LSTOPO).id
    plant({"/proc/meminfo": "MemTotal: 2048 kB\n", "/proc/loadavg": "9.00 9.00 9.00 1/2 3"})
    assert identity(files, {0, 1}, NO_LSTOPO).id == before
    assert identity(files, {0}, NO_LSTOPO).id != before
    plant({"/proc/cpuinfo": CPUINFO.replace("bmi2", "bmi2 avx512f avx512bw avx512cd avx512dq avx512vl")})
    assert identity(files, {0, 1}, NO_LSTOPO).id != before


def test_an_empty_system_is_still_a_machine(plant: Plant) -> None:
    found = identity(plant({}), {0}, NO_LSTOPO)
    assert (found.processor, found.cores, found.memory_bytes) == ("unknown", 1, 0)
    assert len(found.missing) == 3


def test_the_quota_counts_whole_processors_but_one_at_least() -> None:
    assert usable_cores({0, 1, 2, 3}, None) == 4
    assert usable_cores({0, 1, 2, 3}, 2.5) == 2
    assert usable_cores({0, 1, 2, 3}, 0.5) == 1
    assert usable_cores({0}, 8.0) == 1


def test_an_arm_processor_is_named_by_its_part(plant: Plant) -> None:
    text = "processor : 0\nFeatures : fp asimd\nCPU implementer : 0x41\nCPU part : 0xd40\n"
    found = processor(plant({"/proc/cpuinfo": text}), "aarch64")
    assert found.name == "aarch64 implementer 0x41 part 0xd40"
    assert found.isas == ("scalar", "neon")


def test_an_emulated_arm_processor_has_no_sets_of_the_machine_below(plant: Plant) -> None:
    assert processor(plant({"/proc/cpuinfo": CPUINFO}), "aarch64").isas == ("scalar", "neon")


def test_conditions_are_plain_data_and_say_none_for_what_is_not_known(plant: Plant, tmp_path: Path) -> None:
    found = conditions(interval_s=0, files=plant({}), build_folder=tmp_path, cpus={0})
    assert found["governor"] is None
    assert found["steal"]["since_boot"] is None
    assert found["compiler"] is None
    assert json.loads(json.dumps(found)) == found


def test_conditions_are_read(plant: Plant, tmp_path: Path) -> None:
    cpu = "/sys/devices/system/cpu"
    files = plant(
        {
            f"{cpu}/cpu0/cpufreq/scaling_governor": "performance\n",
            f"{cpu}/cpu1/cpufreq/scaling_governor": "powersave\n",
            f"{cpu}/intel_pstate/no_turbo": "1\n",
            f"{cpu}/smt/active": "1\n",
            "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
            "/proc/stat": "cpu  10 0 10 70 0 0 0 20 0 0\ncpu0 1 1 1 1\n",
            "/proc/loadavg": "0.50 1.25 2.00 1/80 4000\n",
            "/proc/sys/kernel/osrelease": "6.1.0\n",
            "/build.json": '{"compiler": "GNU", "compiler_version": "12.2.0", "flags": "-O3", "build_type": "Release"}',
        }
    )
    found = conditions(interval_s=0, files=files, build_folder=tmp_path, cpus={0, 1})
    assert found["governor"] == "performance, powersave"
    assert found["turbo"] is False
    assert found["smt_active"] is True
    assert found["thp"] == "madvise"
    assert found["steal"]["since_boot"] == 0.5
    assert found["load"] == [0.5, 1.25, 2.0]
    assert (found["compiler"], found["flags"]) == ("GNU 12.2.0", "-O3")
    assert found["kernel"] == "6.1.0"


def test_what_is_chosen_stands_in_brackets() -> None:
    assert chosen("always [never]") == "never"
    assert chosen("off") == "off"
    assert chosen(None) is None


def test_boost_is_turbo_where_there_is_no_pstate(plant: Plant) -> None:
    files = plant({"/sys/devices/system/cpu/cpufreq/boost": "1\n"})
    assert turbo(files) is True


def test_steal_between_two_moments(plant: Plant) -> None:
    files = plant({"/proc/stat": "cpu  100 0 100 1000 0 0 0 50 0 0\n"})
    meter = StealMeter(files)
    assert meter.fraction() is None
    plant({"/proc/stat": "cpu  160 0 130 2000 0 0 0 60 0 0\n"})
    assert meter.fraction() == 0.1
    assert steal_since_boot(files) == 60 / 350


@given(st.text(max_size=60))
def test_any_text_is_times_or_none(text: str) -> None:
    times = parse_cpu_times(f"cpu {text}")
    assert times is None or 0 <= times.steal <= times.busy <= times.total
