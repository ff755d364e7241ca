"""A simulation as a campaign: a point for each number of ranks, kept as it is computed, and the document."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.command.option import spelled
from rooftop.measure.case_state import CaseState
from rooftop.simulate.agreement import agreement
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.document import ChangeRow, NeedRow, PhaseRow, PlacementRow, PointRow, SimulateDocument
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.model import Predicted, predict
from rooftop.simulate.options import Options
from rooftop.simulate.placement import placed
from rooftop.simulate.platform import Platform
from rooftop.simulate.program import Phase
from rooftop.simulate.replay import Replayed, replay
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

    def replayed(self, predicted: Predicted, placement: str | None = None, *, factors: bool = False) -> ReplayedPoint:
        """Return the time of the program by replaying it, with the algorithms that a prediction has."""
        layout = self._placed(predicted.layout, placement)
        return replayed_point(layout, self._phases(layout), predicted, factors=factors)

    def traced(self, ranks: int, spans: int) -> Replayed:
        """Return the replay of a point, with what each rank does: so many spans of each."""
        predicted = self.predicted(ranks, self.platform, self.options.algorithms)
        layout = self._placed(predicted.layout)
        return replay(recording_of(layout, self._phases(layout)), layout, predicted.algorithms, spans=spans)

    def _phases(self, layout: Layout) -> list[Phase]:
        return self.program.phases(layout.ranks, self.options.threads, self.parameters)

    def _placed(self, layout: Layout, placement: str | None = None) -> Layout:
        return placed(layout, placement or self.options.placements[0], recording_of(layout, self._phases(layout)))

    def notes(self) -> list[str]:
        """Return how far model and replay were apart, and what a replay does otherwise than the program."""
        found = agreement(self.program.name)
        if self.options.replay:
            phases = self.program.phases(max(self.options.ranks), self.options.threads, self.parameters)
            found += notes(self.platform, phases)
        return found

    def point(self, ranks: int) -> PointRow:
        """Return a point of the curve, as if it were the first."""
        found = self.counted(ranks)
        if not self.options.replay:
            return found
        predicted = self.predicted(ranks, self.platform, self.options.algorithms)
        played = self.replayed(predicted, factors=True)
        own = {one.name: getattr(played, one.name) for one in fields(played)}
        return found.model_copy(update=own | {"model_s": found.seconds})

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

    def placements(self, ranks: int, base_s: float) -> Iterator[PlacementRow]:
        """Yield what each placement but the first gains over that."""
        for one in self.options.placements[1:]:
            seconds = self.replayed(self.predicted(ranks, self.platform, self.options.algorithms), one).seconds
            gain = base_s / seconds if seconds else 1.0
            yield PlacementRow(placement=one, ranks=ranks, seconds=seconds, gain=gain)

    def changed(self, ranks: int, base_s: float, but: Collection[str] = ()) -> Iterator[ChangeRow]:
        """Yield what each change gains alone, and all of them together; `but`: those that are known."""
        for text, some in alone_and_together(self.options.changes):
            if text in but:
                continue
            platform, algorithms = self.platform, dict(self.options.algorithms)
            for one in some:
                platform, algorithms = one.platform(platform), one.algorithms(algorithms)
            seconds = self.seconds(ranks, platform, algorithms)
            yield ChangeRow(change=text, ranks=ranks, seconds=seconds, gain=base_s / seconds if seconds else 1.0)

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
        self._changes: list[ChangeRow] = []
        self._placements: list[PlacementRow] = []

    @property
    def cases(self) -> Sequence[CaseState]:
        return ()

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"platform": self._options.described}

    def restore(self, session: CampaignSession) -> None:
        kept = session.beside or {}
        self._points = {one.ranks: one for one in map(PointRow.model_validate, kept.get("points", []))}
        self._changes = [ChangeRow.model_validate(one) for one in kept.get("changes", [])]
        self._placements = [PlacementRow.model_validate(one) for one in kept.get("placements", [])]

    def measure(self, session: CampaignSession) -> None:
        simulation = self._simulation
        for ranks in self._options.ranks:
            if ranks not in self._points:
                self._points[ranks] = simulation.point(ranks)
                self._keep(session)
        for ranks in self._options.ranks:
            base_s = self._points[ranks].seconds
            for change in simulation.changed(
                ranks, base_s, {one.change for one in self._changes if one.ranks == ranks}
            ):
                self._changes.append(change)
                self._keep(session)
            if not any(one.ranks == ranks for one in self._placements):
                self._placements += simulation.placements(ranks, base_s)
                self._keep(session)

    def _keep(self, session: CampaignSession) -> None:
        rows = {"points": self._points.values(), "changes": self._changes, "placements": self._placements}
        session.keep_beside({name: [one.model_dump(mode="json") for one in some] for name, some in rows.items()})

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
            placement=options.placements[0],
            points=points,
            changes=self._changes,
            placements=self._placements,
            target_s=target_s,
            needs=[row for one in points for row in simulation.needs(one.ranks, target_s)] if target_s else [],
            assumed=assumed,
            notes=simulation.notes(),
            reproduce=shlex.join(["rooftop", NAME, *options.words, *spelled(options)]),
        )


KIND = Kind(NAME, Options.from_stored, Options.prepared, _Simulating, page_writer("simulate"))
