"""Reasons to distrust the figures of commands, beside those about the machine. One file is one doubt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rooftop.documents import Doubt
from rooftop.findings import found
from rooftop.measure.arms import Arm, Sample

Samples = Mapping[str, Sequence[Sample]]


def about_commands(arms: Iterable[Arm]) -> list[Doubt]:
    """Return every doubt that the samples support. Of one command there may be several arms, one in each case."""
    samples: dict[str, list[Sample]] = {}
    for arm in [arm for arm in arms if arm.role != "twin"]:
        samples.setdefault(arm.name, []).extend(arm.samples)
    return found(__name__, samples)
