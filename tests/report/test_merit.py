"""The figure of merit of an experiment: the rate, the time to solution, or the quality after a time; and no roof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from synthetic_climb import barren, realistic, without_roofs

from rooftop.errors import Misuse
from rooftop.ladder.experiment import Case, Experiment
from rooftop.report.merit import merit_of


def words(path: Path) -> str:
    """Return the page's text, with single spaces."""
    body = path.read_text(encoding="utf-8").split("<main")[-1].split("<script")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body).replace("\u202f", " ").replace("&nbsp;", " "))


def test_times_to_solution_stand_beside_the_best_peer_and_the_first_rung() -> None:
    experiment = without_roofs().experiments[0]
    merit = merit_of(experiment)
    assert merit is not None
    assert merit.title == "Time to solution"
    assert [line.case for line in merit.cases] == [case.case for case in experiment.cases]
    line = merit.cases[0]
    assert line.peer is not None
    assert line.first is not None
    assert (line.top.name, line.peer.name, line.first.name) == ("99-solver", "onednn", "10-naive")
    assert line.vs_peer is experiment.cases[0].rungs[10].vs_best_peer
    assert line.sentence.replace("\u202f", " ").startswith(
        "conv1_2 64x224x224 k64 n1: 99-solver 6.24 ms, onednn 17.4 ms"
    )


def test_a_quality_is_told_with_its_time_and_the_best_peer_is_that_of_the_best_quality() -> None:
    merit = merit_of(without_roofs().experiments[1])
    assert merit is not None
    assert merit.title == "Gap to best known after the time of one run"
    [line] = merit.cases
    assert line.peer is not None
    assert line.first is not None
    # The other peer is faster and tells no gap.
    assert line.peer.name == "ant library"
    assert [one.text.split(" after ")[0].replace("\u202f", " ") for one in (line.top, line.peer, line.first)] == [
        "0 %",
        "1.5 %",
        "4.2 %",
    ]
    assert line.vs_peer is None


def test_each_case_has_the_first_figure_that_its_programs_tell() -> None:
    experiment = without_roofs().experiments[1]
    for rung in experiment.cases[0].rungs:
        (rung.figures or {}).pop("gap_to_best_known_percent", None)
    merit = merit_of(experiment)
    assert merit is not None
    assert merit.title == "Excess after the time of one run"
    assert merit.cases[0].peer is None


def test_without_a_time_or_a_figure_there_is_no_table() -> None:
    assert merit_of(realistic().experiments[0]) is None
    for experiment in barren().experiments:
        assert merit_of(experiment.model_copy(update={"merit": ["time"]})) is None
    nothing_told = realistic().experiments[1].model_copy(update={"merit": ["excess_percent"]})
    assert merit_of(nothing_told) is None


def test_the_page_says_the_merit_first_and_shows_no_roof(reports: dict[str, Path]) -> None:
    text = words(reports["without_roofs"])
    assert "Time to solution (median time), case by case:" in text
    assert "Gap to best known after the time of one run (median time):" in text
    assert "502 GFLOP/s over all 6 cases" not in text
    for roof in ("of its roof", "its own roof", "Roofline", "unknown"):
        assert roof.lower() not in text.lower(), roof
    assert "of its roof" in words(reports["realistic"])


@pytest.mark.parametrize("merit", ["time", ("time", "excess_percent")])
def test_a_merit_that_cannot_be_shown_is_refused(merit: tuple[str, ...]) -> None:
    with pytest.raises(Misuse, match=r"merit is .*expected"):
        Experiment(title="a", rate_unit="x/s", rate_scale=1, sizes={"quick": [Case("a", {}, 1)]}, merit=merit)
