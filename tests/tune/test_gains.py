"""What each parameter brings: which configurations are asked for, and what is told of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from replayed_tuning import OPTIONS, noisy, tune

from rooftop.parameters.space import Configuration, Parameter, Space, label
from rooftop.settings import Settings
from rooftop.tune.gains import changes, to_measure
from rooftop.tune.options import Options

SPACE = Space(
    [Parameter("N", "param", (1, 2)), Parameter("mode", "param", ("a", "b")), Parameter("K", "param", (0, 1))]
)
START: Configuration = {"N": 1, "mode": "a", "K": 0}


def test_each_parameter_that_differs_is_set_and_set_back() -> None:
    found = changes(SPACE, START, {"N": 2, "mode": "b", "K": 1})
    assert [(one.name, one.default, one.best) for one in found] == [("N", 1, 2), ("mode", "a", "b"), ("K", 0, 1)]
    assert found[0].alone == {"N": 2, "mode": "a", "K": 0}
    assert found[0].last == {"N": 1, "mode": "b", "K": 1}
    assert len(to_measure(found)) == 6


def test_of_two_that_differ_each_one_alone_is_the_other_set_back() -> None:
    found = changes(SPACE, START, {"N": 2, "mode": "b", "K": 0})
    assert found[0].alone == found[1].last
    assert len(to_measure(found)) == 2


def test_one_that_differs_has_the_whole_gain() -> None:
    assert changes(SPACE, START, {"N": 2, "mode": "a", "K": 0}) == []


def test_what_a_condition_forbids_is_not_asked_for() -> None:
    space = Space(SPACE.parameters, ["not (N == 2 and mode == 'a')"])
    found = changes(space, START, {"N": 2, "mode": "b", "K": 0})
    assert found[0].alone is None
    assert found[1].last is None
    assert found[1].alone == {"N": 1, "mode": "b", "K": 0}


def cost(one: Configuration) -> float:
    """Return milliseconds: N=2 brings 1.25 by itself, b and K=1 bring 1.5 together and nothing alone."""
    together = one["mode"] == "b" and one["K"] == 1
    return 60 / (1.25 if one["N"] == 2 else 1.0) / (1.5 if together else 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_gains_are_told_alone_and_on_top(seed: int, settings: Settings) -> None:
    parameters = tuple((one.name, one.kind, one.values) for one in SPACE.parameters)
    how = replace(OPTIONS.how, budget_s=300.0, seed=seed)
    options = Options(words=("app", "{N}", "{mode}", "{K}"), parameters=parameters, how=how)
    recordings = {label(one): noisy(cost(one), label(one)) for one in SPACE.configurations}
    document = tune(settings, recordings, options).document
    assert document.confirmed
    told = {one.name: one for one in document.gains}
    assert told.keys() == {"N", "mode", "K"}
    for name, alone, last in (("N", 1.25, 1.25), ("mode", 1.0, 1.5), ("K", 1.0, 1.5)):
        first, second = told[name].alone, told[name].last
        assert first is not None
        assert second is not None
        assert first.ratio == pytest.approx(alone, rel=0.03)
        assert second.ratio == pytest.approx(last, rel=0.03)
        assert second.verdict == "faster"
