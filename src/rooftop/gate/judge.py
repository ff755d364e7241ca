"""Whether a slowdown is real: sign tests against a threshold, corrected for many benchmarks, confirmed by fresh pairs.

The first look at a benchmark only chooses what is looked at again. Pairs of the second look have chosen nothing, so
that its p-value is one whatever the first look did, and the correction over all benchmarks holds as it would without
a first look: docs/decisions/0007-a-gate-confirms-before-it-fails.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rooftop.interrupts import uninterrupted
from rooftop.measure.compare import Spread, spread
from rooftop.measure.correction import LEVEL, holm
from rooftop.measure.rules import Rules

Correction = Literal["holm", "bh"]
Outcome = Literal["fine", "faster", "regression", "not resolved", "wrong", "failed"]


@dataclass(frozen=True)
class Look:
    """The pairs of one look at a benchmark.

    ratios  log(speed at head / speed at base), pair by pair
    floor   A/A, as a relative difference; None: not known, and then nothing can be claimed
    """

    ratios: Sequence[float]
    floor: float | None

    @property
    def effect(self) -> Spread | None:
        """The median of the log-ratios with its interval; None without a pair."""
        return spread(self.ratios)


def _sign_test(beyond: int, count: int) -> float:
    """Return the chance of so many pairs or more on one side, were the median just there. One-sided."""
    with uninterrupted():
        from scipy import special

    return float(special.bdtrc(beyond - 1.0, count, 0.5)) if beyond else 1.0


def bar(threshold: float, floor: float | None) -> float:
    """Return the log-ratio that an effect must exceed: the threshold's, or the floor's where that is higher."""
    return math.inf if floor is None else math.log1p(max(threshold, floor))


def p_slower(look: Look, threshold: float) -> float:
    """Return the p-value of the head being slower by more than the threshold and the floor. A tie speaks against it."""
    limit = bar(threshold, look.floor)
    return _sign_test(sum(-ratio > limit for ratio in look.ratios), len(look.ratios))


def p_faster(look: Look, threshold: float) -> float:
    """Return the p-value of the head being faster by more than the threshold and the floor."""
    limit = bar(threshold, look.floor)
    return _sign_test(sum(ratio > limit for ratio in look.ratios), len(look.ratios))


def corrected(p_values: Sequence[float], correction: Correction) -> list[float]:
    """Return the p-values corrected for their number, in their order.

    holm  the family-wise error rate, however the tests depend on each other: see measure/correction.py
    bh    the false discovery rate: Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300
    """
    if not p_values:
        return []
    if correction == "bh":
        with uninterrupted():
            from scipy import stats

        return [float(p) for p in stats.false_discovery_control(np.asarray(p_values, dtype=float))]
    return holm(p_values)


def fewest_pairs(benchmarks: int, rules: Rules) -> int:
    """Return the pairs that can prove anything at the strictest step of the correction, were they unanimous."""
    return max(rules.min_pairs, math.ceil(math.log2(benchmarks / LEVEL)))


def confirming_pairs(first: int, benchmarks: int, most: int, rules: Rules) -> int:
    """Return how many pairs the second look takes: fixed before the first of them, so that its sign test is exact.

    As many as the first look needed for a narrow interval, and enough that one pair in five may dissent.
    """
    return min(max(first, 2 * fewest_pairs(benchmarks, rules)), most)


def suspected(look: Look, threshold: float) -> bool:
    """Whether a first look is worth a second one. Uncorrected: it costs time to be wrong here, and no false alarm."""
    return p_slower(look, threshold) <= LEVEL


def regression_p_values(
    first: Mapping[str, Look], second: Mapping[str, Look], thresholds: Mapping[str, float], correction: Correction
) -> dict[str, float]:
    """Return every benchmark's corrected p-value of a regression, from the second looks alone.

    The family is all benchmarks of the gate; p is 1 where there was nothing to look at again.
    """
    names = list(thresholds)
    raw = [
        p_slower(second[name], thresholds[name])
        if name in second and name in first and suspected(first[name], thresholds[name])
        else 1.0
        for name in names
    ]
    return dict(zip(names, corrected(raw, correction), strict=True))


def improvement_p_values(
    first: Mapping[str, Look], thresholds: Mapping[str, float], correction: Correction
) -> dict[str, float]:
    """Return every benchmark's corrected p-value of an improvement, from the first looks."""
    names = list(thresholds)
    raw = [p_faster(first[name], thresholds[name]) if name in first else 1.0 for name in names]
    return dict(zip(names, corrected(raw, correction), strict=True))


def shown_fine(look: Look, threshold: float, rules: Rules) -> bool:
    """Whether a look shows that the head is not slower by the threshold: the whole interval says so, and the floor."""
    effect = look.effect
    if effect is None or not effect.proven or effect.count < rules.min_pairs or look.floor is None:
        return False
    return effect.lo > -math.log1p(threshold) and look.floor <= threshold


def judge(
    first: Look | None,
    second: Look | None,
    threshold: float,
    p_regression: float,
    p_improvement: float,
    rules: Rules,
) -> Outcome:
    """Return the outcome of a benchmark whose answers are right.

    p_regression, p_improvement  corrected over all benchmarks
    """
    if first is None or not first.ratios:
        return "not resolved"
    if suspected(first, threshold):
        if second is None or not second.ratios:
            return "not resolved"
        if p_regression <= LEVEL:
            return "regression"
        return "fine" if shown_fine(second, threshold, rules) else "not resolved"
    if p_improvement <= LEVEL:
        return "faster"
    return "fine" if shown_fine(first, threshold, rules) else "not resolved"
