"""Run an MPI program with a preloaded library that times its MPI calls; see native/mpi_times."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.spec import Spec
from rooftop.driver.executor import DriverFailed
from rooftop.driver.protocol import SampleReply
from rooftop.measure.case_state import CaseState, Journal, Watcher
from rooftop.measure.sampling import Sampling, block_order
from rooftop.observe.mpi_times import RankTimes, read_times
from rooftop.scale.pop import RUNTIME

RUNS = 3  # of each point; the median of them is told
_LEAST_LIMIT_S = 60.0
_LATE = 30.0  # a run may take this many times what it took without the library


class Tracer(Protocol):
    """Runs a point once and tells the ranks' times."""

    def trace(self, name: str, limit_s: float) -> list[RankTimes]:
        """Return the times, by rank. Raises DriverFailed."""
        ...


class CommandTracer:
    """Traces commands on this machine. `ranks`: of each, by its name; `specs` write to `file`."""

    def __init__(self, specs: Mapping[str, Spec], ranks: Mapping[str, int], terms: Terms, file: Path) -> None:
        self._specs = specs
        self._ranks = ranks
        self._terms = terms
        self._file = file

    def trace(self, name: str, limit_s: float) -> list[RankTimes]:
        """See Tracer. The run is checked as every first run is."""
        spec = self._specs[name]
        self._file.unlink(missing_ok=True)
        driver = CommandDriver(spec, self._terms, Held(spec, self._terms))
        try:
            reply = driver.case({}, 0, limit_s)
        finally:
            driver.close()
        if reply.outcome != "ok":
            raise DriverFailed("trace", f"while its MPI calls were timed: {reply.reason}")
        try:
            text = self._file.read_text(encoding="ascii")
        except FileNotFoundError:
            raise DriverFailed(
                "trace", "no rank reported its times: the program may not use MPI, or exit without MPI_Finalize"
            ) from None
        try:
            return read_times(text, self._ranks[name])
        except ValueError as error:
            raise DriverFailed("trace", str(error)) from error


def scratch() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for the times, which the first rank can write to."""
    return tempfile.TemporaryDirectory(prefix="rooftop-mpi-")


def trace(
    case: CaseState,
    tracer: Tracer,
    journal: Journal,
    watcher: Watcher,
    *,
    seed: int,
    expected_s: Mapping[str, float],
    limit_s: float,
    now_s: Callable[[], float],
    deadline_s: float,
) -> None:
    """Run every arm up to RUNS times, in interleaved blocks; the first block is taken whatever the time.

    expected_s  what a run takes, by the arm's name
    limit_s     for one run, at most
    """
    sampling = Sampling(case, journal, watcher, seed)
    while case.blocks < RUNS and (case.blocks == 0 or now_s() < deadline_s):
        block = case.blocks
        places = [place for place, arm in enumerate(case.arms) if arm.outcome in (None, "ok")]
        for position, place in enumerate(block_order(places, seed, case.title, block)):
            arm = case.arms[place]
            if all(sample.block != block for sample in arm.samples):  # an interrupted session may have taken it
                watcher.progressed(case, f"timing the MPI calls of {arm.name}")
                # A run that the library makes hang must not cost an hour.
                own_s = min(limit_s, max(_LEAST_LIMIT_S, _LATE * expected_s.get(arm.name, 0.0)))
                sampling.take(arm, block, position, partial(_run_once, tracer, arm.name, own_s))
        case.blocks += 1
        journal.case_changed(case)


def _run_once(tracer: Tracer, name: str, limit_s: float) -> SampleReply:
    """Return what a run took, and of each rank the time outside MPI. Raises DriverFailed."""
    ranks = tracer.trace(name, limit_s)
    runtime_ns = max(rank.whole_ns for rank in ranks)
    useful = [float(rank.whole_ns - rank.inside_ns) for rank in ranks]
    figures = {RUNTIME: runtime_ns * 1e-9}
    return SampleReply(
        protocol=1, event="sample", iterations=1, elapsed_ns=float(runtime_ns), ranks_ns=useful, figures=figures
    )
