"""The test of median, mean and distribution by swapping pairs: beside SciPy's tests, its level, its power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ratio_pairs import pairs_from_ratios
from scipy import stats

from rooftop.measure.pairs import Pairs
from rooftop.measure.swapping import QUESTIONS, _binomial_tail, _statistics, _ways, slower_p_values

costs = st.floats(min_value=1e-6, max_value=1e6)
pairs = st.lists(st.tuples(costs, costs), min_size=1, max_size=16).map(lambda both: Pairs(*zip(*both, strict=True)))


@pytest.mark.case("commands.S1.imports")
@given(st.lists(st.integers(-2, 2), min_size=1, max_size=120))
def test_votes_are_those_of_the_library(values: list[int]) -> None:
    tested = stats.quantile_test(np.asarray(values, dtype=float), q=0.0, p=0.5, alternative="greater")
    above = sum(value > 0 for value in values)
    assert _binomial_tail(len(values))[above] == pytest.approx(tested.pvalue, rel=1e-9)


def test_means_are_those_of_the_library() -> None:
    rng = np.random.default_rng(1)
    ours, theirs = rng.pareto(1.5, 10) + 1, rng.pareto(1.5, 10) + 1
    tested = stats.permutation_test(
        (ours - theirs,), np.sum, permutation_type="samples", alternative="greater", n_resamples=5000
    )
    _, means, _ = _statistics(Pairs.of((ours, theirs)), 0.0, 0.0, _ways(10, 0))
    assert np.mean(means >= means[0] - 1e-12) == pytest.approx(tested.pvalue)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=40))
def test_distances_are_those_of_the_library(both: list[tuple[int, int]]) -> None:
    ours, theirs = ([float(one) for one in side] for side in zip(*both, strict=True))
    _, _, distances = _statistics(Pairs.of((ours, theirs)), 0.0, 0.0, _ways(len(ours), 2))
    above, below = (
        stats.ks_2samp(theirs, ours, alternative=side, method="asymp").statistic for side in ("greater", "less")
    )
    assert distances[0] == pytest.approx(above - below, abs=1e-6)


@given(pairs, st.floats(0, 0.2), st.floats(0.1, 10))
@settings(max_examples=60)
def test_p_values_do_not_know_the_unit(both: Pairs, margin: float, unit: float) -> None:
    scaled = Pairs.of(([unit * one for one in both.subject], [unit * one for one in both.against]))
    found = slower_p_values(both, margin, margin)
    assert slower_p_values(scaled, margin, margin) == pytest.approx(found, abs=2e-3)
    assert all(0 < p <= 1 for p in found.values())


@given(pairs)
@settings(max_examples=60)
def test_who_is_slower_is_not_faster(both: Pairs) -> None:
    slower, faster = slower_p_values(both, 0.0, 0.0), slower_p_values(both.swapped, 0.0, 0.0)
    assert all(slower[one] + faster[one] > 0.99 for one in ("median", "mean"))


@pytest.mark.parametrize("count", [1, 6, 13, 60, 200])
def test_what_is_unanimous_is_as_clear_as_can_be(count: int) -> None:
    found = slower_p_values(pairs_from_ratios([-0.1] * count), 0.02, 0.02)
    assert found["median"] == found["mean"] == 0.5**count
    assert slower_p_values(pairs_from_ratios([0.1] * count), 0.02, 0.02)["mean"] == 1.0
    assert slower_p_values(Pairs((1.0,) * count, (1.0,) * count), 0.0, 0.0) == dict.fromkeys(QUESTIONS, 1.0)


def test_ties_speak_against_a_slowdown_in_the_median() -> None:
    # Values in steps: most pairs are ties, five are slower and none is faster.
    ties = Pairs((2.0,) * 5 + (1.0,) * 15, (1.0,) * 20)
    found = slower_p_values(ties, 0.0, 0.0)
    assert found["median"] > 0.5
    assert found["mean"] <= 2 * 2**-5


NOISE = {
    "normal": lambda rng, n: rng.normal(1, 0.03, n),
    "bimodal": lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, 2.0) * rng.normal(1, 0.003, n),
    "Cauchy": lambda rng, n: np.abs(1 + 0.02 * rng.standard_cauchy(n)),
    "Pareto": lambda rng, n: 1 / rng.random(n),
    "steps": lambda rng, n: np.maximum(np.round(rng.normal(10, 1, n)), 1.0),
}


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("count", [8, 40])
def test_the_level_holds_whatever_the_noise(kind: str, count: int) -> None:
    rng = np.random.default_rng(count)
    trials, called = 300, 0
    for _ in range(trials):
        ours, theirs = NOISE[kind](rng, count), NOISE[kind](rng, count)
        called += min(slower_p_values(Pairs.of((ours.tolist(), theirs.tolist())), 0.0, 0.0).values()) <= 0.05
    assert called <= trials * 0.05 + 2 * math.sqrt(trials * 0.05 * 0.95)


def test_who_scatters_more_is_not_slower() -> None:
    wide = pairs_from_ratios([-0.1] * 15 + [0.1] * 15)
    assert min(slower_p_values(wide, 0.02, 0.02).values()) > 0.2
    assert min(slower_p_values(wide.swapped, 0.02, 0.02).values()) > 0.2


@pytest.mark.case("commands.G3")
def test_a_change_of_shares_is_seen_by_the_mean_and_not_by_the_median() -> None:
    rng = np.random.default_rng(2)
    found = []
    for _ in range(60):
        base, head = (np.where(rng.random(120) < share, 1.0, 2.0) * rng.normal(1, 0.003, 120) for share in (0.5, 0.25))
        found.append(slower_p_values(Pairs.of((head.tolist(), base.tolist())), math.log(1.05), math.log(1.05)))
    assert np.mean([one["mean"] <= 0.05 for one in found]) > 0.7
    assert np.mean([one["distribution"] <= 0.05 for one in found]) > 0.7
    assert np.mean([one["median"] <= 0.05 for one in found]) < 0.05
