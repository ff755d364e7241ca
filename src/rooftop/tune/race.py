"""Race configurations: try each with one run, compare the promising ones, and drop losers early.

A block samples the best so far and the most promising runners once each in random order, so drift affects all alike.
Pairs of these samples decide whether a runner is dropped as slower or becomes the best, based on the scatter of all
pairs of the race. The race gives no verdict; that comes from a separate comparison afterwards. Racing: Birattari et
al. 2002; Maron and Moore 1994.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from statistics import median

from rooftop.driver.executor import DriverFailed, Executor
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, close_all
from rooftop.measure.case_state import CaseState, Journal, Watcher
from rooftop.measure.figures import pairs_of
from rooftop.measure.needs import Task
from rooftop.measure.rules import Rules
from rooftop.measure.sampling import Sampling
from rooftop.tune.strategies import Strategy

_LEAST_LIMIT_S = 1.0
_LATE = 4.0  # a first run that takes this many times the best so far is stopped


@dataclass(frozen=True)
class RaceRules:
    """Rules of the race.

    opening       configurations tried, with one run each, before any are compared
    width         runners per block, in addition to the best so far
    most_pairs    a runner that is not the best after so many is dropped: with more, some would win by luck
    fewest_pairs  needed before a runner may become the best
    sigmas        standard errors of the pairs' median by which a runner must differ
    first_scatter scatter of log-ratios assumed until there are enough pairs
    first_margin  log-ratio by which a first run may be slower than the best so far and still be raced
    """

    opening: int = 9
    width: int = 4
    most_pairs: int = 8
    fewest_pairs: int = 6
    sigmas: float = 2.0
    first_scatter: float = 0.05
    first_margin: float = 0.4


@dataclass
class Race:
    """One search. Times are in seconds on the executor's clock.

    case          its arms are the configurations tried, in that order
    make_arm      returns the arm of a configuration, given its index in the space
    trying_until  until then new configurations are tried in preference to anything else
    most_tried    maximum number of configurations to try; None: no limit
    deadline      returns when the race ends, given the run times of the first and of the best
    """

    case: CaseState
    make_arm: Callable[[int], Arm]
    strategy: Strategy
    executor: Executor
    journal: Journal
    watcher: Watcher
    seed: int
    deadline: Callable[[float, float], float]
    timeout_s: float
    trying_until: float = -math.inf
    most_tried: int | None = None
    rules: RaceRules = field(default_factory=RaceRules)
    sampling: Rules = field(default_factory=Rules)
    places: dict[str, int] = field(default_factory=dict)
    best: Arm | None = None
    _runners: list[Arm] = field(default_factory=list)
    _scores: dict[str, float] = field(default_factory=dict)
    _errors: dict[str, float] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _scatter: tuple[tuple[str, int], float] | None = None  # cached for this best and number of samples
    _trying_s: float = 0.0
    _telling_s: float = 0.0

    def run(self, first: Sequence[int]) -> None:
        """Search until all configurations were tried or the time is up, starting with `first` (the default first)."""
        try:
            for arm in self.recall():
                self._enter(self.places[arm.name])
            for place in first:
                if self.best is None or not self._over():
                    self._enter(place)
            while self.executor.now_s() < self.trying_until and self._try_next():
                pass
            while not self._over():
                if self._tries_next() and self._try_next():
                    continue
                if self.best is None or not self._runners:
                    break
                self._take_block()
                self._judge()
        finally:
            close_all(self.case.arms)

    @cached_property
    def _sampling(self) -> Sampling:
        return Sampling(self.case, self.journal, self.watcher, self.seed)

    def _over(self) -> bool:
        first_s = self.case.arms[0].run_s if self.case.arms else 0.0
        return self.executor.now_s() >= self.deadline(first_s, self.best.run_s if self.best is not None else first_s)

    def score(self, arm: Arm) -> float | None:
        """Return the estimated log of an arm's speed relative to the default; None if it is not usable."""
        return self._scores.get(arm.name) if arm.outcome == "ok" else None

    def left_behind(self, name: str) -> bool:
        """Return whether a configuration is more than `first_margin` slower than the best."""
        if self.best is None or name not in self._scores:
            return False
        return self._scores[self.best.name] - self._scores[name] > self.rules.first_margin

    def ranking(self) -> list[Arm]:
        """Return the usable arms, the best so far first, then the others by the lower bounds of their scores.

        If there was no time for any block, all are ordered by their first runs.
        """
        told_apart = self.best is not None and (self.best.samples or not self._runners)
        usable = [
            arm for arm in self.case.arms if self.score(arm) is not None and not (told_apart and arm is self.best)
        ]
        usable.sort(key=lambda arm: self._errors.get(arm.name, 0.0) - self._scores[arm.name])
        return [self.best, *usable] if self.best is not None and told_apart else usable

    # --- Arms ------------------------------------------------------------------------------------------------------

    def recall(self) -> list[Arm]:
        """Restore the state of an interrupted session. Return the best so far, then the runners."""
        running: list[Arm] = []
        for arm in self.case.arms:
            if arm.outcome != "ok":
                self._tell(arm)
            elif self.best is None:
                self.best = arm
                self._scores[arm.name] = 0.0
            elif pairs_of(arm, self.best).log_ratios:
                if self._settle(arm):
                    self._tell(arm)
                else:
                    running.append(arm)
            elif far := self._far(arm):
                self._tell(arm if far < 0 else self.best)
                self.best = self.best if far < 0 else arm
            else:
                self._guess(arm)
                running.append(arm)
        return [self.best, *(arm for arm in running if arm is not self.best)] if self.best is not None else []

    def _enter(self, place: int, *, again: bool = False) -> None:
        """Run a configuration once and verify it; it joins the race unless it is wrong or far too slow.

        A configuration that was dropped joins again only with `again`.
        """
        arm = self.make_arm(place)
        known = next((other for other in self.case.arms if other.name == arm.name), None)
        if known is None:
            self.case.arms.append(arm)
        elif known.driver is not None or known.outcome not in (None, "ok") or (known.name in self._told and not again):
            return
        arm = known or arm
        self.places[arm.name] = place
        self.watcher.progressed(self.case, f"trying {arm.name}")
        limit_s = self._limit_s(1) if arm is not self.best else self.timeout_s
        try:
            reply = self._sampling.first_run(arm, self.executor, Team(), limit_s)
        except DriverFailed as failure:
            slow = failure.silent and limit_s < self.timeout_s
            arm.end(
                "skipped" if slow else "failed",
                f"it took longer than {limit_s:.3g} s, {_LATE:g} times the best so far" if slow else failure.message,
                failure.stage,
            )
        else:
            if self._sampling.right(arm, reply):
                arm.began((reply.first_run_ns or 0.0) * 1e-9, reply.figures)
                self._entered(arm)
        self.journal.arm_changed(self.case, arm)
        if arm.outcome != "ok":
            self._tell(arm)

    def _entered(self, arm: Arm) -> None:
        if self.best is None:
            arm.iterations = max(1, math.ceil(self.sampling.sample_ns(1.0) * 1e-9 / max(arm.run_s, 1e-9)))
            self.best = arm
            self._scores[arm.name] = 0.0
            return
        if arm is self.best:
            return
        if arm.samples:
            self._runners.append(arm)
            return
        arm.iterations = self.best.iterations
        far = self._far(arm)
        if far < 0:
            self._tell(arm)
            arm.close()
        elif far > 0:
            self._lead(arm)
        else:
            self._guess(arm)
            self._runners.append(arm)

    def _ahead(self, arm: Arm) -> float | None:
        """Return the log of an arm's speed relative to the best, estimated without pairs, mostly from first runs."""
        assert self.best is not None
        ours, best = arm.likely_cost(), self.best.likely_cost()
        return math.log(best / ours) if ours and best else None

    def _guess(self, arm: Arm) -> None:
        """Score an arm by its first run until it has pairs."""
        assert self.best is not None
        if (ahead := self._ahead(arm)) is not None:
            self._scores[arm.name] = self._scores[self.best.name] + ahead
            self._errors[arm.name] = math.sqrt(2) * self.scatter()

    def _far(self, arm: Arm) -> int:
        """Judge an arm by its first run: return 1 if far ahead of the best, -1 if far behind, 0 if pairs must decide.

        Disturbances only make runs slower, so an arm that is far ahead is really faster.
        """
        assert self.best is not None
        ahead = self._ahead(arm)
        if ahead is None or abs(ahead) <= self.rules.first_margin:
            return 0
        self._scores[arm.name] = self._scores[self.best.name] + ahead
        return 1 if ahead > 0 else -1

    def _lead(self, arm: Arm) -> None:
        """Make an arm the best, and drop the arms that are now far behind."""
        old, self.best = self.best, arm
        assert old is not None
        for other in [old, *self._runners]:
            score = self._scores.get(other.name)
            if self._far(other) >= 0:
                if other is old:
                    self._runners.append(other)
                continue
            if score is not None:  # it may be from pairs, which are more reliable than first runs
                self._scores[other.name] = score
            if other in self._runners:
                self._runners.remove(other)
            other.close()
            self._tell(other)

    def _limit_s(self, iterations: int) -> float:
        """Return the time limit for a number of runs: much slower configurations are stopped."""
        if self.best is None:
            return self.timeout_s
        return min(self.timeout_s, max(_LEAST_LIMIT_S, _LATE * self.best.run_s * iterations))

    def _tries_next(self) -> bool:
        """Return whether to try a new configuration next: trying and comparing get equal time."""
        opening = len(self.case.arms) < self.rules.opening
        return opening or not self._runners or self._trying_s <= self._telling_s

    def _try_next(self) -> bool:
        """Try a new configuration. Return False if there is none left."""
        if self.most_tried is not None and len(self.case.arms) >= self.most_tried:
            return False
        began_s = self.executor.now_s()
        place = self.strategy.ask()
        if place is None:
            return False
        self._enter(place)
        self._trying_s += self.executor.now_s() - began_s
        return True

    def _hopeful(self) -> list[Arm]:
        """Return the runners, the most promising first."""
        return sorted(self._runners, key=lambda arm: -self._scores.get(arm.name, 0.0))

    def _tell(self, arm: Arm) -> None:
        place = self.places.get(arm.name)
        if place is None or arm.name in self._told:
            return
        self._told.add(arm.name)
        score = self.score(arm)
        self.strategy.tell(place, None if score is None else -score)

    # --- Blocks ----------------------------------------------------------------------------------------------------

    def _take_block(self) -> None:
        assert self.best is not None
        began_s = self.executor.now_s()
        entrants = [self.best, *self._hopeful()[: self.rules.width]]
        doing = f"{len(self.case.arms)} tried, best so far {self.best.name}"
        tasks = [Task(place, self.best.iterations) for place in range(len(entrants))]
        for block, position, task in self._sampling.block(tasks, doing):
            arm, limit_s = entrants[task.arm], self._limit_s(task.iterations)
            if arm.driver is not None:
                self._sampling.take(arm, block, position, partial(arm.driver.sample, task.iterations, limit_s))
        self._telling_s += self.executor.now_s() - began_s

    def _judge(self) -> None:
        best = self.best
        assert best is not None
        if best.outcome != "ok":
            self._succeed()
            return
        for arm in list(self._runners):
            if arm.outcome != "ok" or self._settle(arm):
                if arm in self._runners:
                    self._runners.remove(arm)
                if arm is not self.best:
                    arm.close()
                self._tell(arm)

    def _settle(self, arm: Arm) -> bool:
        """Compare a runner with the best so far. Return True if it is no longer a runner: dropped, or the new best."""
        best, rules = self.best, self.rules
        assert best is not None
        ratios = pairs_of(arm, best).log_ratios
        if not ratios:
            return False
        effect, error = median(ratios), self.scatter() / math.sqrt(len(ratios))
        self._scores[arm.name] = self._scores[best.name] + effect
        self._errors[arm.name] = math.hypot(self._errors.get(best.name, 0.0), error)
        full = len(ratios) >= rules.most_pairs
        if effect > rules.sigmas * error and len(ratios) >= rules.fewest_pairs:
            self.best = arm
            if best not in self._runners:
                best.close()
            return True
        return full or effect < -rules.sigmas * error

    def _succeed(self) -> None:
        """Replace a failed best by the best of the others."""
        failed = self.best
        assert failed is not None
        self._tell(failed)
        others = [arm for arm in self.case.arms if self.score(arm) is not None]
        self.best = max(others, key=lambda arm: self.score(arm) or 0.0, default=None)
        if self.best is not None:
            if self.best in self._runners:
                self._runners.remove(self.best)
            if self.best.driver is None:
                self._enter(self.places[self.best.name], again=True)

    def scatter(self) -> float:
        """Return the standard deviation of a pair's log-ratio, from the pairs of all arms with the best so far."""
        assert self.best is not None
        known_of = self.best.name, sum(len(arm.samples) for arm in self.case.arms)
        if self._scatter is None or self._scatter[0] != known_of:
            self._scatter = known_of, self._scatter_of_pairs(self.best)
        return self._scatter[1]

    def _scatter_of_pairs(self, best: Arm) -> float:
        residuals: list[float] = []
        for arm in self.case.arms:
            ratios = pairs_of(arm, best).log_ratios if arm is not best else []
            if len(ratios) > 1:
                middle = median(ratios)
                # Corrects for the median being fitted to these few ratios.
                wider = math.sqrt(len(ratios) / (len(ratios) - 1))
                residuals += [wider * abs(ratio - middle) for ratio in ratios]
        if len(residuals) < self.rules.fewest_pairs:
            return self.rules.first_scatter
        # Not a robust estimate: if the machine alternates between two states, the scatter must include both.
        return max(math.sqrt(sum(one * one for one in residuals) / len(residuals)), self.sampling.least_floor)
