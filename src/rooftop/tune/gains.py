"""Attribute the gain to parameters.

Each parameter in which the default and the best differ is measured twice: the default with only this one changed, and
the best with only this one reset. If both effects agree, the parameter acts independently; if not, parameters interact.
Source: Fawcett and Hoos, Analysing differences between algorithm configurations through ablation (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.documents import Comparison
from rooftop.files.document import Document
from rooftop.measure.arms import Arm
from rooftop.measure.compare import comparison
from rooftop.measure.figures import pairs_of
from rooftop.measure.rules import Rules
from rooftop.parameters.space import Configuration, Space, label
from rooftop.parameters.values import Value


class Gain(Document):
    """Effect of one parameter, as a speed ratio. None: not measured, or excluded by a condition.

    alone  the default with only this parameter set as in the best, relative to the default
    last   the best, relative to the best with this parameter reset
    """

    name: str
    default: Value
    best: Value
    alone: Comparison | None = None
    last: Comparison | None = None


@dataclass(frozen=True)
class Change:
    """A parameter that differs, with the configurations that show its effect (see Gain)."""

    name: str
    default: Value
    best: Value
    alone: Configuration | None
    last: Configuration | None


def changes(space: Space, default: Configuration, best: Configuration) -> list[Change]:
    """Return the parameters that differ; empty if there is only one, whose effect is the whole gain."""
    allowed = {label(one): one for one in space.configurations}
    differing = [name for name in default if default[name] != best[name]]
    if len(differing) < 2:
        return []
    return [
        Change(
            name,
            default[name],
            best[name],
            allowed.get(label({**default, name: best[name]})),
            allowed.get(label({**best, name: default[name]})),
        )
        for name in differing
    ]


def to_measure(found: Sequence[Change]) -> list[Configuration]:
    """Return the configurations to measure in addition to the default and the best, without duplicates."""
    asked = [one for change in found for one in (change.alone, change.last) if one is not None]
    return list({label(one): one for one in asked}.values())


def gains(
    found: Sequence[Change], arms: Sequence[Arm], default: str, best: str, floor: float | None, rules: Rules
) -> list[Gain]:
    """Return the effects measured by the arms of a case; `default` and `best` are names of arms."""
    by_name = {arm.name: arm for arm in arms if arm.role == "command" and arm.outcome == "ok"}

    def between(subject: str | None, against: str | None) -> Comparison | None:
        if subject not in by_name or against not in by_name:
            return None
        pairs = pairs_of(by_name[subject], by_name[against])
        return comparison(against, pairs, floor if floor is not None else 1.0, rules)

    return [
        Gain(
            name=one.name,
            default=one.default,
            best=one.best,
            alone=between(label(one.alone) if one.alone is not None else None, default),
            last=between(best, label(one.last) if one.last is not None else None),
        )
        for one in found
    ]
