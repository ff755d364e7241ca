"""The gate's judgement on synthetic samples: false alarms of whole families, power, corrections, outcomes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ratio_pairs import pairs_from_ratios

from rooftop.gate.judge import (
    Look,
    confirming_pairs,
    corrected,
    fewest_pairs,
    improvement_p_values,
    judge,
    p_faster,
    p_slower,
    regression_p_values,
    suspected,
)
from rooftop.measure.compare import LEVEL
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules

RULES = Rules()
BENCHMARKS = 10
PAIRS = 60
MOST = 200


def draw(rng: np.random.Generator, slowdown: float, count: int = PAIRS, noise: float = 0.02) -> Pairs:
    """Draw pairs with noise on both sides, and a disturbance on one side of every tenth."""
    disturbed = 0.3 * (rng.random(count) < 0.1) * rng.choice([-1, 1], count)
    base, head = (rng.normal(0, noise, count) + np.maximum(side * disturbed, 0) for side in (-1, 1))
    return Pairs.of((np.exp(head + math.log1p(slowdown)).tolist(), np.exp(base).tolist()))


def look(ratios: list[float], floor: float | None) -> Look:
    return Look(pairs_from_ratios(ratios), floor)


def family(seed: int, slowdowns: list[float], pairs: int = PAIRS) -> list[str]:
    """Judge one gate: benchmarks that are slower by so much, seen once, and again where suspected."""
    rng = np.random.default_rng(seed)
    names = [str(place) for place in range(len(slowdowns))]
    thresholds = dict.fromkeys(names, 0.02)
    first = {name: Look(draw(rng, slow, pairs), 0.005) for name, slow in zip(names, slowdowns, strict=True)}
    again = confirming_pairs(pairs, len(names), 200, RULES)
    second = {
        name: Look(draw(rng, slow, again), 0.005)
        for name, slow in zip(names, slowdowns, strict=True)
        if suspected(first[name], 0.02)
    }
    worse = regression_p_values(first, second, thresholds, "holm")
    better = improvement_p_values(first, thresholds, "holm")
    return [judge(first[name], second.get(name), 0.02, worse[name], better[name], RULES).outcome for name in names]


def test_equal_families_raise_no_false_alarm() -> None:
    # As many pairs as a gate goes on to, while the mean is not known to half of its threshold.
    outcomes = [family(seed, [0.0] * BENCHMARKS, MOST) for seed in range(100)]
    assert sum("regression" in one for one in outcomes) == 0
    assert sum("faster" in one for one in outcomes) == 0
    assert np.mean([one.count("fine") for one in outcomes]) > 0.85 * BENCHMARKS


def test_families_at_the_very_threshold_keep_their_level() -> None:
    # The hardest case for the level: every benchmark is slower by just what is allowed.
    alarms = sum("regression" in family(seed, [0.02] * BENCHMARKS) for seed in range(150))
    assert alarms <= LEVEL * 150


def test_the_second_look_alone_keeps_the_level_whatever_the_first_one_chose() -> None:
    # Planted: everything is suspected. The correction must hold without any help of the first look.
    rng = np.random.default_rng(3)
    names = [str(place) for place in range(BENCHMARKS)]
    thresholds = dict.fromkeys(names, 0.02)
    suspects = {name: look([-0.5] * PAIRS, 0.005) for name in names}
    alarms = 0
    for _ in range(150):
        second = {name: Look(draw(rng, 0.02), 0.005) for name in names}
        alarms += min(regression_p_values(suspects, second, thresholds, "holm").values()) <= LEVEL
    assert alarms <= LEVEL * 150 + 2 * math.sqrt(150 * LEVEL * (1 - LEVEL))


def test_a_slowdown_of_five_percent_is_found() -> None:
    outcomes = [family(seed, [0.05] + [0.0] * (BENCHMARKS - 1)) for seed in range(60)]
    assert np.mean([one[0] == "regression" for one in outcomes]) >= 0.8
    assert all("regression" not in one[1:] for one in outcomes)


def test_false_discoveries_keep_their_rate() -> None:
    slowdowns = [0.1] * 3 + [0.02] * 7
    rng = np.random.default_rng(4)
    names = [str(place) for place in range(10)]
    thresholds = dict.fromkeys(names, 0.02)
    suspects = {name: look([-0.5] * PAIRS, 0.005) for name in names}
    rates = []
    for _ in range(100):
        second = {name: Look(draw(rng, slow), 0.005) for name, slow in zip(names, slowdowns, strict=True)}
        found = [place for place, p in enumerate(regression_p_values(suspects, second, thresholds, "bh").values())
                 if p <= LEVEL]  # fmt: skip
        rates.append(sum(place >= 3 for place in found) / max(len(found), 1))
    assert np.mean(rates) <= LEVEL


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (None, None, "not resolved"),
        (look([], None), None, "not resolved"),
        (look([0.0, 0.001] * 15, 0.005), None, "fine"),
        (look([0.0, 0.001] * 10, 0.005), None, "not resolved"),  # too few pairs to see a slow run in five
        (look([0.0, 0.001] * 29 + [0.0, -0.7], 0.005), None, "not resolved"),  # one was seen: there may be more
        (look([0.0, 0.001] * 2, 0.005), None, "not resolved"),  # too few pairs
        (look([0.0, 0.001] * 10, 0.05), None, "not resolved"),  # the floor hides what the threshold asks for
        (look([0.0, 0.001] * 10, None), None, "not resolved"),
        (look([-0.06, 0.05] * 10, 0.005), None, "not resolved"),
        (look([0.1, 0.11] * 10, 0.005), None, "faster"),
        (look([0.1, 0.11] * 10, 0.2), None, "not resolved"),  # within the floor
        (look([-0.1, -0.11] * 10, 0.005), None, "not resolved"),  # not looked at again
        (look([-0.1, -0.11] * 10, 0.2), None, "not resolved"),
        (look([-0.1, -0.11] * 10, 0.005), look([-0.1, -0.11] * 10, 0.005), "regression"),
        (look([-0.1, -0.11] * 10, 0.005), look([-0.1, -0.11] * 10, 0.2), "not resolved"),  # within the fresh floor
        (look([-0.1, -0.11] * 10, 0.005), look([0.0, 0.001] * 15, 0.005), "fine"),
        (look([-0.1, -0.11] * 10, 0.005), look([0.0, 0.001] * 10, 0.005), "not resolved"),
        (look([-0.1, -0.11] * 10, 0.005), look([-0.1, 0.09] * 10, 0.005), "not resolved"),
    ],
)
def test_outcomes(first: Look | None, second: Look | None, outcome: str) -> None:
    looks = {"a": first} if first is not None else {}
    again = {"a": second} if second is not None else {}
    worse = regression_p_values(looks, again, {"a": 0.02}, "holm")
    better = improvement_p_values(looks, {"a": 0.02}, "holm")
    assert judge(first, second, 0.02, worse["a"], better["a"], RULES).outcome == outcome


def test_fresh_pairs_alone_decide() -> None:
    # A first look so clear that all pairs together would still be significant.
    first, second = look([-0.1] * 100, 0.005), look([-0.1] * 10 + [0.1] * 10, 0.005)
    worse = regression_p_values({"a": first}, {"a": second}, {"a": 0.02}, "holm")
    assert worse["a"] > LEVEL
    assert p_slower(look([*first.pairs.log_ratios, *second.pairs.log_ratios], 0.005), 0.02) < LEVEL


def test_corrections() -> None:
    assert corrected([0.01, 0.04, 0.03], "holm") == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([0.01, 0.04, 0.03], "bh") == pytest.approx([0.03, 0.04, 0.04])
    assert corrected([], "holm") == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_correction_only_raises_and_keeps_the_order(values: list[float]) -> None:
    holm, bh = corrected(values, "holm"), corrected(values, "bh")
    bonferroni = [min(1.0, value * len(values)) for value in values]
    for raw, h, b, most in zip(values, holm, bh, bonferroni, strict=True):
        assert raw <= b + 1e-12
        assert b <= h + 1e-12
        assert h <= most + 1e-12
    order = np.argsort(values, kind="stable")
    assert list(np.asarray(holm)[order]) == sorted(holm)


@given(st.lists(st.floats(-0.2, 0.2), min_size=1, max_size=60), st.floats(0, 0.1), st.floats(0, 0.1))
def test_slower_and_faster_mirror_each_other(ratios: list[float], threshold: float, floor: float) -> None:
    mirrored = Look(pairs_from_ratios(ratios).swapped, floor)
    assert p_slower(look(ratios, floor), threshold) == p_faster(mirrored, threshold)
    assert 0 < p_slower(look(ratios, floor), threshold) <= 1


def test_a_unanimous_family_can_be_proven() -> None:
    for count in (1, 2, 10, 100):
        assert 0.5 ** fewest_pairs(count, RULES) * count <= LEVEL


def outcome_of(rng: np.random.Generator, slow: tuple[float, float], factor: float, pairs: int) -> str:
    """Judge one benchmark some of whose runs take `factor` times as long: such shares of the base's and head's."""

    def drawn() -> Look:
        base, head = (
            np.where(rng.random(pairs) < share, factor, 1.0) * np.exp(0.003 * rng.standard_normal(pairs))
            for share in slow
        )
        return Look(Pairs.of((head.tolist(), base.tolist())), 0.003)

    first = drawn()
    second = {"a": drawn()} if suspected(first, 0.05) else {}
    worse = regression_p_values({"a": first}, second, {"a": 0.05}, "holm")
    better = improvement_p_values({"a": first}, {"a": 0.05}, "holm")
    return judge(first, second.get("a"), 0.05, worse["a"], better["a"], RULES).outcome


@pytest.mark.case("commands.G3.rare")
@pytest.mark.parametrize(
    ("slow", "factor", "pairs"),
    [
        ((0.0, 0.2), 2.0, 20),
        ((0.0, 0.2), 2.0, 60),
        ((0.0, 0.2), 1.5, 60),
        ((0.0, 0.1), 2.0, 60),
        ((0.02, 0.12), 2.0, 100),
        ((0.0, 0.05), 4.0, 200),
    ],
)
def test_a_few_slow_runs_are_not_called_fine(slow: tuple[float, float], factor: float, pairs: int) -> None:
    rng = np.random.default_rng(8)
    outcomes = [outcome_of(rng, slow, factor, pairs) for _ in range(400)]
    assert outcomes.count("fine") + outcomes.count("faster") <= 1


@pytest.mark.parametrize(
    ("share", "factor", "pairs", "least"),
    [(0.0, 1.0, 30, 0.99), (0.03, 1.5, 60, 0.6), (0.03, 1.5, 120, 0.95), (0.05, 2.0, MOST, 0.8)],
)
def test_what_is_alike_is_called_fine(share: float, factor: float, pairs: int, least: float) -> None:
    rng = np.random.default_rng(9)
    outcomes = [outcome_of(rng, (share, share), factor, pairs) for _ in range(100)]
    assert outcomes.count("fine") >= least * 100
    assert outcomes.count("regression") == 0
