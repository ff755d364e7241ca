"""The statistics: properties that must hold for any samples, and coverage on simulated ones."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratio_pairs import pairs_from_ratios

from rooftop.measure.compare import LEVEL, comparison, noise_floor, settled, sharp, spread, weigh
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules

RULES = Rules()
times = st.floats(min_value=1e3, max_value=1e12, allow_nan=False)
pairs = st.lists(st.tuples(times, times), min_size=1, max_size=60)
factors = st.floats(min_value=1e-3, max_value=1e3)


def verdict(ratios: list[float], floor: float) -> str:
    weighed = weigh(pairs_from_ratios(ratios), floor, RULES)
    assert weighed is not None
    return weighed.verdict(LEVEL)


@given(pairs)
def test_swapping_the_sides_inverts_the_comparison(both: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in both], [y for _, y in both]
    there = comparison("b", Pairs.of((a, b)), 0.01, RULES)
    back = comparison("a", Pairs.of((b, a)), 0.01, RULES)
    assert there is not None
    assert back is not None
    assert there.ratio == pytest.approx(1 / back.ratio)
    assert there.lo == pytest.approx(1 / back.hi)
    assert there.hi == pytest.approx(1 / back.lo)
    swapped = {"faster": "slower", "slower": "faster", "not resolved": "not resolved"}
    assert there.verdict == swapped[back.verdict]
    assert there.resolved == {question: swapped[said] for question, said in back.resolved.items()}
    if there.mean is not None:
        assert there.mean == pytest.approx(1 / (back.mean or 0))
        assert there.mean_lo == pytest.approx(1 / (back.mean_hi or 0))


@given(pairs, factors)
def test_a_unit_of_time_changes_nothing(both: list[tuple[float, float]], factor: float) -> None:
    a, b = [x for x, _ in both], [y for _, y in both]
    plain = comparison("b", Pairs.of((a, b)), 0.0, RULES)
    scaled = comparison("b", Pairs.of(([x * factor for x in a], [y * factor for y in b])), 0.0, RULES)
    assert plain is not None
    assert scaled is not None
    assert scaled.ratio == pytest.approx(plain.ratio)
    assert [scaled.lo, scaled.hi] == pytest.approx([plain.lo, plain.hi])
    assert scaled.mean == pytest.approx(plain.mean)
    assert scaled.resolved == plain.resolved


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=80))
def test_the_interval_holds_the_median_and_lies_within_the_values(values: list[float]) -> None:
    found = spread(values)
    assert found is not None
    assert min(values) <= found.lo <= found.median <= found.hi <= max(values)
    assert found.proven == (len(values) >= 6)


@given(st.lists(st.floats(-5, 5), min_size=0, max_size=5), st.floats(0, 0.1))
def test_under_six_pairs_nothing_is_resolved(ratios: list[float], floor: float) -> None:
    assert not ratios or verdict(ratios, floor) == "not resolved"
    assert not sharp(spread(ratios), RULES)


@pytest.mark.parametrize("count", [6, 7, 9, 15, 24, 51])
def test_the_interval_covers_the_true_median_at_least_as_often_as_it_says(count: int) -> None:
    rng = np.random.default_rng(count)
    covered = 0
    trials = 1500
    for _ in range(trials):
        # Skewed, with a heavy tail: what interruptions do to times.
        noise = rng.normal(0, 0.01, count) + np.where(rng.random(count) < 0.1, rng.exponential(0.5, count), 0)
        found = spread(noise)
        assert found is not None
        covered += found.lo <= _mixture_median() <= found.hi
    assert covered / trials > 0.935


@cache
def _mixture_median() -> float:
    rng = np.random.default_rng(0)
    n = 1_000_000
    noise = rng.normal(0, 0.01, n) + np.where(rng.random(n) < 0.1, rng.exponential(0.5, n), 0)
    return float(np.median(noise))


def test_one_wild_outlier_moves_no_verdict() -> None:
    ratios = [0.10, 0.11, 0.09, 0.10, 0.12, 0.10, 0.11, 0.10, 0.09, 0.11, 0.12, 0.10]
    spoilt = [*ratios[:-1], -8.0]
    assert verdict(ratios, 0.01) == "faster"
    assert verdict(spoilt, 0.01) == "faster"


def test_an_effect_below_the_floor_is_not_claimed() -> None:
    ratios = [0.010, 0.011, 0.009, 0.010, 0.012, 0.010, 0.011]
    assert verdict(ratios, 0.005) == "faster"
    assert verdict(ratios, 0.02) == "not resolved"
    assert verdict([-ratio for ratio in ratios], 0.005) == "slower"


def test_sharpness_depends_on_width_and_not_on_place() -> None:
    near_null = [0.05 * step for step in (-3, -2, -1, 0, 1, 2, 3)]
    assert not sharp(spread(near_null), RULES)
    assert sharp(spread([ratio + 3.0 for ratio in near_null]), RULES)
    assert sharp(spread([ratio / 10 for ratio in near_null]), RULES)


def test_a_comparison_is_settled_when_three_more_pairs_leave_it_sharp() -> None:
    sharp_ratios = [0.015 * step for step in (-1, 1, -1, 1, -1, 1)]
    assert sharp(spread(sharp_ratios), RULES)
    assert not settled(pairs_from_ratios(sharp_ratios), RULES)
    assert settled(pairs_from_ratios([*sharp_ratios, 0.0, 0.0, 0.0]), RULES)
    assert settled(pairs_from_ratios([ratio / 2 for ratio in sharp_ratios]), RULES)
    assert not settled(Pairs((), ()), RULES)


@pytest.mark.parametrize("sigma", [0.01, 0.02, 0.03])
def test_who_stops_when_it_is_settled_calls_noise_a_difference_in_five_of_a_hundred(sigma: float) -> None:
    rng = np.random.default_rng(5)
    trials, called, at_once = 1000, 0, 0
    for _ in range(trials):
        noise = rng.normal(0, sigma, 60).tolist()
        at = next((count for count in range(6, 61, 3) if settled(pairs_from_ratios(noise[:count]), RULES)), 60)
        found = spread(noise[:at])
        assert found is not None
        called += found.lo > 0 or found.hi < 0
        first = next((count for count in range(6, 61, 3) if sharp(spread(noise[:count]), RULES)), 60)
        looked = spread(noise[:first])
        assert looked is not None
        at_once += looked.lo > 0 or looked.hi < 0
    assert called / trials <= 0.055
    assert sigma < 0.03 or called < at_once


def test_the_floor_is_what_twins_differ_by_and_never_under_the_clock() -> None:
    assert noise_floor([], RULES) is None
    assert noise_floor([[]], RULES) is None
    assert noise_floor([[0.0, 0.0]], RULES) == RULES.least_floor
    assert noise_floor([[-0.03, -0.03, -0.03]], RULES) == pytest.approx(math.expm1(0.03))
    disturbed = [-0.7, -0.6, 0.4, 0.5, 0.8, 1.0, 1.1]
    assert noise_floor([disturbed, [0.01] * 7], RULES) == pytest.approx(math.expm1(0.01))
    assert noise_floor([disturbed], RULES) == pytest.approx(math.expm1(0.5))
    many = [[0.001 * case] for case in range(100)]
    floor = noise_floor(many, RULES)
    assert floor is not None
    assert 0.09 < floor < 0.1


def test_no_pairs_give_no_comparison() -> None:
    assert comparison("b", Pairs((), ()), 0.01, RULES) is None
    assert spread([]) is None
