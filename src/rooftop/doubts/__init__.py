"""Reasons to distrust a measurement, each with its evidence and its remedy.

A file here binds ORDER and ``find``, which yields the doubts that evidence supports. Of measurements of commands the
evidence has no experiments: what is about rungs finds nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rooftop.documents import ClimbDocument, Doubt, ExperimentResult, Machine, Roof, RungResult
from rooftop.measure.rules import Rules
from rooftop.plugins import found


@dataclass(frozen=True)
class Evidence:
    """What doubts are raised from.

    conditions  at the start and the end of every session, in the order of time
    measured    all roofs measured within the campaign, in the order of time
    floor       the campaign's A/A floor, infinite when it could not be measured
    series      of commands: the values that were compared, in the order taken, by name
    """

    document: ClimbDocument
    conditions: Sequence[dict[str, Any]] = ()
    measured: Sequence[Roof] = ()
    floor: float = 0.0
    rules: Rules = field(default_factory=Rules)
    series: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def each_series(self) -> Iterator[tuple[str, Sequence[float]]]:
        """Yield the values of everything that was sampled, in the order taken, with its full name."""
        yield from self.series.items()
        for name, _, rung in self.timed():
            yield name, rung.samples_s

    def timed(self) -> Iterator[tuple[str, ExperimentResult, RungResult]]:
        """Yield every rung that has a time, with its full name."""
        for experiment in self.document.experiments:
            for case in experiment.cases:
                for rung in case.rungs:
                    if rung.median_s is not None:
                        yield f"{experiment.name}/{case.case}/{rung.name}", experiment, rung


def raise_doubts(evidence: Evidence) -> list[Doubt]:
    """Return every doubt that the evidence supports."""
    return found(__name__, evidence)


def about_the_machine(
    machine: Machine,
    conditions: list[dict[str, Any]],
    floor: float | None,
    series: Mapping[str, Sequence[float]] | None = None,
) -> list[Doubt]:
    """Return the doubts of a measurement of commands."""
    evidence = Evidence(
        # Not validated: that would first build what reads every kind of document.
        ClimbDocument.model_construct(rooftop="", campaign="", started="", machine=machine, experiments=[]),
        conditions,
        floor=floor if floor is not None else float("inf"),
        series=series or {},
    )
    return found(__name__, evidence)
