"""The page on elasticity beside other algebraic multigrid: set-up and iterations apart, and who does not apply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.solution_peers import solution_peers
from benchmarks.solution_peers.solution_peers import apart, asked_rows, case_rows
from rooftop.documents import CaseResult, Comparison, RungResult


def result(name: str, **fields: Any) -> RungResult:
    return RungResult(name=name, kind="peer" if "_" in name else "rung", **{"outcome": "ok", **fields})


def faster(ratio: float, pairs: int = 7) -> Comparison:
    return Comparison(
        against="petsc_gamg", ratio=ratio, lo=0.9 * ratio, hi=1.1 * ratio, pairs=pairs, verdict="faster", floor=0.01
    )


def case_of(*rungs: RungResult) -> CaseResult:
    return CaseResult(case="plate 80x80x9", parameters={}, nominal=1.0, rungs=list(rungs))


CASE = case_of(
    result("50-multigrid", outcome="skipped", reason="elements are tetrahedra"),
    result("40-aggregation", median_s=1.0, figures={"setup_ns": 6e8, "iterations": 12.0}, vs_best_peer=faster(4.0)),
    result("petsc_gamg", median_s=4.0, figures={"setup_ns": 1e9, "iterations": 30.0}),
    result("petsc_boomeramg", median_s=5.0),
)


def test_set_up_and_iterations_are_apart() -> None:
    assert case_rows(CASE) == [
        ["plate 80x80x9", "multigrid, told of a box", "–", "–", "–", "–", "elements are tetrahedra"],
        ["plate 80x80x9", "aggregation, told of elements", "0.6 s", "0.4 s", "12", "1 s", "4× [3.6, 4.4], 7"],
        ["plate 80x80x9", "PETSc GAMG with rigid-body modes", "1 s", "3 s", "30", "4 s", ""],
        ["plate 80x80x9", "hypre BoomerAMG", "–", "–", "–", "5 s", "0.8× (medians)"],
    ]
    assert apart(result("petsc_gamg", median_s=None, figures={"setup_ns": 1.0})) is None


def test_what_was_asked_of_gamg_is_told_for_each_program() -> None:
    (row,) = asked_rows([CASE])
    assert (row.asked, row.reached, row.met) == ("at least 8× GAMG", "4× [3.6, 4.4], 7", False)
    few = case_of(
        result("50-multigrid", median_s=1.0, vs_asked=[faster(9.0, pairs=3)]), result("petsc_gamg", median_s=8.5)
    )
    (row,) = asked_rows([few])
    assert (row.reached, row.met) == ("9×, 3", True)


def test_a_mesh_is_made_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "body.json"
    (tmp_path / "experiment.py").write_text(
        "from rooftop.ladder.experiment import Case, Experiment\n"
        f"cases = [Case(name='bracket', parameters={{'file': {str(file)!r}}}, nominal=1.0)]\n"
        "experiment = Experiment(title='t', rate_unit='1/s', rate_scale=1.0, sizes={'bracket': cases})\n"
    )
    maker = tmp_path / "maker.py"
    monkeypatch.setattr(solution_peers, "MESHED", {"bracket": maker})
    maker.write_text("raise SystemExit('no Gmsh here')")
    with pytest.raises(SystemExit, match="no mesh of the body 'bracket': no Gmsh here"):
        solution_peers.mesh("bracket")
    maker.write_text(f"open({str(file)!r}, 'x').close()")  # a second time would be refused
    for _ in range(2):
        solution_peers.mesh("bracket")
    solution_peers.mesh("cube")
    assert file.is_file()
