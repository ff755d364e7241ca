"""Drivers that are started together and live for several cases: some launchers take a second for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from rooftop.driver.executor import Driver, DriverFailed, Executor
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team

R = TypeVar("R")


class Crew:
    """An executor whose drivers go on to the next case. One that has failed is not used again."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._idle: dict[tuple[str, Team], list[Driver]] = defaultdict(list)
        self._all: list[Driver] = []

    def gather(self, modules: Iterable[Module], parameters: dict[str, Any], seed: int, limit_s: float) -> None:
        """Start drivers of modules that say their teams themselves, and let each run a case. Raises DriverFailed.

        One whose case fails is left out: who needs it starts another, and sees why.
        """
        begun = [((module.name, module.team_in(Team())), module) for module in modules]
        started = [(role, self._started(module, role[1])) for role, module in begun]
        for role, driver in started:
            with suppress(DriverFailed):
                driver.case(parameters, seed, limit_s)
                self._idle[role].append(driver)

    def dismiss(self) -> None:
        """End all drivers, together."""
        for driver in self._all:
            driver.leave()
        for driver in self._all:
            driver.close()

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return self._executor.describe(module)

    def start(self, module: Module, team: Team) -> Driver:
        """See Executor. Returns one that is idle, where there is one."""
        idle = self._idle[module.name, team]
        return _Lent(idle.pop() if idle else self._started(module, team), idle)

    def now_s(self) -> float:
        """See Executor."""
        return self._executor.now_s()

    def available_bytes(self) -> int:
        """See Executor."""
        return self._executor.available_bytes()

    def _started(self, module: Module, team: Team) -> Driver:
        driver = self._executor.start(module, team)
        self._all.append(driver)
        return driver


class _Lent:
    """A driver for one case. Closed, it is idle again, unless it has failed."""

    def __init__(self, driver: Driver, idle: list[Driver]) -> None:
        self._driver, self._idle = driver, idle
        self._usable = True

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver."""
        return self._asked(lambda: self._driver.case(parameters, seed, limit_s))

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        return self._asked(lambda: self._driver.calibrate(min_ns, limit_s))

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver."""
        return self._asked(lambda: self._driver.sample(iterations, limit_s))

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        return self._asked(lambda: self._driver.verify(limit_s))

    def peak_bytes(self) -> int:
        """See Driver."""
        return self._driver.peak_bytes()

    def leave(self) -> None:
        """See Driver. It stays."""

    def close(self) -> None:
        """See Driver. It goes back."""
        if self._usable:
            self._idle.append(self._driver)
        self._usable = False

    def _asked(self, request: Callable[[], R]) -> R:
        try:
            return request()
        except DriverFailed:
            self._usable = False
            raise
