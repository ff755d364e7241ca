"""Runs a rung as a driver of comparisons: one run of it is one run of each of its cases, each verified."""

from __future__ import annotations

from typing import Any

from rooftop.driver.executor import DriverFailed
from rooftop.driver.process import ProcessDriver, describe
from rooftop.driver.protocol import CalibrateReply, CaseReply, SampleReply, VerifyReply
from rooftop.subject.rung import Rung

CASE_TIME = "case:"  # before a case's name: the figure of a sample that is the case's time in s


class RungDriver:
    """A rung on its cases, each held by a process of its own."""

    def __init__(self, rung: Rung) -> None:
        self._rung = rung
        self._drivers: list[ProcessDriver] = []

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver. Sets up every case of the rung, whatever `parameters` are."""
        rung = self._rung
        limit_s = min(limit_s, rung.declaration.hang_limit_s)
        described = describe(rung.module)
        if not described.supported:
            raise DriverFailed("launch", described.reason or "this processor cannot run it")
        replies: list[CaseReply] = []
        for case in rung.cases:
            driver = ProcessDriver(rung.module, rung.team, rung.variables)
            self._drivers.append(driver)
            reply = driver.case(rung.parameters_of(case), seed, limit_s)
            if reply.outcome != "ok":
                return reply.model_copy(update={"reason": self._said(case.name, reply.reason)})
            replies.append(reply)
        if len(replies) == 1:
            return replies[0]
        worst = max(replies, key=lambda reply: (reply.error or 0.0) / (reply.tolerance or 1.0))
        first_ns = [reply.first_run_ns for reply in replies if reply.first_run_ns is not None]
        return worst.model_copy(
            update={"first_run_ns": sum(first_ns), "work": None, "facts": None, "figures": self._figures(first_ns)}
        )

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver. All cases are run as often as makes the sum of their times long enough."""
        iterations = 1
        while True:
            elapsed_ns = sum(self._times_ns(iterations, limit_s))
            if elapsed_ns >= min_ns:
                return CalibrateReply(protocol=1, event="calibrate", iterations=iterations, elapsed_ns=elapsed_ns)
            iterations *= 2

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver. Its time is the sum over the cases, whose own times are figures where there are several."""
        times_ns = self._times_ns(iterations, limit_s)
        figures = self._figures([one / iterations for one in times_ns])
        return SampleReply(protocol=1, event="sample", iterations=iterations, elapsed_ns=sum(times_ns), figures=figures)

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver. Returns the first reply that is not ok, else the last."""
        for case, driver in zip(self._rung.cases, self._drivers, strict=True):
            reply = driver.verify(limit_s)
            if reply.outcome != "ok":
                return reply.model_copy(update={"reason": self._said(case.name, reply.reason)})
        return reply

    def peak_bytes(self) -> int:
        """See Driver. The sum over the processes."""
        return sum(driver.peak_bytes() for driver in self._drivers)

    def leave(self) -> None:
        """See Driver."""
        for driver in self._drivers:
            driver.leave()

    def close(self) -> None:
        """See Driver."""
        self.leave()
        for driver in self._drivers:
            driver.close()
        self._drivers.clear()

    def _times_ns(self, iterations: int, limit_s: float) -> list[float]:
        return [driver.sample(iterations, limit_s).elapsed_ns for driver in self._drivers]

    def _figures(self, times_ns: list[float]) -> dict[str, float] | None:
        if len(self._rung.cases) == 1:
            return None
        return {f"{CASE_TIME}{case.name}": ns * 1e-9 for case, ns in zip(self._rung.cases, times_ns, strict=True)}

    def _said(self, case: str, reason: str | None) -> str:
        return f"{case}: {reason or 'no reason given'}" if len(self._rung.cases) > 1 else reason or "no reason given"
