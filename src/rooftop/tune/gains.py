"""Attribute the gain to parameters: each set alone in the default, and each reset in the best.

Between the default and the best only some parameters differ. Each is measured twice: the default with it alone changed,
and the best with it alone set back. Where the two agree the parameter acts by itself; where they do not, parameters act
on each other. Source: Fawcett and Hoos, Analysing differences between algorithm configurations through ablation (2016).
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

    alone  the default with it alone set as in the best, beside the default
    last   the best, beside the best with it set back
    """

    name: str
    default: Value
    best: Value
    alone: Comparison | None = None
    last: Comparison | None = None


@dataclass(frozen=True)
class Change:
    """A parameter that differs, with the configurations that tell what it brings."""

    name: str
    default: Value
    best: Value
    alone: Configuration | None
    last: Configuration | None


def changes(space: Space, default: Configuration, best: Configuration) -> list[Change]:
    """Return the parameters that differ; empty where there are fewer than two, which leaves nothing to tell apart."""
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
    """Return the configurations that they ask for beside the default and the best, each once."""
    asked = [one for change in found for one in (change.alone, change.last) if one is not None]
    return list({label(one): one for one in asked}.values())


def gains(
    found: Sequence[Change], arms: Sequence[Arm], default: str, best: str, floor: float | None, rules: Rules
) -> list[Gain]:
    """Return what was measured, from the arms of one case; `default` and `best` are the names of theirs."""
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
