"""Search for a better layout: predict from rates, then measure the most promising."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind, page_writer
from rooftop.campaign.session import CampaignSession
from rooftop.driver.calls import CallExecutor
from rooftop.files.contents import shown
from rooftop.launchers.team import Team as Workers
from rooftop.measure.assemble import campaign_floor
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.metric import TIME
from rooftop.solvers.h5io.advice.comparisons import (
    NOW,
    Compared,
    best_layout,
    h5py_readings,
    layout_readings,
    rank_readings,
)
from rooftop.solvers.h5io.advice.crew import Crew
from rooftop.solvers.h5io.advice.document import AdviceDocument
from rooftop.solvers.h5io.advice.request import BUDGET_S, Request
from rooftop.solvers.h5io.advice.results import Results
from rooftop.solvers.h5io.advice.scratch import scratch_folder
from rooftop.solvers.h5io.advice.study import Study
from rooftop.solvers.h5io.advice.survey import Survey, survey
from rooftop.solvers.h5io.advice.trial import Trials, measure_points
from rooftop.solvers.h5io.library import load
from rooftop.solvers.running.campaign import NO_LIMIT_S, sampled_arms
from rooftop.text.durations import budget_text

NAME = "h5 advise"
_SURVEY = "survey"


class _Advice(Course[AdviceDocument]):
    """A campaign: measures rates, chooses comparisons by their predictions, and measures these."""

    def __init__(self, bench: Bench, request: Request, _new: bool) -> None:
        self._bench, self._request = bench, request
        self._layouts, self._ranks, self._h5py = (Compared(NAME, name) for name in ("layouts", "ranks", "h5py"))
        self._finished: list[CaseState] = []
        self._survey: Survey | None = None

    @property
    def cases(self) -> Sequence[CaseState]:
        return [one.case for one in self._all]

    @property
    def _all(self) -> Sequence[Compared]:
        return [self._layouts, self._ranks, self._h5py]

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"dataset": self._request.known.name}

    @property
    def files(self) -> Iterable[Path]:
        return [file for file in (self._request.file, Path(load()._name)) if file is not None and file.is_absolute()]

    def restore(self, session: CampaignSession) -> None:
        kept = (session.beside or {}).get(_SURVEY)
        self._survey = None if kept is None else Survey.model_validate(kept)
        for one in self._all:
            self._choose(one)  # the case of ranks depends on the results of the layouts
            if session.restore(one.case, TIME):
                self._finished.append(one.case)

    def measure(self, session: CampaignSession) -> None:
        request, watcher = self._request, self._bench.watcher
        assert request.file is not None
        above = request.scratch or request.file.resolve().parent
        with scratch_folder(above, request.trial_bytes) as folder, Crew() as crew:
            trials = Trials(request, crew, folder)
            if self._survey is None:
                self._survey = survey(trials, partial(watcher.progressed, self._layouts.case))
                session.keep_beside({_SURVEY: self._survey.model_dump(mode="json")})
                self._choose(self._layouts)
                self._choose(self._h5py)
            began_s = time.monotonic()
            for one in self._all:
                if one.case in self._finished:
                    continue
                if one is self._ranks and not one.readings:
                    self._choose(one)
                self._compare(session, one, trials, began_s)
                self._finished.append(one.case)

    def _choose(self, one: Compared) -> None:
        """Choose the readings of a case, if what they depend on is known."""
        if self._survey is None:
            return
        if one is self._layouts:
            one.choose(layout_readings(self._study))
        elif one is self._h5py:
            one.choose(h5py_readings(self._study))
        elif self._layouts.case in self._finished:
            one.choose(rank_readings(self._study, best_layout(self._layouts, self._bench.rules)))

    def _compare(self, session: CampaignSession, one: Compared, trials: Trials, began_s: float) -> None:
        """Measure one case. Its share of the remaining time is that of its readings among all that remain."""
        if not one.readings:
            session.store.case_finished(one.case)
            return
        request, bench = self._request, self._bench
        assert request.seed is not None
        executor = bench.executor or CallExecutor({each.name: partial(trials.call, each) for each in one.readings})
        budget_s = BUDGET_S if request.budget_s is None else request.budget_s
        to_come = sum(self._count(other) for other in self._all if other.case not in self._finished)
        now_s = time.monotonic()
        until_s = now_s + max(budget_s - (now_s - began_s), 0.0) * len(one.readings) / to_come
        terms = Terms(
            team=Workers(),
            seed=request.seed,
            share_s=0.0,
            budget=budget_text(budget_s),
            hang_limit_s=NO_LIMIT_S,
            rules=bench.rules,
        )
        measure_points(one.case, partial(session.run, one.case, executor), terms, lambda: until_s - time.monotonic())

    def _count(self, one: Compared) -> int:
        """Return the number of readings of a case, or an estimate if they are not chosen yet."""
        others = len(self._request.teams) - 1
        return len(one.readings) or (1 + 3 * others if one is self._ranks and others else 0)

    @property
    def _study(self) -> Study:
        assert self._survey is not None
        samples = next((arm.samples for arm in self._layouts.case.arms if arm.name == NOW and arm.samples), [])
        now_s = median(one.run_s for one in samples) if samples else self._survey.now_s
        return Study(self._request, self._survey, now_s)

    def document(self, session: CampaignSession, *, interrupted: bool) -> AdviceDocument:
        request, facts = self._request, self._request.known
        floor = campaign_floor(self.cases, self._bench.rules)
        known = floor if isfinite(floor) else None
        document = AdviceDocument(
            **session.head(),
            schema="rooftop/h5-advise/1",
            interrupted=interrupted,
            file="" if request.file is None else shown(request.file),
            dataset=facts.name,
            shape=list(facts.shape),
            dtype=facts.dtype,
            layout=str(facts.layout),
            stored_bytes=facts.stored_bytes,
            access=request.access,
            cold=request.cold,
            dropped_by=facts.dropped_by,
            threads=request.threads,
            ranks=list(request.ranks),
            sample=list(facts.sample),
            reads=len(request.reads),
            floor=known,
            remarks=request.remarks(),
            doubts=session.doubts(known, sampled_arms(self.cases)),
        )
        if self._survey is None:
            return document
        study = self._study
        results = Results(study, floor, self._bench.rules)
        document.now_s, document.rates = study.now_s, self._survey.rates
        document.proposals = results.proposals(self._layouts)
        document.by_ranks, document.unchanged = results.by_ranks(self._ranks), results.unchanged(self._h5py)
        document.remarks += [one for one in (self._survey.h5py_remark,) if one is not None]
        return document


KIND = Kind(NAME, Request.from_stored, Request.prepared, _Advice, page_writer("solvers.h5io.advice"))
