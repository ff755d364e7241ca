"""Figures against what was asked: opponents, cases, intervals, totals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rooftop.documents import ClimbDocument
from rooftop.errors import Misuse
from rooftop.measure.rules import Rules
from rooftop.measure.targets import Target, read_targets
from rooftop.report.ladder import gain
from rooftop.results.document import ResultsPage, newest_per_size, results_page
from rooftop.results.judgement import TargetJudgement, covered, is_resolved
from rooftop.results.page import render
from rooftop.results.reached import Reached


@pytest.fixture
def page(climb: ClimbDocument, tree: Path) -> ResultsPage:
    """Return the page of the realistic climb."""
    found = results_page("winograd", read_targets(tree / "experiments/winograd/targets.toml"), [climb], Rules())
    assert found is not None
    return found


def judgement(page: ResultsPage, name: str) -> TargetJudgement:
    return next(target for target in page.targets if target.id == name)


def test_cases_are_those_of_the_conditions(page: ResultsPage) -> None:
    assert [row.case.split()[0] for row in judgement(page, "large").rows] == [
        "conv1_2",
        "conv2_2",
        "conv3_2",
        "conv4_2",
    ]
    assert [row.case.split()[0] for row in judgement(page, "roof").rows] == ["conv2_2", "conv3_2"]


def test_ratios_are_paired_where_the_campaign_paired_them(page: ResultsPage, climb: ClimbDocument) -> None:
    """The best peer is the campaign's own; the best direct one of a case that Winograd won has medians only."""
    row = judgement(page, "large").rows[0]
    best, direct = (judged.reached for judged in row.judged)
    assert (best.against, best.algorithm, best.by, best.value, best.pairs) == (
        "onednn_debian",
        "F(4)",
        "paired",
        1.5,
        14,
    )
    rungs = {rung.name: rung for rung in climb.experiments[0].cases[0].rungs}
    assert direct.against == "onednn" and direct.by == "medians" and direct.lo is None
    assert direct.value == pytest.approx((rungs["onednn"].median_s or 0) / (rungs["99-solver"].median_s or 1))
    assert row.judged[0].answer == "not met" and row.judged[1].resolved is None
    assert judgement(page, "large").rows[1].judged[1].reached.by == "paired"


def test_a_wrong_result_is_not_measured_and_still_counts_as_a_case(page: ResultsPage) -> None:
    target = judgement(page, "large")
    judged = target.rows[2].judged[0]
    assert judged.answer == "not measured"
    assert "99-solver wrong: error 0.3" in (judged.reached.reason or "")
    assert target.summaries[0].cases == 4 and target.summaries[0].not_measured == 1
    assert target.summaries[0].smallest == 1.5
    assert target.summaries[0].answer == "not met"


def test_the_total_counts_the_cases_that_both_finished(page: ResultsPage, climb: ClimbDocument) -> None:
    target = judgement(page, "ladder")
    expected = gain(climb.experiments[0], "99-solver", "10-naive")
    assert expected is not None and target.summaries[0].largest == expected.ratio > 100
    assert target.summaries[0].met == 1 and target.reason == "on 4 of 6 cases"


def test_a_figure_beside_the_time_is_judged_where_the_rung_tells_it(climb: ClimbDocument, tmp_path: Path) -> None:
    (tmp_path / "targets.toml").write_text(
        '[[target]]\nid = "memory"\nasked = "A MiB."\nsize = "network"\nmeasure = "figure"\nnamed = "memory_bytes"\n'
        "at_most = 1048576\n",
        encoding="utf-8",
    )
    cases = climb.experiments[0].cases
    for case, value in zip(cases, (2**19, 2**21), strict=False):
        next(rung for rung in case.rungs if rung.name == "99-solver").figures = {"memory_bytes": value}
    found = results_page("winograd", read_targets(tmp_path / "targets.toml"), [climb], Rules())
    assert found is not None
    rows = judgement(found, "memory").rows
    assert [row.judged[0].answer for row in rows[:3]] == ["met", "not met", "not measured"]
    drawn = render(found).replace("\u202f", " ")
    assert "≤ 1 MiB" in drawn and "512 KiB" in drawn and "99-solver tells no memory_bytes" in drawn


