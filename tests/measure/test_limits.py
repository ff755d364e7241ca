"""Limits from work and roofs."""

from __future__ import annotations

import pytest
from still_machine import StillMachine

from rooftop.documents import Machine, Roof
from rooftop.driver.protocol import Work
from rooftop.measure.limits import bandwidth, device_rate, fma_peak, level_of, limit, raise_roofs

MACHINE = StillMachine().machine(2)


def test_compute_counts_a_lone_addition_as_a_multiply_add() -> None:
    found = limit(Work(fma_flops=1e11, add_flops=5e10), MACHINE, 2, "fp32")
    assert found is not None
    assert found.by == "compute"
    assert found.seconds == pytest.approx(2.0)


def test_bytes_are_held_against_the_level_that_holds_them() -> None:
    in_cache = limit(Work(memory_bytes=1e11, working_set_bytes=60e3), MACHINE, 2, "fp32")
    streaming = limit(Work(fma_flops=1, memory_bytes=1e11, working_set_bytes=1e9), MACHINE, 2, "fp32")
    assert in_cache is not None
    assert streaming is not None
    assert (in_cache.by, streaming.by) == ("L1", "memory")  # two cores have two first-level caches
    assert in_cache.seconds == pytest.approx(1.0)
    assert streaming.seconds == pytest.approx(10.0)


def test_nothing_known_gives_no_limit() -> None:
    assert limit(None, MACHINE, 2, "fp32") is None
    assert limit(Work(), MACHINE, 2, "fp32") is None
    assert limit(Work(fma_flops=1), MACHINE, 2, "fp64") is None


def test_the_best_roof_at_the_campaigns_threads_counts() -> None:
    roofs = [
        Roof(metric="fma", value=value, unit="flop/s", threads=threads, isa=isa, precision="fp32")
        for value, threads, isa in ((1.0, 1, "avx2"), (1.9, 2, "avx2"), (3.0, 2, "avx512"), (1.7, 1, "avx512"))
    ]
    assert fma_peak(roofs, 2, "fp32") == 3.0
    assert fma_peak(roofs, 4, "fp32") == pytest.approx(6.8)
    assert fma_peak([], 2, "fp32") is None
    assert bandwidth(MACHINE.roofs, "L3", 2) is None


def test_programs_held_to_an_instruction_set_are_held_against_its_peak() -> None:
    roofs = [
        Roof(metric="fma", value=value, unit="flop/s", threads=2, isa=isa, precision="fp32")
        for value, isa in ((1.0, "sse2"), (2.0, "avx2"), (4.0, "avx512"), (8.0, "neon"), (16.0, None))
    ]
    held = {isa: fma_peak(roofs, 2, "fp32", isa) for isa in ("scalar", "sse2", "avx2", "avx512", "neon", None)}
    assert held == {"scalar": None, "sse2": 1.0, "avx2": 2.0, "avx512": 4.0, "neon": 8.0, None: 16.0}
    machine = MACHINE.model_copy(update={"roofs": roofs})
    limits = [limit(Work(fma_flops=8), machine, 2, "fp32", isa) for isa in ("avx2", None)]
    assert [one.seconds for one in limits if one is not None] == [4.0, 0.5]


def device(*values: tuple[str, float], on: str = "ext4 on /dev/a, mounted at /") -> Machine:
    """Return the machine with figures of a file system's device."""
    roofs = [
        Roof(metric=metric, value=value, unit="byte/s", threads=1, level="device", detail={"file_system": on})
        for metric, value in values
    ]
    return MACHINE.model_copy(update={"roofs": [*MACHINE.roofs, *roofs]})


DISK = "ext4 on /dev/a, mounted at /"


def test_cold_files_are_held_against_the_device() -> None:
    machine = device(("file_read", 1e8), ("file_read_direct", 2e8))
    work = Work(memory_bytes=4e8, working_set_bytes=1e9, device_bytes=2e8)
    cold = limit(work, machine, 2, "fp32", cold_on=DISK)
    cached = limit(work, machine, 2, "fp32")
    elsewhere = limit(work, machine, 2, "fp32", cold_on="nfs on b, mounted at /b")
    assert cold is not None
    assert cached is not None
    assert cold.by == "device"
    assert cold.seconds == pytest.approx(1.0)
    assert cached.by == "memory"
    assert elsewhere == cached  # of that file system nothing is known


@pytest.mark.parametrize(
    ("calls", "extent", "seconds"),
    [
        (0, 0, 0.01),  # nothing is told of calls
        (1e4, 0, 0.01),  # nor how far apart they are
        (1e4, 1e9, 1.0),  # each call is looked for
        (1e6, 1e9, 10.0),  # it is quicker to read everything between
    ],
)
def test_calls_of_a_device_take_its_time_unless_all_is_read_along(calls: float, extent: float, seconds: float) -> None:
    machine = device(("file_read", 1e8), ("file_random_read", 5e3), ("file_random_read_direct", 1e4))
    work = Work(device_bytes=1e6, device_calls=calls, device_extent_bytes=extent)
    found = limit(work, machine, 2, "fp32", cold_on=DISK)
    assert found is not None
    assert found.by == "device"
    assert found.seconds == pytest.approx(seconds)


def test_a_faster_file_system_does_not_raise_another() -> None:
    known = device(("file_read", 1e8)).roofs
    measured = [
        *device(("file_read", 9e8), on="tmpfs on tmpfs, mounted at /t").roofs,
        Roof(metric="file_read", value=2e8, unit="byte/s", level="device", detail={"file_system": DISK}),
    ]
    assert device_rate(raise_roofs(known, measured), DISK) == 2e8


def test_levels() -> None:
    caches = [{"level": "L2", "bytes": 100, "shared_by": 1}, {"level": "L3", "bytes": 1000, "shared_by": 8}]
    assert [level_of(size, caches, 2) for size in (200, 201, 1000, 1001)] == ["L2", "L3", "L3", "memory"]
    assert level_of(1, [], 2) == "memory"


def test_roofs_rise_and_never_fall() -> None:
    known = [Roof(metric="read", value=2.0, unit="byte/s", level="L1"), Roof(metric="latency", value=1e-9, unit="s")]
    measured = [
        Roof(metric="read", value=1.0, unit="byte/s", level="L1"),
        Roof(metric="read", value=3.0, unit="byte/s", level="L1"),
        Roof(metric="read", value=1.0, unit="byte/s", level="L2"),
        Roof(metric="latency", value=9.0, unit="s"),
    ]
    assert [roof.value for roof in raise_roofs(known, measured)] == [3.0, 1e-9, 1.0]
