"""The page on elasticity's sizes around powers of two: a conflict is told only where intervals are apart."""

from __future__ import annotations

from still_comparison import compared

from benchmarks.elasticity_scaling.scaling import EDGES, ITERATIONS, SWEPT, conflicts, per_node_ns, sweep_rows

RUNG = next(iter(SWEPT))


def test_a_conflict_is_told_where_the_intervals_are_apart() -> None:
    times = {f"n={n}": n**3 * ITERATIONS * (150e-9 if n == 64 else 100e-9) for n in EDGES}
    found = {RUNG: compared(times)}
    assert per_node_ns(found[RUNG], EDGES.index(64)) == (150.0, 150.0, 150.0)
    told = conflicts(found)
    assert "- nodes as in the mesh, 32: 1.00 times as long as at 33; the intervals overlap, so no effect" in told
    assert "- nodes as in the mesh, 64: 1.50 times as long as at 65; the intervals do not overlap." in told
    assert sweep_rows(found)[EDGES.index(64)] == ["64", "150 [150, 150]"]


def test_a_size_without_a_time() -> None:
    document = compared({f"n={n}": 1.0 for n in EDGES})
    document.commands[EDGES.index(64)].median = None
    assert "64:" not in conflicts({RUNG: document})
    assert sweep_rows({RUNG: document})[EDGES.index(64)] == ["64", "–"]
