"""The figures that two arms are compared by: the one that the metric names, or each of many.

Every function that compares two arms gives log-ratios, above 0 where the subject is the better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from rooftop.measure.arms import Arm, paired_costs
from rooftop.measure.compare import log_ratios
from rooftop.measure.metric import TIME


def names_in_all(arm: Arm) -> list[str]:
    """Return the figures of a metric of many that every sample of an arm has, in the order of the first one."""
    if not arm.samples:
        return []
    others = [frozenset(arm.metric.names(sample.figures or {})) for sample in arm.samples[1:]]
    first = arm.metric.names(arm.samples[0].figures or {})
    return [name for name in first if all(name in names for names in others)]


def common_names(arms: Sequence[Arm]) -> list[str]:
    """Return the figures of a metric of many that every sample of all these arms has."""
    found = [names_in_all(arm) for arm in arms]
    return [name for name in found[0] if all(name in names for names in found)] if found else []


def judged_by(arm: Arm, name: str) -> Arm:
    """Return the same samples with one figure of a metric of many as the metric. All samples must have it."""
    return replace(arm, metric=replace(arm.metric, figure=name, each=False))


def with_only(arm: Arm, names: Sequence[str]) -> Arm:
    """Return the same samples with no other figures than these, which all of them must have."""
    return replace(
        arm,
        samples=[replace(one, figures={name: (one.figures or {})[name] for name in names}) for one in arm.samples],
    )


def pair_count(subject: Arm, against: Arm) -> int:
    """Return the number of blocks that have both."""
    return len(paired_costs(replace(subject, metric=TIME), replace(against, metric=TIME))[0])


def ratios_of_each(subject: Arm, against: Arm) -> list[list[float]]:
    """Return the log-ratios pair by pair, once for every figure that is compared."""
    if not subject.metric.each:
        return [log_ratios(*paired_costs(subject, against))]
    return [
        log_ratios(*paired_costs(judged_by(subject, name), judged_by(against, name)))
        for name in common_names([subject, against])
    ]


def ratios(subject: Arm, against: Arm) -> list[float]:
    """Return the log-ratios pair by pair; of many figures their mean, since bare ratios average geometrically."""
    return [fmean(pair) for pair in zip(*ratios_of_each(subject, against), strict=True)]
