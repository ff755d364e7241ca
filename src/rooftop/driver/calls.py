"""Runs functions of this process as the drivers of a case, so that a solver's calls are measured as programs are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.driver.memory import available_bytes
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply, Work
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team

_LONG_RUN_NS = 1e9  # long_run_ns of native/include/rooftop/timing.hpp: a longer run needs no untimed one before it


@dataclass(frozen=True)
class Answer:
    """What is known of the result of a run. `reason` says why it is wrong; None: it is right, or is not checked."""

    reason: str | None = None
    error: float | None = None
    tolerance: float | None = None
    work: Work | None = None


@dataclass(frozen=True)
class Call:
    """A function of this process that is one arm of a case.

    run     runs so many times and returns the nanoseconds that all of them took
    clear   takes the last result away before a run that is verified
    answer  verifies the result of the last run
    close   frees what the runs needed
    """

    run: Callable[[int], float]
    clear: Callable[[], object] = lambda: None
    answer: Callable[[], Answer] = Answer
    close: Callable[[], object] = lambda: None


def timed(function: Callable[[], object]) -> Callable[[int], float]:
    """Return a function that calls another so many times, and returns the nanoseconds that all calls took."""

    def run(iterations: int) -> float:
        began_ns = time.perf_counter_ns()
        for _ in range(iterations):
            function()
        return max(time.perf_counter_ns() - began_ns, 1)

    return run


def call_module(name: str) -> Module:
    """Return the module that stands for a function in a case."""
    return Module(name, "rung", Path(), Path(), name, None, "built", ())


class CallDriver:
    """See Driver. A call is not ended at a limit: only an interrupt ends it."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._run_ns = 0.0

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver."""
        fields, work = self._verified()
        return CaseReply(protocol=1, event="case", work=work, **fields)

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        iterations = 1
        while (elapsed_ns := self._call.run(iterations)) < min_ns:
            iterations *= 2
        return CalibrateReply(protocol=1, event="calibrate", iterations=iterations, elapsed_ns=elapsed_ns)

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver."""
        if self._run_ns < _LONG_RUN_NS:
            self._call.run(1)
        elapsed_ns = self._call.run(iterations)
        self._run_ns = elapsed_ns / iterations
        return SampleReply(protocol=1, event="sample", iterations=iterations, elapsed_ns=elapsed_ns)

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        return VerifyReply(protocol=1, event="verify", **self._verified()[0])

    def _verified(self) -> tuple[dict[str, Any], Work | None]:
        """Run once and return the fields of the reply."""
        self._call.clear()
        self._run_ns = self._call.run(1)
        found = self._call.answer()
        outcome = "ok" if found.reason is None else "wrong"
        told = {"outcome": outcome, "reason": found.reason, "error": found.error, "tolerance": found.tolerance}
        return told | {"first_run_ns": self._run_ns}, found.work

    def peak_bytes(self) -> int:
        """See Driver. What calls share is not told apart."""
        return 0

    def leave(self) -> None:
        """See Driver."""

    def close(self) -> None:
        """See Driver."""
        self._call.close()


class CallExecutor:
    """See Executor. `calls`: by the names of the modules, what makes a call; a twin's is made once more."""

    def __init__(self, calls: Mapping[str, Callable[[], Call]]) -> None:
        self._calls = calls

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return Description(protocol=1, module=module.name)

    def start(self, module: Module, team: Team) -> CallDriver:
        """See Executor."""
        return CallDriver(self._calls[module.name]())

    def now_s(self) -> float:
        """See Executor."""
        return time.monotonic()

    def available_bytes(self) -> int:
        """See Executor."""
        return available_bytes()
