"""Limits from work and roofs."""

from __future__ import annotations

import pytest
from still_machine import StillMachine

from rooftop.documents import Roof
from rooftop.limits import bandwidth, fma_peak, level_of, limit, raise_roofs
from rooftop.protocol import Work

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
