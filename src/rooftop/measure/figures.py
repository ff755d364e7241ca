"""The figures that two arms are compared by: the one that the metric names, or each of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import geometric_mean

from rooftop.measure.arms import Arm, pair_iterations, paired_costs
from rooftop.measure.pairs import Pairs


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
    iterations = pair_iterations(subject, against)
    return len(subject.costs(iterations).keys() & against.costs(iterations).keys())


def pairs_of(subject: Arm, against: Arm) -> Pairs:
    """Return the costs of both, pair by pair, from the blocks that have both."""
    return Pairs.of(paired_costs(subject, against))


def pairs_of_each(subject: Arm, against: Arm) -> list[Pairs]:
    """Return the costs of both, pair by pair, once for every figure that is compared."""
    if not subject.metric.each:
        return [pairs_of(subject, against)]
    return [pairs_of(judged_by(subject, name), judged_by(against, name)) for name in common_names([subject, against])]


def compared(subject: Arm, against: Arm) -> Pairs:
    """Return the costs of both, pair by pair; of many figures their geometric mean."""
    each = pairs_of_each(subject, against)
    if len(each) == 1:
        return each[0]
    sides = ([one.subject for one in each], [one.against for one in each])
    ours, theirs = ([geometric_mean(costs) for costs in zip(*side, strict=True)] for side in sides)
    return Pairs.of((ours, theirs))


def series_of(arms: Iterable[Arm]) -> dict[str, list[float]]:
    """Return the values of every arm but twins, in the order taken, by name; of several arms of a name the longest.

    Left out are arms of many figures, some of which are lacking in some samples.
    """
    found: dict[str, list[float]] = {}
    for arm in arms:
        if arm.role == "twin" or arm.outcome != "ok":
            continue
        taken = [one for one in arm.samples if one.iterations == arm.iterations]
        if arm.metric.each and any(arm.metric.names(one.figures or {}) != names_in_all(arm) for one in taken):
            continue
        values = [arm.value(one) for one in taken]
        if len(values) > len(found.get(arm.name, ())):
            found[arm.name] = values
    return found
