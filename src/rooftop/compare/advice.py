"""Whether more pairs would help, and why."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rooftop.measure.compare import spread, verdict
from rooftop.measure.rules import Rules

_MORE = "give a larger --budget or --max-pairs"


def _percent(log_ratio: float) -> str:
    return f"{math.expm1(abs(log_ratio)):.2%}"


def advice(ratios: Sequence[float], floor: float | None, rules: Rules) -> str:
    """Return whether more pairs would help, from the log-ratios. An interval narrows with the root of the pairs."""
    effect = spread(ratios)
    if effect is None or effect.count < rules.min_pairs or not effect.proven:
        return f"a verdict needs at least {rules.min_pairs} pairs: {_MORE}"
    if floor is None:
        return f"the A/A floor could not be measured, and without it nothing is claimed: {_MORE}"
    if verdict(effect, floor, rules) != "not resolved":
        return "resolved: more pairs would only narrow the interval"
    if abs(effect.median) <= math.log1p(floor) and effect.half_width <= math.log1p(floor):
        return (
            f"the difference, {_percent(effect.median)}, is within the A/A floor of {floor:.2%}: more pairs would not "
            "help, a quieter machine or longer runs would"
        )
    if effect.half_width <= rules.half_width:
        return (
            f"if there is a difference it is under {_percent(max(abs(effect.lo), abs(effect.hi)))}: only a smaller one "
            "could be found by more pairs"
        )
    needed = math.ceil(effect.count * (effect.half_width / rules.half_width) ** 2)
    return f"about {needed} pairs would show a difference of {rules.half_width:.0%}: {_MORE}"
