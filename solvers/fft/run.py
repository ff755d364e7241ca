"""Run NPB's FT with ``solvers/fft``, on threads of one process or on MPI ranks."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rooftop
from rooftop.driver.executor import DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.process import ProcessDriver
from rooftop.driver.protocol import VerifyReply
from rooftop.driver.timeline import Event, events_of, seconds_of
from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.ladder.discovery import Module, find_experiment
from rooftop.launchers.team import Team
from rooftop.settings import Settings
from rooftop.solvers.fft.document import FtDocument, Overlap, RankSeconds
from rooftop.solvers.fft.npb import Grid, class_of
from rooftop.solvers.fft.overlap import RunPair, RunTimes, overlap_of

SOLVER, SOLVER_BY_RANKS = "99-solver", "98-solver-by-ranks"
_VALUE_BYTES = 16
# Number of arrays of the grid's size: modes and the fields of two iterations; with ranks, modes and planes; with
# messages, also the planes of a second iteration and half of the values in transit.
_ARRAYS, _ARRAYS_BY_RANKS, _ARRAYS_WITH_MESSAGES = 3, 2, 3.5
_LIMIT_S = 24 * 3600.0

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Terms:
    """Options of a run.

    messages   exchange messages also between ranks of one node, instead of using shared memory
    pipelined  work on two iterations at a time while messages are in transit
    pieces     number of pieces of an exchange; None: the solver's default
    overlap    number of pairs of a pipelined and a blocking run to compare; 0: none
    """

    grid: Grid
    ranks: int = 1
    threads: int = 1
    messages: bool = False
    pipelined: bool = True
    pieces: int | None = None
    overlap: int = 0


@dataclass(frozen=True)
class Solved:
    """Result of a run, with each rank's timeline."""

    document: FtDocument
    events: list[list[Event]]


def check_terms(terms: Terms, available: int) -> None:
    """Raise Misuse for more ranks than the grid can be divided among, and for grids that exceed the memory."""
    grid = terms.grid
    least = min(grid.ny, grid.nz)
    if terms.ranks > least:
        raise Misuse(
            f"--ranks is {terms.ranks}, and {grid.name} has {grid.nz} planes of {grid.ny} rows to share: "
            f"expected at most {least}"
        )
    by_ranks = _ARRAYS_WITH_MESSAGES if terms.messages else _ARRAYS_BY_RANKS
    arrays = _ARRAYS if terms.ranks == 1 else by_ranks
    needed = int(arrays * _VALUE_BYTES * grid.points)
    if needed > available:
        raise Misuse(
            f"{grid.name} needs {needed / 2**30:.3g} GiB, {arrays:g} arrays of the grid; expected at most "
            f"{available / 2**30:.3g} GiB, the memory available here"
        )


def _module(terms: Terms) -> Module:
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "ft")
    wanted = SOLVER if terms.ranks == 1 else SOLVER_BY_RANKS
    module = next(one for one in found.rungs if one.name == wanted)
    if module.status != "built":
        raise NotBuilt(f"the FT solver cannot run: {module.reason}")
    return module


def _parameters(terms: Terms) -> dict[str, Any]:
    grid = terms.grid
    chosen: dict[str, Any] = {"nx": grid.nx, "ny": grid.ny, "nz": grid.nz, "iterations": grid.iterations, "facts": True}
    if terms.ranks > 1:
        chosen |= {"messages": terms.messages, "pipelined": terms.pipelined}
        chosen |= {"pieces": terms.pieces} if terms.pieces is not None else {}
    return chosen


class _Run:
    """A driver process with the problem set up. Each run is verified."""

    def __init__(self, module: Module, terms: Terms, parameters: dict[str, Any]) -> None:
        self._driver = ProcessDriver(module, Team(ranks=terms.ranks, threads=terms.threads))
        reply = self._driver.case(parameters, 1, _LIMIT_S)
        if reply.outcome in ("skipped", "failed"):
            raise Misuse(f"the solver rejects the problem: {reply.reason}")

    def again(self) -> VerifyReply:
        return self._driver.verify(_LIMIT_S)

    def peak_bytes(self) -> int:
        return self._driver.peak_bytes()

    def close(self) -> None:
        self._driver.close()


def _seconds(reply: VerifyReply) -> float:
    return (reply.first_run_ns or 0.0) * 1e-9


def _times(reply: VerifyReply) -> RunTimes:
    sums = [seconds_of(events_of(facts)) for facts in reply.facts or []]
    return RunTimes(
        _seconds(reply),
        statistics.mean(one.computing for one in sums),
        statistics.mean(one.waiting for one in sums),
    )


def _overlap(module: Module, terms: Terms, pipelined: _Run, watch: Watch) -> Overlap:
    """Alternate pipelined and blocking runs, and compare them."""
    blocking = _Run(module, terms, _parameters(terms) | {"pipelined": False, "pieces": 1})
    try:
        pairs: list[RunPair] = []
        for pair in range(terms.overlap):
            watch(f"overlap, pair {pair + 1} of {terms.overlap}")
            first, second = (blocking, pipelined) if pair % 2 == 0 else (pipelined, blocking)
            one, other = _times(first.again()), _times(second.again())
            pairs.append(RunPair(one, other) if pair % 2 == 0 else RunPair(other, one))
    finally:
        blocking.close()
    return overlap_of(pairs)


def solve_ft(terms: Terms, watch: Watch = lambda doing: None) -> Solved:
    """Run FT twice, like NPB, and verify both runs. Raises Misuse for invalid options, RooftopError for failures."""
    check_terms(terms, available_bytes())
    module = _module(terms)
    watch("first run, untimed")
    try:
        run = _Run(module, terms, _parameters(terms))
        try:
            watch("timed run")
            reply = run.again()
            overlap = _overlap(module, terms, run, watch) if terms.overlap and reply.outcome == "ok" else None
            peak = run.peak_bytes()
        finally:
            run.close()
    except DriverFailed as failure:
        raise RooftopError(f"the solver failed: {failure}") from failure
    events = [events_of(facts) for facts in reply.facts or []]
    return Solved(_document(terms, reply, events, peak, overlap), events)


def _document(
    terms: Terms, reply: VerifyReply, events: list[list[Event]], peak: int, overlap: Overlap | None
) -> FtDocument:
    if reply.outcome not in ("ok", "wrong"):
        raise RooftopError(f"the solver failed: {reply.reason}")
    grid, right = terms.grid, reply.outcome == "ok"
    told = (reply.facts[0].model_extra or {}) if reply.facts else {}
    seconds = _seconds(reply) if right else None
    return FtDocument(
        schema="rooftop/solve-ft/1",
        rooftop=rooftop.__version__,
        **{"class": class_of(grid)},
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
        overlap=overlap,
    )
