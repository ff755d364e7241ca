"""Holm's correction, and the intervals of the sign test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rooftop.measure.compare import LEVEL, _interval_ranks
from rooftop.measure.correction import holm, least_pairs, level_of

p_values = st.lists(st.floats(0, 1), max_size=40)


def test_by_hand() -> None:
    # Sorted: 0.01 * 4, 0.02 * 3, 0.03 * 2, 0.05 * 1; each at least as large as the one before.
    assert holm([0.03, 0.01, 0.05, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.6, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


@given(p_values)
def test_between_no_correction_and_bonferroni_s(given_p: list[float]) -> None:
    for p, corrected in zip(given_p, holm(given_p), strict=True):
        assert p <= corrected <= min(1.0, p * len(given_p)) + 1e-12


@given(p_values, st.randoms(use_true_random=False))
def test_order_does_not_matter(given_p: list[float], random: object) -> None:
    places = list(range(len(given_p)))
    random.shuffle(places)  # type: ignore[attr-defined]
    corrected = holm(given_p)
    assert holm([given_p[place] for place in places]) == pytest.approx([corrected[place] for place in places])


@given(st.integers(1, 1000))
def test_the_least_pairs_are_enough_and_no_more(comparisons: int) -> None:
    pairs = least_pairs(comparisons)
    assert 2.0 ** (1 - pairs) * comparisons <= LEVEL < 2.0 ** (2 - pairs) * comparisons
    assert least_pairs(1) == 6


@pytest.mark.case("commands.S1.imports")
@pytest.mark.parametrize("count", [1, 5, 6, 7, 20, 119])
def test_intervals_are_those_of_the_library(count: int) -> None:
    ranks = stats.quantile_test(np.arange(float(count)), q=0.0, p=0.5)
    interval: tuple[float, float] = ranks.confidence_interval(0.95)  # type: ignore[assignment]  # the stubs say a number
    low, high = interval
    assert _interval_ranks(count) == (None if math.isnan(low) or math.isnan(high) else (low, high))


@given(p_values)
def test_a_level_of_its_own_says_the_same(given_p: list[float]) -> None:
    for p, corrected in zip(given_p, holm(given_p), strict=True):
        if corrected < 1 and p > 0:
            assert (p <= level_of(p, corrected) * (1 + 1e-9)) == (corrected <= LEVEL * (1 + 1e-9))
