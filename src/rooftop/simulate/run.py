"""A simulation as a campaign: a point for each number of ranks, kept as it is computed, and the document."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.command.option import spelled
from rooftop.measure.case_state import CaseState
from rooftop.simulate.document import ChangeRow, NeedRow, PhaseRow, PointRow, SimulateDocument
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import Predicted, predict
from rooftop.simulate.options import Options
from rooftop.simulate.platform import Platform
from rooftop.simulate.replayed_point import ReplayedPoint, notes, replayed_point
from rooftop.simulate.what_if import FIGURES, alone_and_together, needed

NAME = "simulate"


class Simulation:
    """The program of a request on its platform, or on one that was changed."""

    def __init__(self, options: Options) -> None:
        """Take what was asked. Raises Misuse and ValueError."""
        self.options, self.program, self.platform = options, options.program, options.simulated()
        self.parameters = self.program.given(dict(options.parameters))

    def predicted(self, ranks: int, platform: Platform, algorithms: Mapping[str, str]) -> Predicted:
        """Return the time of the program."""
        layout = laid_out(platform, ranks, self.options.threads, self.options.per_node)
        return predict(layout, self.program.phases(ranks, self.options.threads, self.parameters), algorithms)

    def seconds(self, ranks: int, platform: Platform, algorithms: Mapping[str, str]) -> float:
        """Return the time of the program, by the method that was asked for."""
        predicted = self.predicted(ranks, platform, algorithms)
        return self.replayed(predicted).seconds if self.options.replay else predicted.seconds

    def replayed(self, predicted: Predicted) -> ReplayedPoint:
        """Return the time of the program by replaying it, with the algorithms that a prediction has."""
        layout = predicted.layout
        phases = self.program.phases(layout.ranks, self.options.threads, self.parameters)
        return replayed_point(layout, phases, predicted)

    def notes(self) -> list[str]:
        """Return what a replay does otherwise than the program."""
        if not self.options.replay:
            return []
        return notes(self.platform, self.program.phases(max(self.options.ranks), self.options.threads, self.parameters))

    def point(self, ranks: int) -> PointRow:
        """Return a point of the curve, as if it were the first."""
        found = self.counted(ranks)
        if not self.options.replay:
            return found
        predicted = self.predicted(ranks, self.platform, self.options.algorithms)
        return found.model_copy(update=asdict(self.replayed(predicted)) | {"model_s": found.seconds})

    def counted(self, ranks: int) -> PointRow:
        """Return a point by the model."""
        found = self.predicted(ranks, self.platform, self.options.algorithms)
        phases = [
            PhaseRow(
                name=one.name,
                seconds=one.seconds,
                compute_s=one.compute_s,
                limit=one.limit,
                transfer_s=one.transfer_s,
                hidden_s=one.hidden_s,
                most_hidden_s=one.most_hidden_s,
                algorithms=dict(one.algorithms),
            )
            for one in found.phases
        ]
        return PointRow(
            ranks=ranks,
            threads=found.layout.threads,
            nodes=found.layout.nodes,
            ranks_per_node=found.layout.crowd,
            seconds=found.seconds,
            compute_s=found.compute_s,
            transfer_s=found.transfer_s,
            hidden_s=found.hidden_s,
            balance=found.balance,
            transfer_efficiency=found.transfer_efficiency,
            speedup=1.0,
            efficiency=1.0,
            phases=phases,
        )

    def changed(self, ranks: int, base_s: float) -> list[ChangeRow]:
        """Return what each change gains alone, and all of them together."""
        found = []
        for text, some in alone_and_together(self.options.changes):
            platform, algorithms = self.platform, dict(self.options.algorithms)
            for one in some:
                platform, algorithms = one.platform(platform), one.algorithms(algorithms)
            seconds = self.seconds(ranks, platform, algorithms)
            found.append(
                ChangeRow(change=text, ranks=ranks, seconds=seconds, gain=base_s / seconds if seconds else 1.0)
            )
        return found

    def needs(self, ranks: int, target_s: float) -> list[NeedRow]:
        """Return by which factor of each figure alone the target is reached."""
        found = []
        for name in FIGURES:
            one = needed(
                name,
                self.platform,
                target_s,
                lambda platform: self.predicted(ranks, platform, self.options.algorithms).seconds,
            )
            found.append(NeedRow(figure=name, ranks=ranks, factor=one.factor, most=one.most, least_s=one.least_s))
        return found


def _relative(points: Sequence[PointRow]) -> list[PointRow]:
    """Return the points with speed-ups over the first, and efficiencies by cores."""
    found = []
    for one in points:
        speedup = points[0].seconds / one.seconds if one.seconds else 1.0
        cores = one.ranks * one.threads / (points[0].ranks * points[0].threads)
        found.append(one.model_copy(update={"speedup": speedup, "efficiency": speedup / cores}))
    return found


class _Simulating(Course[SimulateDocument]):
    """The course of one campaign: points are kept beside the request, since nothing is sampled."""

    def __init__(self, _bench: Bench, options: Options, _new: bool) -> None:
        self._options = options
        self._simulation = Simulation(options)
        self._points: dict[int, PointRow] = {}

    @property
    def cases(self) -> Sequence[CaseState]:
        return ()

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"platform": self._options.described}

    def restore(self, session: CampaignSession) -> None:
        kept = (session.beside or {}).get("points", [])
        self._points = {one.ranks: one for one in map(PointRow.model_validate, kept)}

    def measure(self, session: CampaignSession) -> None:
        for ranks in self._options.ranks:
            if ranks not in self._points:
                self._points[ranks] = self._simulation.point(ranks)
                session.keep_beside({"points": [one.model_dump(mode="json") for one in self._points.values()]})

    def document(self, session: CampaignSession, *, interrupted: bool) -> SimulateDocument:
        options, simulation = self._options, self._simulation
        points = _relative([self._points[ranks] for ranks in options.ranks if ranks in self._points])
        platform = simulation.platform
        assumed = [name for name, _ in platform.figures() if (of := platform.source(name)) and of.how == "assumed"]
        target_s = options.target_s
        return SimulateDocument(
            **session.head(),
            program=simulation.program.name,
            title=simulation.program.title,
            parameters=simulation.parameters,
            platform=options.platform or "",
            platform_title=platform.title,
            method="replay" if options.replay else "model",
            points=points,
            changes=[row for one in points for row in simulation.changed(one.ranks, one.seconds)],
            target_s=target_s,
            needs=[row for one in points for row in simulation.needs(one.ranks, target_s)] if target_s else [],
            assumed=assumed,
            notes=simulation.notes(),
            reproduce=shlex.join(["rooftop", NAME, *options.words, *spelled(options)]),
        )


KIND = Kind(NAME, Options.from_stored, Options.prepared, _Simulating, page_writer("simulate"))
