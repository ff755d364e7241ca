"""Holm's correction, and the sign test that it corrects."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rooftop.measure.compare import _interval_ranks
from rooftop.measure.correction import LEVEL, holm, least_pairs, sign_test

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


def test_sign_test() -> None:
    assert sign_test([0.1] * 6) == pytest.approx(2**-5)
    assert sign_test([0.1, -0.1] * 5) == pytest.approx(1.0)
    assert sign_test([]) == 1.0


@given(st.integers(1, 1000))
def test_the_least_pairs_are_enough_and_no_more(comparisons: int) -> None:
    pairs = least_pairs(comparisons)
    assert 2.0 ** (1 - pairs) * comparisons <= LEVEL < 2.0 ** (2 - pairs) * comparisons
    assert least_pairs(1) == 6
    assert math.isclose(sign_test([0.1] * pairs), 2.0 ** (1 - pairs))


@pytest.mark.case("commands.S1.imports")
@given(st.lists(st.integers(-2, 2), min_size=1, max_size=120))
def test_figures_are_those_of_the_library(values: list[int]) -> None:
    tested = stats.quantile_test(np.asarray(values, dtype=float), q=0.0, p=0.5)
    assert sign_test([float(value) for value in values]) == pytest.approx(tested.pvalue, rel=1e-9)
    ranks = stats.quantile_test(np.arange(float(len(values))), q=0.0, p=0.5)
    interval: tuple[float, float] = ranks.confidence_interval(0.95)  # type: ignore[assignment]  # the stubs say a number
    low, high = interval
    assert _interval_ranks(len(values)) == (None if math.isnan(low) or math.isnan(high) else (low, high))
