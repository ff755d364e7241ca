"""What the memory's bandwidth allows a preconditioned solution, beside GAMG, from recorded figures."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.memory import Memory, memory_of
from benchmarks.solution_peers import bandwidth_bounds
from benchmarks.solution_peers.bandwidth_bounds import bound_of, case_rows
from benchmarks.solution_peers.solution_peers import PEER, PROGRAMS
from rooftop.documents import CaseResult, Machine, Roof, RungResult

MEMORY = Memory(40e9, 0.1e9)


def result(name: str, median_s: float | None, **figures: float) -> RungResult:
    fields: dict[str, Any] = {"outcome": "ok", "median_s": median_s, "figures": figures}
    return RungResult(name=name, kind="rung", **fields)


def case_of(*rungs: RungResult) -> CaseResult:
    return CaseResult(case="cube", parameters={}, nominal=1.0, rungs=list(rungs))


def of_levels(kept: float, product: float, smoother: float, sweeps: float, iterations: float) -> dict[str, float]:
    figures = {"kept_bytes": kept, "product_bytes": product, "smoother_bytes": smoother}
    return {**figures, "sweeps": sweeps, "iterations": iterations}


def test_what_is_kept_is_written_once_and_matrices_are_read_by_the_iteration() -> None:
    found = bound_of(result("a", 1.0, **of_levels(0.5e9, 0.2e9, 0.3e9, 4, 10)), MEMORY)
    # (0.4 GB + 10 (0.1 GB + 4 x 0.2 GB)) / 40 GB/s: the L3 cache may hold 0.1 GB of each pass.
    assert found is not None
    assert (found.kept_bytes, found.sweeps, found.iterations) == (0.5e9, 4, 10)
    assert found.seconds == pytest.approx(0.235)
    in_cache = bound_of(result("a", 1.0, **of_levels(0.05e9, 0.01e9, 0.02e9, 4, 9)), MEMORY)
    assert in_cache is not None
    assert in_cache.seconds == 0
    assert bound_of(result("a", 1.0, iterations=9), MEMORY) is None
    assert bound_of(None, MEMORY) is None
    skipped = RungResult(name="a", kind="rung", outcome="skipped", figures={"kept_bytes": 1.0, "iterations": 1.0})
    assert bound_of(skipped, MEMORY) is None


def test_a_program_stands_beside_gamg_as_it_is_and_at_its_bound() -> None:
    case = case_of(
        result("40-aggregation", 0.8, **of_levels(0.5e9, 0.1e9, 0.2e9, 4, 9)),
        result("50-multigrid", 0.1, **of_levels(0.05e9, 0.01e9, 0, 0, 6)),
        result(PEER, 2.0, **of_levels(0.9e9, 0.3e9, 0.15e9, 4, 19)),
        result("petsc_boomeramg", 4.0, iterations=14),
    )
    assert case_rows(case, MEMORY, PROGRAMS, PEER) == [
        ["cube", PROGRAMS["50-multigrid"], "0.05 GB", "6", "0", "in the L3 cache", "0.1 s", "0%", "–", "–"],
        ["cube", PROGRAMS["40-aggregation"], "0.5 GB", "9", "4", "0.1 s", "0.8 s", "12%", "20×", "2.1×"],
        ["cube", PROGRAMS[PEER], "0.9 GB", "19", "4", "0.21 s", "2 s", "10%", "", ""],
    ]
    alone = case_of(result("40-aggregation", 0.8, **of_levels(0.5e9, 0.1e9, 0.2e9, 4, 9)))
    assert case_rows(alone, MEMORY, PROGRAMS, PEER)[0][-2:] == ["–", "–"]


def test_the_memory_is_that_of_the_campaign() -> None:
    def machine(*roofs: Roof) -> Machine:
        return Machine(
            id="m",
            processor="p",
            architecture="x86_64",
            cores=2,
            threads_per_core=1,
            numa_nodes=1,
            memory_bytes=1,
            caches=[{"level": "L2", "bytes": 7, "count": 2}, {"level": "L3", "bytes": 1000, "count": 2}],
            roofs=list(roofs),
        )

    def roof(metric: str, value: float, threads: int) -> Roof:
        return Roof(metric=metric, value=value, unit="byte/s", threads=threads, level="memory")

    assert memory_of(machine(roof("read", 5, 1), roof("read", 8, 2), roof("copy", 9, 2))) == Memory(9, 2000)
    assert memory_of(machine()) is None
    assert bandwidth_bounds.document_rows([], PROGRAMS, PEER) == []
