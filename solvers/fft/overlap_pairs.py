"""Measures pairs of a blocking and a pipelined run in a campaign: one case with two arms, each run verified."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course
from rooftop.campaign.session import CampaignSession
from rooftop.driver.calls import call_module
from rooftop.driver.executor import DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.process import ProcessDriver, describe
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply
from rooftop.driver.timeline import events_of, seconds_of
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, pair_iterations
from rooftop.measure.assemble import campaign_floor
from rooftop.measure.case_state import CaseState
from rooftop.measure.metric import TIME
from rooftop.solvers.fft.document import OverlapDocument
from rooftop.solvers.fft.overlap import RunPair, RunTimes, overlap_of
from rooftop.solvers.fft.request import Terms, module_of, parameters_of
from rooftop.solvers.running.campaign import measure_pairs

BLOCKING, PIPELINED = "blocking", "pipelined"
_COMPUTING, _WAITING = "computing_s", "waiting_s"


class VerifiedRuns:
    """See Driver. Verify every run, and report the mean computing and waiting times of its ranks with each sample."""

    def __init__(self, module: Module, team: Team, parameters: Mapping[str, Any]) -> None:
        self._driver = ProcessDriver(module, team)
        self._parameters = dict(parameters)

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver."""
        return self._driver.case(self._parameters, 1, limit_s)

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        return self._driver.calibrate(min_ns, limit_s)

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver. Raises DriverFailed for a wrong result."""
        runs = [self._run(limit_s) for _ in range(iterations)]
        return SampleReply(
            protocol=1,
            event="sample",
            iterations=iterations,
            elapsed_ns=sum(one.seconds for one in runs) * 1e9,
            figures={_COMPUTING: fmean(one.computing for one in runs), _WAITING: fmean(one.waiting for one in runs)},
        )

    def _run(self, limit_s: float) -> RunTimes:
        reply = self._driver.verify(limit_s)
        if reply.outcome != "ok":
            raise DriverFailed("verify", reply.reason or "no reason given", wrong=reply.outcome == "wrong")
        ranks = [seconds_of(events_of(facts)) for facts in reply.facts or []]
        seconds = (reply.first_run_ns or 0.0) * 1e-9
        return RunTimes(seconds, fmean(one.computing for one in ranks), fmean(one.waiting for one in ranks))

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        return self._driver.verify(limit_s).model_copy(update={"facts": None})

    def peak_bytes(self) -> int:
        """See Driver."""
        return self._driver.peak_bytes()

    def leave(self) -> None:
        """See Driver."""
        self._driver.leave()

    def close(self) -> None:
        """See Driver."""
        self._driver.close()


class _Executor:
    """See Executor. The solver's driver, with the exchange as the name of the arm says."""

    def __init__(self, terms: Terms) -> None:
        self._module = module_of(terms)
        pipelined = parameters_of(terms)
        self._parameters = {PIPELINED: pipelined, BLOCKING: pipelined | {"pipelined": False, "pieces": 1}}

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return describe(self._module)

    def start(self, module: Module, team: Team) -> VerifiedRuns:
        """See Executor."""
        return VerifiedRuns(self._module, team, self._parameters[module.name])

    def now_s(self) -> float:
        """See Executor."""
        return time.monotonic()

    def available_bytes(self) -> int:
        """See Executor."""
        return available_bytes()


class OverlapPairs(Course[OverlapDocument]):
    """The course of one campaign."""

    def __init__(self, bench: Bench, terms: Terms, _new: bool) -> None:
        self._bench, self._terms = bench, terms
        self._arms = [Arm(call_module(name), "command") for name in (BLOCKING, PIPELINED)]
        name, parameters = terms.grid.name, asdict(terms.grid)
        self._case = CaseState("solve ft", "overlap", name, parameters, terms.grid.operations, list(self._arms))

    @property
    def cases(self) -> Sequence[CaseState]:
        return [self._case]

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"grid": self._terms.grid.name}

    @property
    def files(self) -> Sequence[Path]:
        return module_of(self._terms).files

    def restore(self, session: CampaignSession) -> None:
        session.restore(self._case, TIME)

    def measure(self, session: CampaignSession) -> None:
        terms = self._terms
        team = Team(ranks=terms.ranks, threads=terms.threads)
        measure_pairs(session, self._case, self._bench.executor or _Executor(terms), terms, terms.overlap, team)

    def document(self, session: CampaignSession, *, interrupted: bool) -> OverlapDocument:
        terms, pairs = self._terms, self._pairs()
        floor = campaign_floor([self._case], self._bench.rules)
        known = floor if isfinite(floor) else None
        wrong = next((arm.reason for arm in self._case.arms if arm.outcome in ("wrong", "failed")), None)
        return OverlapDocument(
            **session.head(),
            title=f"{terms.grid.name}, {terms.ranks} ranks of {terms.threads} threads",
            reason=wrong,
            overlap=overlap_of(pairs) if pairs and wrong is None else None,
            floor=known,
            doubts=session.doubts(known, self._case.arms),
        )

    def _pairs(self) -> list[RunPair]:
        """Return the runs of the blocks that have both, in the order taken."""
        iterations = pair_iterations(*self._arms)
        blocking, pipelined = (
            {
                one.block: RunTimes(one.run_s, one.figures[_COMPUTING], one.figures[_WAITING])
                for one in arm.samples
                if one.iterations == iterations and one.figures is not None
            }
            for arm in self._arms
        )
        blocks = sorted(blocking.keys() & pipelined.keys())[-self._terms.overlap :]
        return [RunPair(blocking[block], pipelined[block]) for block in blocks]
