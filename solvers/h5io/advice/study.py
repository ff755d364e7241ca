"""Predictions for a dataset and an access pattern, and the choice of layouts to measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rooftop.solvers.h5io.advice.cost import Rates, Team, predicted_s
from rooftop.solvers.h5io.advice.layouts import Layout, candidates
from rooftop.solvers.h5io.advice.rates_used import filter_rates, rates_of
from rooftop.solvers.h5io.advice.request import TRIALS, Request
from rooftop.solvers.h5io.advice.survey import Survey


@dataclass(frozen=True)
class Study:
    """One dataset, read with one access pattern.

    now_s  median seconds of a pass of the first team over the unchanged file
    """

    request: Request
    survey: Survey
    now_s: float

    @property
    def team(self) -> Team:
        """The first team, whose reads of the unchanged file are the baseline."""
        return self.request.teams[0]

    @cached_property
    def rates(self) -> Rates:
        """Rates of this machine and file system."""
        return rates_of(self.survey.rates, self.survey.cores)

    @cached_property
    def own_rates(self) -> Rates | None:
        """Rates including those of the dataset's filters; None if these are not known."""
        if self.survey.own is None:
            return None
        filters = {**self.rates.filters, self.request.known.filters: filter_rates(self.survey.own)}
        return replace(self.rates, filters=filters)

    def seconds(self, layout: Layout, team: Team) -> float:
        """Return the predicted seconds of all reads with a layout."""
        facts = self.request.known
        return predicted_s(layout, self.request.reads, facts.sample, facts.itemsize, self.rates, team)

    def seconds_now(self, team: Team) -> float:
        """Return the predicted seconds of all reads of the unchanged file; without a prediction, the measured ones."""
        if (rates := self.own_rates) is None:
            return self.now_s * self.team.ranks / min(team.ranks, max(self.rates.cores, self.team.ranks))
        facts = self.request.known
        return predicted_s(facts.layout, self.request.reads, facts.shape, facts.itemsize, rates, team)

    def gain(self, layout: Layout | None, team: Team) -> float:
        """Return the predicted speed ratio of a layout read by a team to now. `layout` None: the current one."""
        seconds = self.seconds_now(team) if layout is None else self.seconds(layout, team)
        return self.seconds_now(self.team) / seconds

    @cached_property
    def promising(self) -> list[Layout]:
        """The layouts by predicted time: first the best one for each chunk shape, then the rest."""
        facts = self.request.known
        layouts = candidates(facts.sample, facts.itemsize, list(self.rates.filters))
        times = {one: self.seconds(one, self.team) for one in layouts if one != facts.layout}
        ordered = sorted(times, key=times.__getitem__)
        first: dict[tuple[int, ...] | None, Layout] = {}
        for one in ordered:
            first.setdefault(one.chunk, one)
        best = list(first.values())
        return best + [one for one in ordered if one not in best]

    @property
    def tried(self) -> Sequence[Layout]:
        """The layouts to measure: the first ones, and one with filters if the dataset has filters now."""
        tried = self.promising[:TRIALS]
        if self.request.known.filters and not any(one.filters for one in tried):
            tried += [one for one in self.promising if one.filters][:1]
        return tried
