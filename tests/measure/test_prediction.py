"""What a prediction comes to, beside what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest_types import Write
from still_machine import StillMachine
from synthetic_machine import machine

from rooftop import report
from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import ClimbDocument, Machine, PredictionResult, Roof
from rooftop.driver.process import ProcessExecutor
from rooftop.errors import Misuse
from rooftop.ladder.experiment import Prediction
from rooftop.measure.prediction import predict
from rooftop.report.prediction_text import expectation, sentence
from rooftop.settings import Settings

PREDICTIONS = """
from dataclasses import replace
from rooftop.ladder.experiment import Prediction
experiment = replace(experiment, predictions=[
    Prediction(of="10-slow", over="30-fast", formula="figure('core_to_core') / 1e-9 + n", within=1.5),
    Prediction(of="30-fast", formula="threads * 1e-3", within=3),
    Prediction(of="10-slow", over="30-fast", formula="figure('page_fault')"),
    Prediction(of="10-slow", over="20-wrong", formula="2"),
    Prediction(of="10-slow", less="30-fast", formula="1e-9", within=1e9),
    Prediction(of="10-slow", over="30-fast", formula="1", up_to="9", within=1.5),
    Prediction(of="10-slow", over="30-fast", formula="1", up_to="5", within=1.5),
])
"""


def value(formula: str, threads: int = 2) -> PredictionResult:
    return predict(Prediction(of="10-a", over="20-b", formula=formula), machine(), threads, {"n": 8})


def test_a_formula_uses_figures_parameters_and_threads() -> None:
    assert value("figure('core_to_core') * n * threads").predicted == pytest.approx(61e-9 * 16)
    assert value("figure('latency', level='L3') / figure('latency', level='L1')").predicted == pytest.approx(31 / 1.3)
    read = value("figure('read', level='memory')", threads=1)
    assert read.predicted == pytest.approx(12.5e9)
    assert read.figures == {"read memory": 12.5e9}
    assert value("1 if threads == 1 else figure('nothing')", threads=1).predicted == 1


def with_messages(*told: tuple[str, int, float]) -> Machine:
    """Return the machine with times of messages: which, of how many bytes, and in seconds."""
    found = machine()
    found.roofs = [roof for roof in found.roofs if not roof.metric.startswith("message")]
    for metric, size, seconds in told:
        found.roofs.append(Roof(metric=metric, value=seconds, unit="s", threads=2, detail={"message_bytes": size}))
    return found


@pytest.mark.parametrize(("size", "seconds"), [(1, 1e-7), (8, 1e-7), (504, 1.5e-7), (1000, 2e-7), (4000, 8e-7)])
def test_a_message_takes_a_time_between_those_of_the_probe(size: int, seconds: float) -> None:
    known = with_messages(("message", 1000, 2e-7), ("message_exchange", 8, 3e-7), ("message", 8, 1e-7))
    told = predict(Prediction("10-a", f"message({size})", over="20-b"), known, 2, {})
    assert told.predicted == pytest.approx(seconds)
    assert told.figures == {f"message of {size} bytes": pytest.approx(seconds)}
    assert predict(Prediction("10-a", "exchange(8)"), known, 2, {}).predicted == pytest.approx(3e-7)


def test_without_its_probe_a_message_has_no_time() -> None:
    told = predict(Prediction("10-a", "message(8)"), with_messages(), 2, {})
    assert told.reason == "message is not known here: no probe has measured it: run 'rooftop probe'"


def test_more_workers_than_cores_have_a_factor_of_their_own() -> None:
    crowded = Prediction("10-a", "1", within=1.5, crowded=2)
    assert [predict(crowded, machine(), threads, {}).within for threads in (1, 2, 3)] == [1.5, 1.5, 2]
    assert predict(Prediction("10-a", "1", within=1.5), machine(), 3, {}).within == 1.5
    with pytest.raises(Misuse, match="crowded is 1, expected a factor above 1"):
        Prediction("10-a", "1", crowded=1)


def test_a_range_has_two_ends_in_order() -> None:
    """Either formula may be the lower one; two that are equal are one value."""
    for formula, up_to in (("2", "n"), ("n", "2")):
        result = predict(Prediction("10-a", formula, over="20-b", up_to=up_to), machine(), 1, {"n": 8})
        assert (result.predicted, result.predicted_to) == (2, 8)
        assert expectation(result) == "2.00× to 8.00×"
    same = predict(Prediction("10-a", "8", over="20-b", up_to="n"), machine(), 1, {"n": 8})
    assert (same.predicted, same.predicted_to) == (8, None)
    lacking = predict(Prediction("10-a", "8", up_to="figure('htm_aborts')"), machine(), 1, {})
    assert (lacking.predicted, lacking.predicted_to) == (None, None)
    assert lacking.reason is not None


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("figure('htm_aborts')", "htm_aborts is not known here: no probe has measured it: run 'rooftop probe'"),
        ("figure('fma')", "fma is 8 figures here: the formula must say which, by level, isa, precision, threads"),
        ("figure('read', place='L1')", "figure('read') is asked for by place, expected level, isa, precision, threads"),
        ("n - 8", "the formula gives 0, expected a number above 0"),
        ("m + 1", "the formula has no value: 'm' is not defined"),
        ("n +", "the formula has no value: invalid syntax"),
        ("n / 0", "the formula has no value: division by zero"),
        ("().__class__", "the formula has no value: "),
    ],
)
def test_what_has_no_value_has_a_reason(formula: str, reason: str) -> None:
    result = value(formula)
    assert result.predicted is None
    assert result.reason is not None
    assert result.reason.startswith(reason)
    assert result.reason in expectation(result)


def test_what_a_probe_said_of_a_missing_figure_is_repeated() -> None:
    here = machine()
    here.roofs = [roof for roof in here.roofs if roof.metric != "core_to_core"]
    here.missing = ["core_to_core: core_to_core needs two processors, and this process may use one"]
    result = predict(Prediction(of="10-a", formula="figure('core_to_core')"), here, 2, {})
    assert result.reason == f"core_to_core is not known here: {here.missing[0]}"


def test_figures_of_several_pairs_are_one_by_their_median() -> None:
    here = machine()
    for to, seconds in ((2, 99e-9), (3, 60e-9)):
        here.roofs.append(Roof(metric="core_to_core", value=seconds, unit="s", threads=2, detail={"from": 0, "to": to}))
    assert predict(Prediction(of="10-a", formula="figure('core_to_core')"), here, 2, {}).predicted == 61e-9


def test_a_factor_must_be_one() -> None:
    with pytest.raises(Misuse, match="within is 1, expected a factor above 1"):
        Prediction(of="10-a", formula="1", within=1)


@pytest.fixture(name="document")
def document_fixture(write_experiment: Write, settings: Settings) -> ClimbDocument:
    """A climb whose slow rung takes ten times as long as the fast one, 2 ms."""
    folder = write_experiment(
        rungs={
            "10-slow": "run_ns=2e7, noise=0.01",
            "20-wrong": "outcome='wrong', reason='off by one'",
            "30-fast": "run_ns=2e6, noise=0.01",
        },
        cases=1,
    )
    with (folder / "experiment.py").open("a", encoding="utf-8") as file:
        file.write(PREDICTIONS)
    surroundings = StillMachine(more=[Roof(metric="core_to_core", value=12e-9, unit="s", threads=2)])
    climbing = Climbing(settings, ProcessExecutor(), surroundings, Unwatched())
    return climbing.climb(Request(budget_s=60, seed=3, size="quick")).document


def test_a_climb_judges_predictions(document: ClimbDocument) -> None:
    ratio, seconds, unknown, wrong, longer, inside, above = document.experiments[0].cases[0].predictions
    assert ratio.predicted == pytest.approx(12)
    assert ratio.measured == pytest.approx(10, rel=0.05)
    assert ratio.lo is not None and ratio.hi is not None and ratio.measured is not None
    assert ratio.lo <= ratio.measured <= ratio.hi
    assert ratio.agrees is True
    assert seconds.predicted == pytest.approx(2e-3)
    assert seconds.measured == pytest.approx(2e-3, rel=0.05)
    assert unknown.agrees is None
    assert unknown.measured == pytest.approx(10, rel=0.05)
    assert (wrong.agrees, wrong.reason) == (None, "20-wrong has no time: off by one")
    assert sentence(ratio).startswith("10-slow / 30-fast: predicted 12.0×, measured ")
    assert sentence(ratio).endswith(": agrees within a factor of 1.5")
    assert "no prediction" in sentence(unknown)
    assert longer.measured == pytest.approx(18e-3, rel=0.05)
    assert longer.lo is not None and longer.hi is not None and longer.measured is not None
    assert longer.lo <= longer.measured <= longer.hi
    assert longer.agrees is True
    assert (inside.agrees, above.agrees) == (True, False)
    assert sentence(inside).startswith("10-slow / 30-fast: predicted 1.00× to 9.00×, measured ")
    assert sentence(longer).startswith("10-slow - 30-fast: predicted 1.00\u202fns, measured 1")


def test_a_difference_is_not_a_ratio_too() -> None:
    assert Prediction("10-a", "1", less="20-b").quantity == "time of 10-a - time of 20-b"
    with pytest.raises(Misuse, match="less is '20-b', and over or figure is given"):
        Prediction("10-a", "1", over="20-b", less="20-b")


def test_the_report_has_predictions(document: ClimbDocument, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    report.write(document, file)
    page = file.read_text(encoding="utf-8")
    assert 'id="predictions"' in page
    assert "figure(&#39;core_to_core&#39;) / 1e-9 + n" in page
    assert "agrees within a factor of 1.5" in page
    assert "20-wrong has no time: off by one" in page
    without = document.model_copy(deep=True)
    without.experiments[0].cases[0].predictions = []
    report.write(without, file)
    assert 'id="predictions"' not in file.read_text(encoding="utf-8")


def test_workers_are_predicted_one_by_one(write_experiment: Write, settings: Settings) -> None:
    folder = write_experiment(rungs={"10-slow": "run_ns=4e6, noise=0.01", "30-fast": "run_ns=2e6, noise=0.01"})
    with (folder / "experiment.py").open("a", encoding="utf-8") as file:
        file.write(
            "from dataclasses import replace\nfrom rooftop.ladder.experiment import Prediction\n"
            "experiment = replace(experiment, predictions=[Prediction('10-slow', '2 * threads', '30-fast')])\n"
        )
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    document = climbing.climb(Request(budget_s=60, seed=3, size="workers")).document
    found = document.experiments[0].cases[0].predictions
    assert [(one.threads, one.predicted) for one in found] == [(1, 2), (2, 4), (4, 8)]
    assert [one.measured for one in found] == [pytest.approx(2, rel=0.05)] * 3
    assert [one.agrees for one in found] == [True, True, False]
