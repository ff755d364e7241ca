"""Where a tuning of a rung begins: with what its experiment expects to be fastest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from conftest_types import Write
from replayed_tuning import OPTIONS, recorded, tune

from rooftop.cli.app import main
from rooftop.ladder.experiment import Case, Experiment
from rooftop.parameters.space import Parameter, Space, label
from rooftop.settings import Settings
from rooftop.subject.rung import named_rung
from rooftop.tune.options import Options
from rooftop.tune.rungs import expectation, starting_places, tunable_parameters

SPACE = Space([Parameter("N", "param", tuple(range(10))), Parameter("mode", "param", ("a", "b"))])


def expected(configuration: Mapping[str, Any]) -> float:
    """Return seconds that know nothing of modes: least at 7, and nearly the same at 6."""
    known = {7: 1.0, 6: 1.005, 8: 1.2, 5: 1.4}
    return known.get(configuration["N"], 2.0 + float(configuration["N"]))


def test_the_fastest_come_first_and_equals_once() -> None:
    places = starting_places(SPACE, 0, expected, 4)
    assert [SPACE.configurations[place]["N"] for place in places] == [7, 8, 5, 1]
    assert {SPACE.configurations[place]["mode"] for place in places} == {"a"}


def test_nothing_that_is_expected_to_be_like_the_default() -> None:
    places = starting_places(SPACE, 14, expected, 20)
    assert [SPACE.configurations[place]["N"] for place in places] == [8, 5, 0, 1, 2, 3, 4, 9]


def test_a_model_gets_the_case_the_tunables_and_the_workers() -> None:
    seen: list[Mapping[str, Any]] = []
    declaration = Experiment(
        title="t",
        rate_unit="1/s",
        rate_scale=1,
        sizes={"quick": [Case("one", {"n": 3}, 1.0)]},
        tunables={"block": [4, 8], "ranks": [2, 1]},
        expected_s=lambda given: seen.append(given) or 1.5,  # type: ignore[func-returns-value]
    )
    seconds = expectation(declaration, [{"n": 3}, {"n": 5, "block": 16}], {"ranks": 6, "threads": 1})
    assert seconds is not None
    assert seconds({"chunk": "08"}) == 3.0
    assert seen == [
        {"n": 3, "block": 4, "ranks": 6, "threads": 1, "chunk": 8},
        {"n": 5, "block": 16, "ranks": 6, "threads": 1, "chunk": 8},
    ]
    assert expectation(replace(declaration, expected_s=None), [{}], {}) is None


def test_starts_are_tried_first(settings: Settings) -> None:
    starts = ((("N", 11), ("mode", "b")), (("N", 10), ("mode", "b")), (("N", 3), ("mode", "no such")))
    options = replace(OPTIONS, starts=starts, n_trials=3)
    document = tune(settings, recorded(options), options).document
    tried = [label(one.parameters) for one in document.tried]
    assert len(tried) == 3
    assert tried == ["N=0 mode=a", "N=11 mode=b", "N=10 mode=b"]
    assert document.best is not None
    assert document.best.parameters == {"N": 11, "mode": "b"}
    assert document.confirmed


def test_no_more_starts_than_trials(settings: Settings) -> None:
    starts = tuple((("N", n), ("mode", "b")) for n in (11, 10, 9))
    options = replace(OPTIONS, starts=starts, n_trials=2)
    assert len(tune(settings, recorded(options), options).document.tried) == 2


def test_what_is_stored_is_read_again() -> None:
    options = replace(OPTIONS, starts=((("N", 11), ("mode", "b")),))
    assert Options.from_stored(json.loads(json.dumps(options.stored()))).starts == options.starts


@pytest.mark.usefixtures("scratch")
def test_a_rung_begins_where_its_experiment_says(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_experiment(rungs={"40-tuned": "run_ns=2e6, times='blocks'"})
    declaration = folder / "experiment.py"
    text = declaration.read_text(encoding="utf-8").replace('"one", {}', '"one", {"blocks": 30}')
    tunables = 'tunables={"blocks": list(range(50, 0, -1)), "threads": [1, 2]},\n    conditions=["blocks != 1"],\n    '
    model = 'expected_s=lambda given: given["blocks"] + 5 * given["threads"],\n    sizes={'
    declaration.write_text(text.replace("sizes={", tunables + model, 1), encoding="utf-8")
    words = ["tune", "fake/40-tuned", "--size", "S", "--json", "--budget", "60s", "--max-pairs", "8", "--n-trials", "6"]
    assert main(words) == 0
    told = capsys.readouterr()
    content = json.loads(told.out)
    tried = [(one["parameters"]["blocks"], one["parameters"]["threads"]) for one in content["tried"]]
    assert tried == [(50, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]
    assert content["configurations"] == 98
    assert content["best"]["parameters"] == {"blocks": 2, "threads": 1}
    assert "--threads 1" in content["best"]["line"]
    assert "5 configurations that the experiment expects to be fast are tried first" in told.err


@pytest.mark.usefixtures("scratch")
def test_ranks_are_left_out_for_a_rung_without_them(write_experiment: Write) -> None:
    folder = write_experiment(rungs={"40-tuned": "run_ns=2e6"})
    declaration = folder / "experiment.py"
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(
        text.replace("sizes={", 'tunables={"ranks": [2, 1], "N": [1]},\n    sizes={', 1), encoding="utf-8"
    )
    rung = named_rung("fake/40-tuned", "S")
    assert rung is not None
    assert tunable_parameters(rung) == (("N", "param", (1,)),)
    assert "ranks" not in rung.known_parameters
