"""One verdict over several allocations: what they share, what differs between them, and how sure that is."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

pytest.importorskip("statsmodels", reason="statsmodels is not installed")

from rooftop.measure.allocations import combined, weigh_over
from rooftop.measure.compare import LEVEL
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules

RULES = Rules()
FLOOR = 0.005

ratios = st.floats(-0.2, 0.2)


def pairs(ratio: float, node: float = 1.0, seed: int = 0, count: int = 40, noise: float = 0.02) -> Pairs:
    rng = np.random.default_rng(seed)
    against = node * np.exp(noise * rng.standard_normal(count))
    subject = node * ratio * np.exp(noise * rng.standard_normal(count))
    return Pairs.of((subject.tolist(), against.tolist()))


def verdict(each: list[Pairs], floor: float = FLOOR) -> str:
    found = weigh_over(each, floor, RULES)
    assert found is not None
    return found.weighed.verdict(LEVEL)


def test_allocations_that_differ_far_more_than_their_errors_are_as_sure_as_their_scatter() -> None:
    values = [0.01, 0.05, 0.02, 0.08]
    found = combined(values, [1e-4] * 4)
    half = float(student.ppf(0.975, 3)) * stdev(values) / 2
    assert found.value == pytest.approx(fmean(values))
    assert (found.lo, found.hi) == pytest.approx((fmean(values) - half, fmean(values) + half), rel=1e-3)
    assert found.between == pytest.approx(stdev(values), rel=1e-3)


def test_allocations_that_agree_by_chance_are_no_surer_than_their_own_errors() -> None:
    found = combined([0.0300, 0.0301, 0.0300, 0.0301], [0.01] * 4)
    assert found.between == 0
    assert (found.hi - found.lo) / 2 == pytest.approx(float(student.ppf(0.975, 3)) * 0.01 / 2)


@given(st.lists(st.tuples(ratios, st.floats(1e-4, 0.1)), min_size=2, max_size=8))
def test_an_interval_and_a_p_value_say_the_same(each: list[tuple[float, float]]) -> None:
    found = combined(*zip(*each, strict=True))
    assert found.lo <= found.value <= found.hi
    assert found.slower_p + found.faster_p == pytest.approx(1)
    least = min(found.slower_p, found.faster_p)
    if abs(least - LEVEL / 2) > 1e-6:
        assert (least < LEVEL / 2) == (found.lo > 0 or found.hi < 0)


@given(st.lists(st.tuples(ratios, st.floats(1e-4, 0.1)), min_size=2, max_size=8))
def test_sides_exchanged_say_the_contrary(each: list[tuple[float, float]]) -> None:
    values, errors = zip(*each, strict=True)
    found, turned = combined(values, errors), combined([-one for one in values], errors)
    assert (turned.lo, turned.value, turned.hi) == pytest.approx((-found.hi, -found.value, -found.lo), abs=1e-9)
    assert turned.slower_p == pytest.approx(found.faster_p, abs=1e-9)


def test_the_speed_of_a_node_does_not_matter() -> None:
    alike, apart = ([pairs(1.03, node, seed) for seed, node in enumerate(nodes)] for nodes in ((1, 1, 1), (1, 1.3, 9)))
    one, other = weigh_over(alike, FLOOR, RULES), weigh_over(apart, FLOOR, RULES)
    assert one is not None
    assert other is not None
    assert one.weighed.effect.lo == pytest.approx(other.weighed.effect.lo)
    assert one.between == pytest.approx(other.between)


def test_a_difference_that_all_allocations_have_is_resolved() -> None:
    assert verdict([pairs(1.03, seed=seed) for seed in range(4)]) == "slower"
    assert verdict([pairs(0.97, seed=seed) for seed in range(4)]) == "faster"


def test_a_difference_within_the_floor_is_not_claimed() -> None:
    assert verdict([pairs(1.03, seed=seed) for seed in range(4)], floor=0.05) == "not resolved"


def test_a_difference_that_one_node_alone_has_is_not_resolved() -> None:
    each = [pairs(ratio, seed=seed, count=200, noise=0.01) for seed, ratio in enumerate((1.0, 1.0, 1.0, 1.2))]
    assert verdict(each) == "not resolved"
    together = Pairs.of(([c for one in each for c in one.subject], [c for one in each for c in one.against]))
    assert math.log(fmean(together.subject) / fmean(together.against)) > 0.03


def test_rare_slow_runs_show_in_the_mean() -> None:
    def rarely_slow(seed: int) -> Pairs:
        one = pairs(1.0, seed=seed, count=60, noise=0.003)
        return Pairs(tuple(c * (2 if place % 5 == 0 else 1) for place, c in enumerate(one.subject)), one.against)

    found = weigh_over([rarely_slow(seed) for seed in range(4)], FLOOR, RULES)
    assert found is not None
    assert found.weighed.resolved(LEVEL) == {"mean": "slower"}


def test_equal_costs_have_the_error_of_the_clock() -> None:
    same = Pairs((1.0,) * 10, (1.0,) * 10)
    found = weigh_over([same, same], FLOOR, RULES)
    assert found is not None
    assert found.weighed.effect.hi > 0
    assert verdict([same, same]) == "not resolved"


def test_fewer_than_two_allocations_with_enough_pairs_say_nothing() -> None:
    assert weigh_over([pairs(1.5)], FLOOR, RULES) is None
    assert weigh_over([pairs(1.5), pairs(1.5, count=5)], FLOOR, RULES) is None
