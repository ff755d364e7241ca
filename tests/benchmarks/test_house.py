"""The page of the house, from planted sources and records."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.form import ROOT
from benchmarks.house import campaigns, fresh_climb, junit
from benchmarks.house.drawn import Place, earlier, renames, texts
from benchmarks.house.house import climb, gate, gate_table, main
from benchmarks.house.house import test_run as run_of_tests
from benchmarks.house.order import Sources
from benchmarks.house.texts import draw
from rooftop.documents import CaseResult, Comparison, RungResult


def test_lines_and_small_files_are_held_against_what_is_asked() -> None:
    lines = Sources([10, 59, 60, 30_000], at_root=11).asked()
    assert [(one.reached, one.met) for one in lines] == [("11", False), ("30129", False), ("50% of 4", False)]
    assert all(one.met for one in Sources([60, 100], at_root=10).asked())


def test_what_is_not_given_is_not_measured(tmp_path: Path) -> None:
    main(to=tmp_path / "house.md")
    shown = (tmp_path / "house.md").read_text(encoding="utf-8")
    assert "| `make climb` in a fresh clone: minutes | at most 8 | not measured |  |" in shown
    assert "| a clean `make test`: CPU minutes | at most 50 | not measured |  |" in shown
    assert "| rungs slower than before, beyond the noise floor | none | not measured |  |" in shown
    assert "a stranger's launcher, without edits | passed | not measured |" in shown


def test_climb_is_the_sum_of_its_commands_and_compiling_is_the_build(tmp_path: Path) -> None:
    ran = [
        {"command": "packages/venv peers", "wall_s": 60.0, "cpu_s": 30.0, "exit_code": 0},
        {"command": "packages/build release bench", "wall_s": 300.0, "cpu_s": 460.0, "exit_code": 0},
        {"command": "./rooftop climb --size quick", "wall_s": 90.0, "cpu_s": 170.0, "exit_code": 2},
    ]
    (tmp_path / "record.json").write_text(json.dumps({"machine": "m", "commands": ran}), encoding="utf-8")
    lines = climb(tmp_path / "record.json")
    assert [(one.reached, one.met) for one in lines[:2]] == [("7.5", True), ("460", False)]
    assert lines[2].reached == "failed: ./rooftop climb --size quick"
    assert not lines[2].met


def test_commands_of_a_climb_are_those_of_the_makefile() -> None:
    found = fresh_climb.commands(ROOT)
    assert found[-1] == "./rooftop climb --size quick"
    assert sum(one.startswith(fresh_climb.BUILD) for one in found) == 1


def test_times_of_a_test_run_with_a_step_that_did_not_run_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "times.json"
    file.write_text(json.dumps({"ruff": {"wall_s": 600, "cpu_s": 1200}, "asan": {"wall_s": 600, "cpu_s": 2400}}))
    assert [(one.reached, one.met) for one in run_of_tests(file)] == [("20", True), ("60", False)]
    file.write_text(json.dumps({"ruff": None, "asan": {"wall_s": 600, "cpu_s": 2400}}))
    with pytest.raises(Exception, match="ruff did not run"):
        run_of_tests(file)


def test_no_gate_is_not_a_gate_that_is_fine() -> None:
    assert gate([])[0].met is None


def test_the_last_gate_of_a_rung_counts() -> None:
    def gated(commit: str, **outcomes: str) -> Any:
        benchmarks = [SimpleNamespace(name=name, outcome=outcome, shown=None) for name, outcome in outcomes.items()]
        return SimpleNamespace(head=SimpleNamespace(commit=commit * 40), benchmarks=benchmarks)

    documents = [gated("a", one="regression", two="regression"), gated("b", one="fine")]
    assert gate(documents)[0].reached == "1 fine, 1 regression"
    assert gate(documents)[0].met is False
    assert gate([*documents, gated("c", two="fine")])[0].met is True
    told = gate_table(documents)
    assert "| one | bbbbbbbb |" in told
    assert "| two | aaaaaaaa |" in told


def rung(name: str, kind: str, median_s: float | None = None, reason: str = "", **more: object) -> RungResult:
    outcome = "skipped" if median_s is None else "ok"
    return RungResult.model_validate(
        {"name": name, "kind": kind, "outcome": outcome, "reason": reason or None, "median_s": median_s} | more
    )


def against(name: str, verdict: str) -> Comparison:
    return Comparison.model_validate(
        {"against": name, "ratio": 2.0, "lo": 1.9, "hi": 2.1, "pairs": 9, "verdict": verdict, "floor": 0.01}
    )


def case(*rungs: RungResult) -> CaseResult:
    return CaseResult(case="c", parameters={}, nominal=1.0, rungs=list(rungs))


def test_case_with_all_that_matters_is_complete() -> None:
    found = campaigns.programs(
        case(
            rung("10-first", "rung", 4.0, vs_best_peer=against("petsc_sell", "slower")),
            rung("20-next", "rung", reason="was spent before its turn"),
            rung("99-solver", "rung", 1.0, vs_best_peer=against("petsc_sell", "faster")),
            rung("petsc_baij", "peer", reason="one run takes 9 s: give a larger --budget"),
            rung("petsc_sell", "peer", 2.0),
            rung("fio", "peer", reason="fio is the limit of cold reads"),
        )
    )
    assert [one.part for one in found] == ["top rung", "first rung", "petsc", "fio"]
    assert all(one.complete for one in found)
    assert found[-1].told == "does not apply"


def test_case_without_a_peers_time_or_with_an_open_verdict_is_not() -> None:
    found = campaigns.programs(
        case(
            rung("10-first", "rung", reason="this case's share of the budget was spent before its turn"),
            rung("99-solver", "rung", 1.0, vs_best_peer=against("petsc_sell", "not resolved")),
            rung("petsc_sell", "peer", 2.0),
        )
    )
    assert [one.complete for one in found] == [False, False, False]
    assert "**not resolved**" in found[0].told
    assert "before its turn" in found[1].told


def test_recipes_are_judged_by_the_tests_that_execute_them(tmp_path: Path) -> None:
    file = tmp_path / "pytest.xml"
    file.write_text(
        '<testsuites><testsuite><testcase classname="tests.contract.test_recipes" name="test_recipes_work"/>'
        '<testcase classname="tests.build.test_imports" name="test_planted_import_is_seen[a]"><failure/></testcase>'
        "</testsuite></testsuites>",
        encoding="utf-8",
    )
    lines = junit.recipes(junit.outcomes([file]))
    assert [one.met for one in lines] == [False] + [True] * len(junit.RECIPES)


PYTHON = '''"""{module}"""

def command():
    """Add up all of it."""
    option("--count", help="{text}")
    raise ValueError(f"count is {{count}}, expected more")
'''


@pytest.fixture(name="repository")
def repository_fixture(tmp_path: Path) -> Path:
    """A repository in which a file was moved, and one of its texts mended."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=tmp_path, check=True)

    folder, guide = tmp_path / "src" / "rooftop", tmp_path / "docs" / "guide"
    folder.mkdir(parents=True)
    guide.mkdir(parents=True)
    git("init", "-q")
    (folder / "old.py").write_text(PYTHON.format(module="What is counted here.", text="That are counted now."))
    (guide / "a.md").write_text(
        "# Counting\n\nA first paragraph here.\n\n```sh\nnot a text\n```\n\n- one point of it\n"
    )
    git("add", ".")
    git("commit", "-qm", "before")
    git("mv", "src/rooftop/old.py", "src/rooftop/new.py")
    (folder / "new.py").write_text(PYTHON.format(module="What is counted here.", text="Number of things to count."))
    git("commit", "-qam", "after")
    return tmp_path


def test_texts_are_paired_across_a_move(repository: Path) -> None:
    there = str(repository)
    new, old, renamed = texts(there, "HEAD"), texts(there, "HEAD~1"), renames(there, "HEAD~1", "HEAD")
    place = Place("help", "src/rooftop/new.py", "command", "--count")
    assert new[place] == "Number of things to count."
    assert earlier(place, old, renamed) == "That are counted now."
    message = Place("messages", "src/rooftop/new.py", "command", "ValueError")
    assert new[message] == "count is {count}, expected more"
    guides = {one.what: text for one, text in new.items() if one.kind == "guides"}
    assert guides == {"paragraph 1": "A first paragraph here.", "paragraph 2": "- one point of it"}


def test_a_draw_stays_where_other_places_come(repository: Path) -> None:
    found = texts(str(repository), "HEAD")
    drawn = draw(found, 41, 1)
    assert [one.kind for one in drawn] == ["help", "messages", "docstrings", "guides"]
    gone = [one for one in found if one.kind == "docstrings" and one not in drawn]
    assert draw({place: text for place, text in found.items() if place not in gone}, 41, 1) == drawn
