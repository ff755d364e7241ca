"""The score that earlier pairs choose: exact on fresh ones whatever was chosen, and sharper than three questions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ratio_pairs import pairs_from_ratios
from scipy import stats

from rooftop.measure.learned_score import LearnedScore, _scores, learned_score, p_value, p_values_of_questions
from rooftop.measure.pairs import Pairs
from rooftop.measure.swapping import QUESTIONS, farthest_apart, p_value_of_sum, slower_p_values

Draw = Callable[[np.random.Generator, int], np.ndarray]
ALLOWED = math.log(1.05)

costs = st.floats(min_value=1e-3, max_value=1e3)
some_pairs = st.lists(st.tuples(costs, costs), min_size=1, max_size=16).map(
    lambda both: Pairs(*zip(*both, strict=True))
)

NOISE: dict[str, Draw] = {
    "normal": lambda rng, n: rng.normal(1, 0.03, n),
    "bimodal": lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, 2.0) * rng.normal(1, 0.003, n),
    "Cauchy": lambda rng, n: np.abs(1 + 0.02 * rng.standard_cauchy(n)),
    "Pareto": lambda rng, n: 1 / rng.random(n),
    "steps": lambda rng, n: np.maximum(np.round(rng.normal(10, 1, n)), 1.0),
}


def two_speeds(rng: np.random.Generator, count: int, fast_share: float) -> list[float]:
    return list(np.where(rng.random(count) < fast_share, 1.0, 2.0) * rng.normal(1, 0.003, count))


@given(some_pairs, some_pairs, st.floats(0, 0.2))
@settings(max_examples=60)
def test_swapping_a_pair_turns_the_sign_of_what_it_says(earlier: Pairs, fresh: Pairs, margin: float) -> None:
    # The head's costs without what is allowed, and the base's with it, change places.
    above, below = farthest_apart(earlier, margin)
    allowed = math.exp(margin)
    other = Pairs.of(([b * allowed for b in fresh.against], [a / allowed for a in fresh.subject]))
    found, turned = (_scores(one, margin, above, below) for one in (fresh, other))
    assert np.array_equal(found["median"], -turned["median"])
    assert found["mean"] == pytest.approx(-turned["mean"], abs=1e-9)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_p_values_of_sums_are_those_of_the_library(scores: list[int]) -> None:
    tested = stats.permutation_test(
        (np.asarray(scores, dtype=float),), np.sum, permutation_type="samples", alternative="greater", n_resamples=5000
    ) if len(scores) > 1 else None  # fmt: skip
    found = p_value_of_sum(np.asarray(scores, dtype=float))
    assert found == pytest.approx(tested.pvalue if tested is not None else 0.5 if scores[0] > 0 else 1.0)


@pytest.mark.parametrize("count", [1, 6, 13, 60, 200])
def test_what_is_unanimous_is_as_clear_as_can_be(count: int) -> None:
    slow = pairs_from_ratios([-0.1] * count)
    assert p_value(learned_score(slow, 0.02), slow, 0.02) == 0.5**count
    assert p_value(learned_score(slow, 0.02), slow.swapped, 0.02) == 1.0
    assert p_value(learned_score(slow.swapped, 0.02), slow, 0.02) == 0.5**count  # what had nothing to choose by


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("chosen_by", ["alike", "slower"])
def test_the_level_holds_whatever_was_chosen(kind: str, chosen_by: str) -> None:
    rng = np.random.default_rng(11)
    trials, called = 1000, 0
    for _ in range(trials):
        first = Pairs.of((NOISE[kind](rng, 40) * (1.1 if chosen_by == "slower" else 1.0), NOISE[kind](rng, 40)))
        fresh = Pairs.of((NOISE[kind](rng, 40), NOISE[kind](rng, 40)))
        called += p_value(learned_score(first, 0.0), fresh, 0.0) <= 0.05
    assert called <= trials * 0.05 + 3 * math.sqrt(trials * 0.05 * 0.95)


@pytest.mark.parametrize(("base", "head"), [(0.5, 0.25), (0.25, 0.05), (1.0, 0.8)])
def test_changes_of_shares_are_found_oftener_than_by_three_questions(base: float, head: float) -> None:
    rng = np.random.default_rng(5)
    trials, found, by_three = 150, 0, 0
    for _ in range(trials):
        first, fresh = (Pairs.of((two_speeds(rng, 60, head), two_speeds(rng, 60, base))) for _ in range(2))
        found += p_value(learned_score(first, ALLOWED), fresh, ALLOWED) <= 0.05
        by_three += min(slower_p_values(fresh, ALLOWED, ALLOWED).values()) <= 0.05
    assert found >= 0.75 * trials
    assert found > by_three


def test_a_plain_slowdown_is_found_about_as_often_as_by_three_questions() -> None:
    rng = np.random.default_rng(6)
    trials, found, by_three = 150, 0, 0
    for _ in range(trials):
        first, fresh = (Pairs.of((rng.normal(1.1, 0.1, 60), rng.normal(1, 0.1, 60))) for _ in range(2))
        found += p_value(learned_score(first, ALLOWED), fresh, ALLOWED) <= 0.05
        by_three += min(slower_p_values(fresh, ALLOWED, ALLOWED).values()) <= 0.05
    assert found >= by_three - 0.1 * trials


def test_who_scatters_more_is_not_slower() -> None:
    wide = pairs_from_ratios([-0.1, 0.1] * 15)
    for chosen in (wide, wide.swapped):
        score = learned_score(chosen, 0.02)
        assert min(p_value(score, wide, 0.02), p_value(score, wide.swapped, 0.02)) > 0.2


def test_questions_that_were_not_slower_count_for_nothing() -> None:
    # A quarter of the runs takes twice as long, and the others are as they were.
    first = Pairs((2.0, 1.0, 1.0, 1.0) * 5, (1.0,) * 20)
    score = learned_score(first, ALLOWED)
    assert [question for question, _ in score.weights] == ["mean", "distribution"]
    assert 1.0 <= score.above < 2.0
    assert list(p_values_of_questions(score, first, ALLOWED)) == ["mean", "distribution"]
    assert p_value(score, Pairs((), ()), ALLOWED) == 1.0
    nothing = learned_score(Pairs((1.0,) * 6, (1.0,) * 6), ALLOWED)
    assert nothing == LearnedScore(tuple((question, 1.0) for question in QUESTIONS), nothing.above, nothing.below)