def test_the_steps_of_a_ladder_have_the_bytes_of_each_rung(page: ResultsPage, climb: ClimbDocument) -> None:
    rows = judgement(page, "roof").steps
    assert [row.case.split()[0] for row in rows] == sorted(row.case.split()[0] for row in rows)
    case = next(case for case in climb.experiments[0].cases if case.case == rows[0].case)
    timed = [rung for rung in case.rungs if rung.kind == "rung" and rung.outcome == "ok" and rung.median_s]
    of_case = [row for row in rows if row.case == case.case]
    assert [row.rung for row in of_case] == [rung.name for rung in timed]
    speed = page.campaigns[0].memory_bandwidth
    assert speed
    for row, rung in zip(of_case, timed, strict=True):
        assert rung.work and row.memory_bytes and row.memory_bytes == rung.work["memory_bytes"]
        assert row.memory_s == pytest.approx(row.memory_bytes / speed)
        assert row.times_as_fast == pytest.approx((timed[0].median_s or 0) / row.seconds)
    assert not judgement(page, "large").steps


def test_a_size_without_campaign_is_not_measured(page: ResultsPage) -> None:
    assert judgement(page, "elsewhere").summaries[0].answer == "not measured"
    assert page.missing_sizes == ["M"]


def test_a_target_about_one_algorithm_leaves_the_others_out(climb: ClimbDocument, tree: Path) -> None:
    for rung in climb.experiments[0].cases[1].rungs:
        rung.algorithm = "direct"
    found = results_page("winograd", read_targets(tree / "experiments/winograd/targets.toml"), [climb], Rules())
    assert found is not None
    summary = judgement(found, "error").summaries[0]
    assert (summary.cases, summary.not_asked, summary.met, summary.not_measured) == (5, 1, 4, 1)


def test_unknown_parameters_are_misuse(climb: ClimbDocument, tree: Path) -> None:
    targets = read_targets(tree / "experiments/winograd/targets.toml")
    asked: dict[str, Any] = {"id": "a", "asked": "x", "size": "S", "measure": "error", "at_most": 1}
    with pytest.raises(Misuse, match=r"names 'out_hh'.*out_h"):
        covered(Target.model_validate(asked | {"where": {"out_hh": 7}}), climb.experiments[0], targets)


@pytest.mark.parametrize(
    ("changes", "resolved"),
    [
        ({}, True),
        ({"lo": 1.9}, False),
        ({"pairs": 5}, False),
        ({"floor": 0.6}, False),
        ({"lo": None, "hi": None}, None),
    ],
)
def test_an_answer_is_resolved_beyond_interval_floor_and_six_pairs(
    changes: dict[str, Any], resolved: bool | None
) -> None:
    target = Target(
        id="a", asked="x", size="S", measure="ratio", against=["best peer"], at_least=2.0, at_most=None, remark=""
    )
    found = Reached(value=3.0, lo=2.8, hi=3.2, pairs=6, floor=0.01, by="paired").model_copy(update=changes)
    assert is_resolved(target, found, Rules()) is resolved


def test_the_newest_campaign_of_each_size_counts(climb: ClimbDocument) -> None:
    older = climb.model_copy(deep=True, update={"started": "2024-01-01T00:00:00Z", "campaign": "zz"})
    small = older.model_copy(deep=True)
    small.experiments[0].size = "S"
    found = newest_per_size([climb, older, small], "winograd", ["S", "network", "L"])
    assert {size: one.document.started[:4] for size, one in found.items()} == {"S": "2024", "network": "2025"}
    assert found["network"].floor == 0.0061
