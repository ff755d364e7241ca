"""What measuring needs of whatever runs a rung: an interface, so that its rules can be tested without clocks."""

from __future__ import annotations

from typing import Any, Protocol

from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team


class DriverFailed(Exception):
    """A driver died, hung, or said something that the protocol does not know.

    stage    what it was doing: "launch", "case", "calibrate", "sample", "verify"
    message  what was seen, with the end of its standard error
    silent   True when it was only silent past its limit, which may mean slow
    wrong    True when it came to its end and gave a wrong answer
    """

    def __init__(self, stage: str, message: str, *, silent: bool = False, wrong: bool = False) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage
        self.message = message
        self.silent = silent
        self.wrong = wrong


class Driver(Protocol):
    """One living driver, which holds one rung. Every request may raise DriverFailed."""

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """Set up a case, run once and verify."""
        ...

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """Find how many runs last `min_ns`."""
        ...

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """Run once untimed, then `iterations` times timed."""
        ...

    def verify(self, limit_s: float) -> VerifyReply:
        """Run once more and verify."""
        ...

    def peak_bytes(self) -> int:
        """Return the most memory that this driver has held so far; 0 when not known."""
        ...

    def leave(self) -> None:
        """Begin to end the driver, without waiting: several end in the time of one. May be called again."""
        ...

    def close(self) -> None:
        """End the driver and everything that it started. May be called again."""
        ...


class Executor(Protocol):
    """Starts drivers, and keeps the time that the budget is spent in."""

    def describe(self, module: Module) -> Description:
        """Ask whether this processor can run `module`. Raises DriverFailed."""
        ...

    def start(self, module: Module, team: Team) -> Driver:
        """Start a driver for a team. Raises DriverFailed."""
        ...

    def now_s(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def available_bytes(self) -> int:
        """Memory that a further driver may take."""
        ...
