"""Advise whether more pairs would help."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rooftop.measure.compare import LEVEL, Weighed, judged_mean
from rooftop.measure.correction import least_pairs, level_of
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules
from rooftop.measure.shape import scatter
from rooftop.text.plural import listed

MORE = "give a larger --budget or --max-pairs"


@dataclass(frozen=True)
class Family:
    """The comparisons that are corrected together, and what that makes of the p-value of one."""

    comparisons: int
    corrected_p: float


def _percent(log_ratio: float) -> str:
    return f"{math.expm1(abs(log_ratio)):.2%}"


def pairs_needed(count: int, half_width: float, wanted: float) -> int:
    """Return how many pairs an interval as wide as asked would take: it narrows with the root of their number."""
    return math.ceil(count * (half_width / wanted) ** 2)


def advice(pairs: Pairs, weighed: Weighed, floor: float | None, rules: Rules, family: Family) -> str:
    """Return whether more pairs would help. `floor`: None where it could not be measured."""
    effect = weighed.effect
    if effect.count < rules.min_pairs or not effect.proven:
        return f"a verdict needs at least {rules.min_pairs} pairs: {MORE}"
    if floor is None:
        return f"the A/A floor could not be measured, and without it nothing is claimed: {MORE}"
    if weighed.verdict(level_of(weighed.p, family.corrected_p)) != "not resolved":
        return "resolved: more pairs would only narrow the interval"
    alone = weighed.resolved(LEVEL)
    if len(set(alone.values())) > 1:
        told = listed([f"{word} in the {question}" for question, word in alone.items()])
        return f"it is {told}: inspect the runs, and judge by what matters to you"
    if alone and family.comparisons > 1:
        return (
            f"resolved by itself, but not among {family.comparisons} comparisons (Holm: p {family.corrected_p:.2g}), "
            f"for which at least {least_pairs(family.comparisons)} pairs are needed: {MORE}"
        )
    mean = judged_mean(pairs, rules)
    if mean is not None and mean.half_width > max(rules.half_width, effect.half_width):
        needed = pairs_needed(effect.count, mean.half_width, rules.half_width)
        return (
            f"{scatter(pairs)}, and the mean is known to ±{_percent(mean.half_width)} only: about {needed} pairs would "
            f"show a difference of {rules.half_width:.0%} in it: {MORE}"
        )
    if abs(effect.median) <= math.log1p(floor) and effect.half_width <= math.log1p(floor):
        return (
            f"the difference, {_percent(effect.median)}, is within the A/A floor of {floor:.2%}: more pairs would not "
            "help, a quieter machine or longer runs would"
        )
    if effect.half_width <= rules.half_width:
        ends = (effect.lo, effect.hi, *((mean.lo, mean.hi) if mean is not None else ()))
        return (
            f"if there is a difference it is under {_percent(max(map(abs, ends)))}: only a smaller one "
            "could be found by more pairs"
        )
    needed = pairs_needed(effect.count, effect.half_width, rules.half_width)
    return f"about {needed} pairs would show a difference of {rules.half_width:.0%}: {MORE}"
