"""The parts of a tuning's budget, and that its last comparison has its pairs."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replayed_tuning import OPTIONS, recorded, tune
from rich.console import Console

from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.tune.budget import FINAL, MOST_FINAL, MOST_GAINS, Shares, runs_of
from rooftop.tune.text import print_tuning

RULES = Rules()


@given(budget_s=st.floats(0.1, 1e6), default_s=st.floats(0, 1e6), best_s=st.floats(0, 1e6))
def test_they_are_the_budget_and_follow_each_other(budget_s: float, default_s: float, best_s: float) -> None:
    shares = Shares.of(budget_s, RULES, default_s, best_s)
    parts = [shares.race, shares.choosing, shares.final, shares.gains]
    assert all(part.share_s > 0 for part in parts)
    assert sum(part.share_s for part in parts) == pytest.approx(budget_s)
    ends = [part.end_s for part in parts]
    assert ends == sorted(ends)
    assert ends[-1] == budget_s
    needed_s = runs_of(RULES) * (default_s + best_s + min(default_s, best_s))
    assert shares.final.share_s >= FINAL * budget_s
    if needed_s <= MOST_FINAL * budget_s:
        assert shares.final.share_s >= needed_s


@given(st.floats(1, 1e5), st.floats(0, 1e4), st.floats(0, 1e4), st.integers(1, 20))
def test_gains_take_only_what_the_last_comparison_does_not_need(
    budget_s: float, default_s: float, best_s: float, between: int
) -> None:
    without, shares = (Shares.of(budget_s, RULES, default_s, best_s, many) for many in (0, between))
    assert (shares.race, shares.choosing) == (without.race, without.choosing)
    assert shares.final.share_s + shares.gains.share_s == pytest.approx(without.final.share_s + without.gains.share_s)
    assert shares.choosing.end_s <= shares.final.end_s <= shares.gains.end_s == budget_s
    assert without.gains.share_s <= shares.gains.share_s <= MOST_GAINS * budget_s * (1 + 1e-9)
    needed_s = runs_of(RULES) * (default_s + 2 * best_s + min(default_s, best_s))
    if needed_s <= without.final.share_s:
        assert shares.final.share_s >= needed_s * (1 - 1e-9)
    else:
        assert shares.final == without.final


def test_of_long_runs_what_each_parameter_brings_has_time_for_a_verdict() -> None:
    """A default of 2 s and a best of 0.65 s that differ in four parameters, in ten minutes."""
    shares = Shares.of(600, RULES, 2.0, 0.65, 8)
    assert shares.gains.share_s >= runs_of(RULES) * (2.0 + 0.65 + 0.65 + 8 * math.sqrt(2.0 * 0.65))
    assert Shares.of(600, RULES, 2.0, 0.65).gains.share_s == pytest.approx(30)


def test_of_a_program_whose_runs_are_long_beside_the_budget_the_winner_is_confirmed(settings: Settings) -> None:
    # The default takes 80 ms: its six pairs alone do not fit into a quarter of the budget.
    document = tune(settings, recorded(OPTIONS), replace(OPTIONS, how=replace(OPTIONS.how, budget_s=4.0))).document
    assert document.confirmed
    assert max(one.pairs for one in document.comparisons) >= RULES.min_pairs


def test_a_reader_learns_that_what_each_parameter_brings_was_not_measured(settings: Settings) -> None:
    document = tune(settings, recorded(OPTIONS)).document
    console = Console(width=200)
    with console.capture() as capture:
        print_tuning(document.model_copy(update={"gains": []}), console)
    assert "effect of each parameter: no time was left to measure it" in capture.get()
