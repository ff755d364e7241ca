"""Run NPB's FT with ``solvers/fft``, on threads of one process or on MPI ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rooftop
from rooftop.campaign.kind import Kind, page_writer
from rooftop.driver.executor import DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.process import ProcessDriver
from rooftop.driver.protocol import VerifyReply
from rooftop.driver.timeline import Event, events_of, seconds_of
from rooftop.errors import Misuse, RooftopError
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team
from rooftop.solvers.fft.document import FtDocument, RankSeconds
from rooftop.solvers.fft.npb import class_of
from rooftop.solvers.fft.overlap_pairs import OverlapPairs
from rooftop.solvers.fft.request import LIMIT_S, Terms, check_terms, module_of, parameters_of

NAME = "solve ft"

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Solved:
    """Result of a run, with each rank's timeline."""

    document: FtDocument
    events: list[list[Event]]


class _Run:
    """A driver process with the problem set up. Each run is verified."""

    def __init__(self, module: Module, terms: Terms, parameters: dict[str, Any]) -> None:
        self._driver = ProcessDriver(module, Team(ranks=terms.ranks, threads=terms.threads))
        reply = self._driver.case(parameters, 1, LIMIT_S)
        if reply.outcome in ("skipped", "failed"):
            raise Misuse(f"the solver rejects the problem: {reply.reason}")

    def again(self) -> VerifyReply:
        return self._driver.verify(LIMIT_S)

    def peak_bytes(self) -> int:
        return self._driver.peak_bytes()

    def close(self) -> None:
        self._driver.close()


def _seconds(reply: VerifyReply) -> float:
    return (reply.first_run_ns or 0.0) * 1e-9


def solve_ft(terms: Terms, watch: Watch = lambda doing: None) -> Solved:
    """Run FT twice, like NPB, and verify both runs. Raises Misuse for invalid options, RooftopError for failures."""
    check_terms(terms, available_bytes())
    module = module_of(terms)
    watch("first run, untimed")
    try:
        run = _Run(module, terms, parameters_of(terms))
        try:
            watch("timed run")
            reply = run.again()
            peak = run.peak_bytes()
        finally:
            run.close()
    except DriverFailed as failure:
        raise RooftopError(f"the solver failed: {failure}") from failure
    events = [events_of(facts) for facts in reply.facts or []]
    return Solved(_document(terms, reply, events, peak), events)


def _document(terms: Terms, reply: VerifyReply, events: list[list[Event]], peak: int) -> FtDocument:
    if reply.outcome not in ("ok", "wrong"):
        raise RooftopError(f"the solver failed: {reply.reason}")
    grid, right = terms.grid, reply.outcome == "ok"
    told = (reply.facts[0].model_extra or {}) if reply.facts else {}
    seconds = _seconds(reply) if right else None
    named: dict[str, Any] = {"class": class_of(grid)}
    return FtDocument(
        schema="rooftop/solve-ft/1",
        rooftop=rooftop.__version__,
        **named,
        nx=grid.nx,
        ny=grid.ny,
        nz=grid.nz,
        iterations=grid.iterations,
        ranks=terms.ranks,
        threads=terms.threads,
        outcome="ok" if right else "wrong",
        verified=right,
        reason=reply.reason,
        error=reply.error,
        tolerance=reply.tolerance,
        seconds=seconds,
        mops=grid.operations / seconds * 1e-6 if seconds else None,
        memory_bytes=peak,
        checksums=[(re, im) for re, im in told.get("checksums", [])],
        time=[
            RankSeconds(
                rank=rank, columns_s=one.columns, exchange_s=one.exchange, planes_s=one.planes, waiting_s=one.waiting
            )
            for rank, one in enumerate(map(seconds_of, events))
        ]
        if terms.ranks > 1
        else [],
    )


KIND = Kind(NAME, Terms.from_stored, Terms.prepared, OverlapPairs, page_writer("solvers.fft"))
