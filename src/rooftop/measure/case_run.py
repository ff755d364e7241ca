"""Measures one case: sets up and verifies every arm, samples them in interleaved blocks, and verifies again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import inf

from rooftop.driver.executor import DriverFailed, Executor
from rooftop.driver.timeline import figures_of, timeline_of
from rooftop.measure import left_out
from rooftop.measure.arms import Arm, close_all
from rooftop.measure.case_state import CaseState, Journal, Terms, Watcher
from rooftop.measure.needs import Task, affordable, open_tasks, sides, void_blocks
from rooftop.measure.pairings import Pairing, pairings
from rooftop.measure.rules import Rules
from rooftop.measure.sampling import Sampling, fail
from rooftop.measure.setup_times import RunTimes, SetupTimes
from rooftop.measure.turns import LEAST_LIMIT_S, Turns, is_sampled

_KEPT = 0.1  # of a case's share is for timing, whatever setting up costs
_KEPT_OF_SETUP = 0.5  # and this part of what setting up has cost,
_MOST_KEPT = 0.25  # but not more than this part of the share: the budget is to be kept
_LATER_PART = 0.5  # of the time left is kept, at most, for arms that wait for a later group
_LATE = 30.0  # a request may take this many times what was expected


class CaseRun:
    """Measures one case with one executor; `known`: what runs took in earlier cases."""

    def __init__(
        self,
        case: CaseState,
        terms: Terms,
        executor: Executor,
        journal: Journal,
        watcher: Watcher,
        known: RunTimes | None = None,
    ) -> None:
        self.case = case
        self.terms = terms
        self._rules = terms.rules
        if terms.essentials:  # six pairs, however wide their interval is
            self._rules = replace(terms.rules, pairs=terms.rules.min_pairs, half_width=inf)
        self.executor = executor
        self.journal = journal
        self.watcher = watcher
        self._sampling = Sampling(case, journal, watcher, terms.seed)
        self._setup_times = SetupTimes(known or RunTimes(), case)
        self._turns = Turns(case, terms, executor.now_s, self._setup_times)
        self._until_s = self._kept_until_s = self._turns.deadline_s
        self._stopped: str | None = None  # why sampling ended in this turn
        self._largest_bytes = 0
        # Ids of arms whose iterations stay, for the sake of pairs with arms that ended or of an earlier turn.
        self._has_ended_partners = {id(arm) for arm in case.arms if is_sampled(arm, terms.rules)}

    def run(self) -> bool:
        """Measure until every comparison is sharp, or the case's share of the budget is spent.

        What is compared most is set up and timed first: see `Turns`. Arms whose setting up would take more than a
        third of the time, that do not fit into memory beside the others, or that are too slow for a verdict, wait for
        a later group: decision 0055. Return whether the case needs no other turn; with `Terms.essentials` it may.
        """
        try:
            waiting = self._set_up_first()
            self._time([] if self.terms.essentials else waiting, first_block=0)
            finished = not self.terms.essentials or (self.terms.at_once and self._turns.fits(waiting))
            if finished:
                self._time_the_rest(waiting)
            self.case.stopped = self._stopped or self.case.stopped if finished else "budget"
            self._verify_again(self.case.arms)
            self.journal.case_changed(self.case)
        finally:
            close_all(self.case.arms)
        return finished

    # --- groups ------------------------------------------------------------------------------------------------------

    def _set_up_first(self) -> list[Arm]:
        """Set up what is compared most, the twin, and of the ladder from the top down what there is time for."""
        began_s, left_s = self.executor.now_s(), self._turns.left_s()
        waiting: list[Arm] = []

        def set_up(arms: Iterable[Arm]) -> None:
            waiting.extend(arm for arm in arms if self._waits(arm, self._turns.is_over(arm, began_s, left_s)))

        lower = [arm for arm in self.case.arms if arm.role == "rung"]
        while lower and not waiting:  # a rung that does not apply to this case is not its top
            top = lower.pop()
            if self._waits(top):
                waiting.append(top)
            if top.alive:
                break
        sampled = self._sampled_before(lower[:1])
        others = [arm for arm in self.case.others if all(arm is not one for one in sampled)]
        # The first rung before the peers: one of these may take long before it is given up.
        waiting += [arm for arm in lower[:1] if not is_sampled(arm, self.terms.rules) and self._waits(arm)]
        set_up(others)
        if (twin := self._twin()) is not None and not is_sampled(twin, self.terms.rules):
            set_up([twin])
        if self.terms.essentials:
            waiting += [arm for arm in lower[:0:-1] if arm.outcome in (None, "ok")]
        else:
            set_up(lower[:0:-1])
            set_up(sampled)
        self._keep_time(began_s, _KEPT * self.terms.share_s)
        return self._turns.in_order(waiting)

    def _sampled_before(self, first: Sequence[Arm]) -> list[Arm]:
        """Return what an earlier turn gave its fewest pairs, but for the fastest peer: it comes after the ladder."""
        known = [arm for arm in self.case.arms if arm.role == "peer" and arm.outcome == "ok"]
        peers = sorted(known, key=lambda arm: arm.run_s)
        return [arm for arm in [*first, *peers[1:]] if is_sampled(arm, self.terms.rules)]

    def _keep_time(self, began_s: float, least_s: float = 0.0) -> None:
        """Keep some time for timing what was set up since then: else that would be wasted, whatever the share says."""
        now_s = self.executor.now_s()
        of_setup_s = min(_KEPT_OF_SETUP * (now_s - began_s), _MOST_KEPT * self.terms.share_s)
        self._kept_until_s = now_s + max(least_s, of_setup_s)

    def _set_up_later(self, waiting: Sequence[Arm]) -> list[Arm]:
        """Set up arms that have waited, at least the first of them, and return those that still wait."""
        began_s, left_s = self.executor.now_s(), self._turns.left_s()
        if self._lacks_memory() is not None:
            self._make_room()
        still: list[Arm] = []
        for place, arm in enumerate(waiting):
            if place == 0 and (lack := self._lacks_memory()) is not None and self._turns.left_s() > 0:
                arm.end("skipped", lack)
            if self._waits(arm, place > 0 and self._turns.is_over(arm, began_s, left_s)):
                still.append(arm)
        self._keep_time(began_s)
        return self._turns.in_order(still)

    def _waits(self, arm: Arm, over: bool = False) -> bool:
        """Set an arm up now, or return that it waits for a later group. `over`: there is no time for it now."""
        is_open = arm.outcome in (None, "ok") and self._turns.has_time(arm)
        if not is_open and arm.samples:  # of an earlier turn
            return False
        if is_open and (over or self._lacks_memory() is not None):
            return True
        if self._turns.postpones(arm, self._setup_times.run_s(arm)):
            return True
        began_s = self.executor.now_s()
        self._set_up(arm)
        if arm.driver is not None or arm.outcome is None:
            self._setup_times.took(arm, self.executor.now_s() - began_s)
        return arm.outcome is None

    def _lacks_memory(self) -> str | None:
        """Return the reason why memory does not suffice for one more driver; None where it does."""
        needed, available = 1.1 * self._largest_bytes, self.executor.available_bytes()
        return left_out.no_memory(needed, available) if needed > available else None

    def _make_room(self) -> None:
        """End all drivers but those that later arms are compared with; of these, too, until one more fits.

        The top rung's stays, then that of the fastest peer, of the rung above those that wait, and of the first rung.
        """
        alive = [arm for arm in self.case.arms if arm.alive]
        rungs = [arm for arm in alive if arm.role == "rung"]
        peers = sorted((arm for arm in self.case.others if arm.alive), key=lambda arm: arm.run_s)
        worth = [*rungs[-1:], *peers[:1], *rungs[1:-1][:1], *rungs[:-1][:1]]
        self._end([arm for arm in alive if all(arm is not one for one in worth)])
        while len(worth) > 1 and self._lacks_memory() is not None:
            self._end([worth.pop()])
        self._has_ended_partners |= {id(arm) for arm in worth}

    def _end(self, arms: Sequence[Arm]) -> None:
        """Verify arms again and end their drivers."""
        self._verify_again(arms)
        close_all(arms)

    def _time_the_rest(self, waiting: list[Arm]) -> None:
        """Set up what waits, group by group, and sample until all comparisons are as sharp as the rules ask."""
        if self._rules is not self.terms.rules:
            self._rules = self.terms.rules
            if not waiting:
                self._time(waiting, first_block=self.case.blocks)
        while waiting:
            waiting = self._set_up_later(waiting)
            self._time(waiting, first_block=self.case.blocks)
        self._skip_unmeasured()  # not before: a later group may have had time for it

    def _time(self, waiting: Sequence[Arm], first_block: int) -> None:
        """Sample the arms that are set up. Of the time beyond their fewest pairs, those that wait are left a part."""
        if not any(arm.alive for arm in self.case.arms):
            return
        part = min(_LATER_PART, self._turns.share_of(waiting))
        self._until_s = self._turns.deadline_s - part * max(self._turns.spare_s(), 0.0)
        stopped = self._sample_blocks(first_block)
        if stopped == "budget" or self._stopped in (None, "resolved"):
            self._stopped = stopped

    # --- before timing ---------------------------------------------------------------------------------------------

    def _set_up(self, arm: Arm) -> None:
        if arm.outcome not in (None, "ok"):  # decided before, or in the session that this one resumes
            if arm.key is None:
                self.journal.arm_changed(self.case, arm)
            return
        self.watcher.progressed(self.case, f"verifying {arm.name}")
        if (reason := self._turns.refusal(arm)) is not None:
            arm.end("skipped", reason)
        else:
            try:
                self._first_run(arm)
                if arm.alive:
                    self._calibrate(arm)
            except DriverFailed as failure:
                fail(arm, failure)
        if arm.outcome is not None:
            self.journal.arm_changed(self.case, arm)

    def _first_run(self, arm: Arm) -> None:
        terms = self.terms
        limit_s = self._turns.patience_s(arm)
        try:
            reply = self._sampling.first_run(arm, self.executor, arm.module.team_in(terms.team), limit_s)
        except DriverFailed as failure:
            if failure.silent and limit_s < terms.hang_limit_s:
                arm.slower_than_s = limit_s
                if self._turns.postpones(arm, limit_s):
                    arm.close()
                else:
                    arm.end("skipped", left_out.too_slow(terms, limit_s, "more than"))
                return
            raise
        assert arm.driver is not None
        self._largest_bytes = max(self._largest_bytes, arm.driver.peak_bytes())
        arm.error, arm.tolerance, arm.work, arm.binding = reply.error, reply.tolerance, reply.work, reply.binding
        if not self._sampling.right(arm, reply):
            return
        first_s = (reply.first_run_ns or 0.0) * 1e-9
        if not arm.samples:
            arm.run_s = first_s
        if terms.slow_limit_s is not None and first_s > terms.slow_limit_s and not arm.samples:
            arm.end(
                "skipped", f"one run takes {first_s:.3g} s, over the experiment's limit of {terms.slow_limit_s:.3g} s"
            )
        elif first_s > terms.whole_share_s / 2 and not arm.samples:
            arm.end("skipped", left_out.too_slow(terms, first_s))

    def _calibrate(self, arm: Arm) -> None:
        if arm.iterations > 0:
            return  # an earlier session's samples are to be paired with
        shortest_ns = self.terms.rules.sample_ns(self.terms.clock_resolution_ns)
        if arm.run_s * 1e9 > 10 * shortest_ns:  # the first run was cold, and still no later one can be so much faster
            arm.iterations = 1
            return
        assert arm.driver is not None
        reply = arm.driver.calibrate(int(self.terms.rules.calibrate_margin * shortest_ns), self._limit_s(arm, 1))
        arm.iterations = reply.iterations
        arm.run_s = reply.elapsed_ns * 1e-9 / reply.iterations

    def _twin(self) -> Arm | None:
        """Return a second arm of the fastest rung: what differs between the two is the noise floor."""
        known = next((arm for arm in self.case.arms if arm.role == "twin"), None)
        if known is not None:
            return known
        alive = [arm for arm in self.case.arms if arm.alive and arm.role == "rung"]
        alive = alive or [arm for arm in self.case.arms if arm.alive]
        if not alive:
            return None
        original = min(alive, key=lambda arm: arm.run_s)
        twin = Arm(original.module, "twin", iterations=original.iterations, metric=original.metric)
        self.case.arms.append(twin)
        return twin

    # --- timing ----------------------------------------------------------------------------------------------------

    def _sample_blocks(self, first_block: int) -> str:
        """Sample what is set up and return why that ended. `first_block`: blocks before it were of another group."""
        stopped = "blocks"
        most = self._rules.max_blocks + self.case.cut
        while self.case.blocks - max(first_block, void_blocks(self.case.arms)) < most:
            tasks, given_up = self._next_tasks()
            if not tasks:
                stopped = "budget" if given_up else "blocks" if self._would_go_on() else "resolved"
                break
            self._take_block(tasks)
        return stopped

    def _next_tasks(self) -> tuple[list[Task], bool]:
        """Return the samples that the next block takes, and whether some that are wanted cannot be afforded."""
        arms, rules = self.case.arms, self._rules
        # The time to verify each sampled arm once more is set aside. If setting up took longer than expected, some time
        # is kept for timing anyway.
        owed_s = self._turns.left_s() - self._turns.free_s()
        left_s = max(self._until_s - owed_s, self._kept_until_s) - self.executor.now_s()
        wanted = self._wanted()
        given_up = False
        while True:
            needs = self._open_tasks(wanted, rules)
            costs = {task: (max(arms[task.arm].cost_s(task.iterations), 1e-9), n) for task, n in needs.items()}
            untimed = {task for task in needs if not arms[task.arm].samples}
            granted = affordable(costs, left_s, rules.scarce, untimed)
            # Half a pair is of no use: what only one side can afford, neither takes.
            feasible = [pairing for pairing in wanted if all(granted.get(side, 1) for side in sides(arms, pairing))]
            given_up = given_up or len(feasible) < len(wanted)
            if len(feasible) == len(wanted):
                return [task for task, samples in granted.items() if samples], given_up or not all(granted.values())
            wanted = feasible

    def _would_go_on(self) -> bool:
        """Whether there would be more to take, were more blocks allowed."""
        return bool(self._open_tasks(self._wanted(), replace(self._rules, max_blocks=sys.maxsize)))

    def _wanted(self) -> list[Pairing]:
        """Return the comparisons whose two sides have a driver."""
        arms = self.case.arms
        wanted = pairings(arms, self.terms.whole_share_s, self._rules, self.case.asked, self.case.base)
        return [one for one in wanted if arms[one.subject].alive and arms[one.against].alive]

    def _open_tasks(self, wanted: Sequence[Pairing], rules: Rules) -> dict[Task, int]:
        tasks = open_tasks(self.case.arms, wanted, rules)
        return {task: samples for task, samples in tasks.items() if self.case.arms[task.arm].alive}

    def _take_block(self, tasks: Iterable[Task]) -> None:
        for block, position, task in self._sampling.block(tasks):
            arm = self.case.arms[task.arm]
            if arm.alive:
                self._take_sample(arm, task.iterations, block, position)

    def _take_sample(self, arm: Arm, iterations: int, block: int, position: int) -> None:
        assert arm.driver is not None
        run = partial(arm.driver.sample, iterations, self._limit_s(arm, iterations))
        reply = self._sampling.take(arm, block, position, run)
        if isinstance(reply, DriverFailed):
            if arm.role == "twin" and reply.wrong:
                self._void_original(arm)
            return
        shortest_ns = self.terms.rules.sample_ns(self.terms.clock_resolution_ns)
        may_grow = iterations == arm.iterations and id(arm) not in self._has_ended_partners
        if may_grow and reply.elapsed_ns < shortest_ns:
            # Warm, it is faster than the calibration saw. What was taken so far is kept, and pairs begin anew.
            arm.iterations *= 2
            self.journal.arm_changed(self.case, arm)

    def _skip_unmeasured(self) -> None:
        """Name the budget as the reason for every arm that it left without a sample."""
        for arm in self.case.arms:
            if arm.outcome == "ok" and not arm.samples and arm.role != "twin":
                slow = arm.cost_s(1) > _KEPT * self.terms.share_s
                arm.end("skipped", left_out.too_slow(self.terms, arm.run_s) if slow else left_out.not_timed(self.terms))
                self.journal.arm_changed(self.case, arm)

    # --- after timing ----------------------------------------------------------------------------------------------

    def _verify_again(self, arms: Sequence[Arm]) -> None:
        """Verify what was timed: a result that has gone wrong meanwhile voids the times."""
        for arm in arms:
            if not arm.alive or not arm.samples:
                continue
            assert arm.driver is not None
            self.watcher.progressed(self.case, f"verifying {arm.name} again")
            began_s = self.executor.now_s()
            try:
                reply = arm.driver.verify(max(self.terms.hang_limit_s, self._limit_s(arm, 1)))
            except DriverFailed as failure:
                fail(arm, failure)
            else:
                self._setup_times.verified(arm, self.executor.now_s() - began_s)
                arm.timeline, arm.figures = timeline_of(reply.facts or []), figures_of(reply.facts or [])
                if reply.outcome != "ok":
                    arm.error, arm.tolerance = reply.error, reply.tolerance
                    arm.end(reply.outcome, f"after timing: {reply.reason or 'no reason given'}", "verify")
            if arm.outcome != "ok" or arm.timeline is not None or arm.figures is not None:
                self.journal.arm_changed(self.case, arm)
            if arm.role == "twin" and arm.outcome == "wrong":
                self._void_original(arm)

    def _void_original(self, twin: Arm) -> None:
        """Take a rung's times away whose second driver was wrong: it is right by chance only."""
        for arm in self.case.arms:
            if arm.module == twin.module and arm.outcome == "ok":
                arm.end("wrong", f"a second driver of it gave a wrong result: {twin.reason}", "verify")
                self.journal.arm_changed(self.case, arm)

    def _limit_s(self, arm: Arm, iterations: int) -> float:
        """Return how long a request may take, far beyond what is expected but never for ever."""
        cost_s = arm.cost_s(iterations)
        return max(LEAST_LIMIT_S, min(_LATE * cost_s, self.terms.hang_limit_s + cost_s))
