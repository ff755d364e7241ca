"""When each arm of a case has its turn to be set up, and how much time it may take: decision 0055.

Times are seconds of the executor's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from rooftop.measure import left_out
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.figures import pair_count
from rooftop.measure.pairings import base_point
from rooftop.measure.rules import Rules
from rooftop.measure.setup_times import SetupTimes

LEAST_LIMIT_S = 10.0  # a driver may always be silent this long: a busy machine is not a hang
_MAKES_INPUTS = 3.0  # times as long as others may be silent: the first arm of a case may have to make its inputs
_SETUP_PART = 1 / 3  # of the time left may go into setting up a group, beyond what is compared most
_PEERS_PART = 0.5  # of the time left may go into setting up peers before what is set up is timed
_RUNS_OF_A_VERDICT = 8  # a first one, the fewest pairs, and one that verifies again
_RUNS_OF_A_TIME = 3  # a first one, one sample, and one that verifies again
_LONGER = 1.2  # times as long as before must a program that was given up be given, to be tried again


def _top(rungs: Sequence[Arm]) -> list[Arm]:
    return [arm for arm in rungs if arm.outcome in (None, "ok")][-1:]


def essential(case: CaseState) -> list[Arm]:
    """Return what is compared most: the highest rung that applies to the case, the first rung, all that is no rung.

    Before its turn, a rung counts as one that applies.
    """
    rungs = [arm for arm in case.arms if arm.role == "rung"]
    return [*_top(rungs[1:]), *rungs[:1], *case.others]


def is_sampled(arm: Arm, rules: Rules) -> bool:
    """Whether an arm has samples enough for the fewest pairs. Samples from before its iterations grew do not count."""
    blocks = {one.block for one in arm.samples if one.iterations >= arm.iterations}
    return arm.outcome == "ok" and len(blocks) >= rules.min_pairs


def lacks_pairs(case: CaseState, rules: Rules) -> bool:
    """Whether something that is compared most, and was not given up, lacks its fewest pairs; so does what is new."""
    begun = [arm for arm in essential(case) if arm.outcome == "ok"]
    if not begun or not all(is_sampled(arm, rules) for arm in begun):
        return True
    base = base_point(case.arms)  # an interrupt may have left a block with one side only
    return base is not None and any(
        pair_count(arm, case.arms[base]) < rules.min_pairs for arm in begun if arm.role == "point"
    )


class Turns:
    """Decides which arms of a case are set up now, which wait for a later group, and which have no turn."""

    def __init__(self, case: CaseState, terms: Terms, now_s: Callable[[], float], setup_times: SetupTimes) -> None:
        self.case, self.terms, self.now_s, self.setup_times = case, terms, now_s, setup_times
        self.deadline_s = now_s() + terms.share_s
        self._postponed: set[int] = set()  # ids of arms that are too slow for a verdict, as far as is known

    # --- time --------------------------------------------------------------------------------------------------------

    def left_s(self) -> float:
        """Return what is left of the case's share."""
        return self.deadline_s - self.now_s()

    def free_s(self) -> float:
        """Return what is left once all that is set up has been verified again."""
        return self.left_s() - sum(self.setup_times.verifying_s(arm) for arm in self.case.arms if arm.alive)

    def spare_s(self) -> float:
        """Return what is left once all that is set up has its fewest pairs, and has been verified again."""
        fewest = self.terms.rules.min_pairs
        return self.free_s() - sum(
            max(fewest - len(arm.samples), 0) * arm.cost_s(max(arm.iterations, 1))
            for arm in self.case.arms
            if arm.alive
        )

    def patience_s(self, arm: Arm) -> float:
        """Return for how long an arm's first run may be silent: one that hangs leaves time to the others."""
        if arm.samples:  # of an earlier turn, which are not to be lost
            return self.terms.hang_limit_s
        if id(arm) in self._postponed:
            own_s = self.free_s() / _RUNS_OF_A_TIME
        elif self._may_be_postponed(arm):
            own_s = self.spare_s() / _RUNS_OF_A_VERDICT
        else:
            waiting = any(other.outcome is None and other is not arm for other in self.case.arms)
            own_s = self.left_s() / 2 if waiting else self.left_s()
        least_s = LEAST_LIMIT_S if self.setup_times.begun else _MAKES_INPUTS * LEAST_LIMIT_S
        return min(self.terms.hang_limit_s, max(least_s, own_s))

    # --- order -------------------------------------------------------------------------------------------------------

    def in_order(self, waiting: Sequence[Arm]) -> list[Arm]:
        """Return arms that wait in the order of their worth, those that are too slow for a verdict last.

        The first rung comes before the ladder in any case.
        """
        first = [arm for arm in self.case.arms if arm.role == "rung"][:1]

        def worth(arm: Arm) -> tuple[bool, float]:
            slow = id(arm) in self._postponed and all(arm is not one for one in first)
            return slow, self.setup_times.run_s(arm) if slow else 0.0

        return sorted(waiting, key=worth)

    def fits(self, waiting: Sequence[Arm]) -> bool:
        """Whether all that waits fits into half of what is left: the other half is for narrower intervals."""
        return self._needed_s(waiting) <= self.left_s() / 2

    def share_of(self, waiting: Sequence[Arm]) -> float:
        """Return the part of the spare time that arms which wait are left: as many as there are for a verdict."""
        later = sum(id(arm) not in self._postponed for arm in waiting)
        return later / (later + sum(arm.alive for arm in self.case.arms)) if later else 0.0

    # --- one arm -----------------------------------------------------------------------------------------------------

    def is_over(self, arm: Arm, began_s: float, left_s: float) -> bool:
        """Whether there is no time to set an arm up in a group that began then, with so much left."""
        spent_s, expected_s = self.now_s() - began_s, self.setup_times.expected_s(arm)
        if arm.role in ("command", "point") or all(one.role != "rung" for one in self.case.arms):
            return False
        alive = [one.run_s for one in self.case.arms if one.alive]
        run_s = min(alive) if arm.role == "twin" and alive else self.setup_times.run_s(arm)
        verdict_s = _RUNS_OF_A_VERDICT * (run_s or (fmean(alive) if alive else 0.0))
        late = {"peer": spent_s > _PEERS_PART * left_s, "rung": spent_s + expected_s > _SETUP_PART * left_s}
        return late.get(arm.role, False) or expected_s + verdict_s > self.spare_s()

    def postpones(self, arm: Arm, run_s: float) -> bool:
        """Postpone an arm whose run takes too long for a verdict beside what is set up, but only once."""
        postponed = self._may_be_postponed(arm) and run_s >= self.spare_s() / _RUNS_OF_A_VERDICT
        if postponed:
            self._postponed.add(id(arm))
        return postponed

    def _may_be_postponed(self, arm: Arm) -> bool:
        rungs = [one for one in self.case.arms if one.role == "rung"]
        others = [one for one in self.case.arms if one is not arm and one.outcome in (None, "ok")]
        is_top = any(arm is top for top in _top(rungs))
        is_open = arm.outcome is None and id(arm) not in self._postponed
        return is_open and bool(others) and arm.role in ("rung", "peer") and not is_top

    def has_time(self, arm: Arm) -> bool:
        """Whether enough time is left for an arm's turn."""
        times = self.setup_times
        # Until the first group is timed, what is compared most has its turn in any case; see `refusal` for the others.
        in_any_case = arm.role == "twin" or (not self.case.blocks and any(arm is one for one in essential(self.case)))
        if (in_any_case and not arm.samples) or id(arm) in self._postponed:
            return self.free_s() > 0
        setup_s = times.expected_s(arm) + times.run_s(arm) + times.verifying_s(arm)
        if is_sampled(arm, self.terms.rules):  # it is set up again for the sake of another one
            setup_s *= 2
        return self.free_s() > setup_s

    def refusal(self, arm: Arm) -> str | None:
        """Return the reason not even to start an arm."""
        if arm.samples:  # an earlier session has begun it
            return None
        about_s, slower_than_s = self.setup_times.known_s(arm)
        most_s = max(self.terms.share_s, 0.0) / 2
        if id(arm) in self._postponed:
            most_s = min(most_s, max(self.free_s(), 0.0) / _RUNS_OF_A_TIME)
        if about_s > most_s and about_s > self.terms.whole_share_s / _RUNS_OF_A_VERDICT:
            return left_out.too_slow(self.terms, about_s)
        if _LONGER * slower_than_s > most_s and slower_than_s > about_s:
            return left_out.too_slow(self.terms, slower_than_s, "more than")
        if about_s > most_s or not self.has_time(arm):
            programs = sum(one.role != "twin" for one in self.case.arms)
            return left_out.no_turn(self.terms, programs, self._needed_s(self.case.arms))
        return None

    def _needed_s(self, arms: Sequence[Arm]) -> float:
        """Return what arms need for the fewest pairs, as far as is known."""
        times, fewest = self.setup_times, self.terms.rules.min_pairs
        alive_s = [arm.cost_s(max(arm.iterations, 1)) for arm in self.case.arms if arm.iterations]
        usual_s = fmean(alive_s) if alive_s else 0.0
        return sum(
            times.expected_s(arm)
            + times.verifying_s(arm)
            + fewest * max(times.run_s(arm), arm.cost_s(arm.iterations) or usual_s)
            for arm in arms
        )
