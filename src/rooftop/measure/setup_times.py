"""What setting up the arms of a case takes, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean

from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.pairings import estimate_s

_VERIFYING_PART = 0.5  # of what setting an arm up took is what verifying it again will take, until that is known
_GIVEN_UP = 2.0  # times as long as it was given may a run take that was given up


@dataclass
class RunTimes:
    """Seconds of one run for one unit of work, by the module's name, from the cases so far.

    about_s        of those that answered, the least of all cases: what was slower on one may be quick on the next
    slower_than_s  of those that were given up and have not answered in any case
    verifying      what verifying again took, as parts of what setting up had taken
    set_up_s       what setting up took, by case and by id of the arm
    """

    about_s: dict[str, float] = field(default_factory=dict)
    slower_than_s: dict[str, float] = field(default_factory=dict)
    verifying: list[float] = field(default_factory=list)
    set_up_s: dict[str, dict[int, float]] = field(default_factory=dict)

    def learn(self, arms: Iterable[Arm], nominal: float) -> None:
        """Remember what runs of a case took, whose units of work are `nominal`."""
        for arm in arms:
            if (run_s := estimate_s(arm)) > 0:
                self.about_s[arm.name] = min(run_s / nominal, self.about_s.get(arm.name, run_s / nominal))
                self.slower_than_s.pop(arm.name, None)
            elif arm.slower_than_s > 0 and arm.name not in self.about_s:
                self.slower_than_s[arm.name] = arm.slower_than_s / nominal


class SetupTimes:
    """Seconds of setting up: as measured in this case so far, else as runs in earlier cases predict."""

    def __init__(self, known: RunTimes, case: CaseState) -> None:
        self._known = known
        self._nominal = case.nominal
        self._taken_s = known.set_up_s.setdefault(case.title, {})

    @property
    def begun(self) -> bool:
        """Whether an arm of the case was set up."""
        return bool(self._taken_s)

    def took(self, arm: Arm, seconds: float) -> None:
        """Remember what setting an arm up took: starting, making inputs, the first run, verifying it, calibrating."""
        self._taken_s[id(arm)] = seconds

    def verified(self, arm: Arm, seconds: float) -> None:
        """Remember what verifying an arm again took."""
        if (taken_s := self._taken_s.get(id(arm), 0.0)) > 0:
            self._known.verifying.append(min(seconds / taken_s, 1.0))

    def expected_s(self, arm: Arm) -> float:
        """Return what setting an arm up may take: as long as others of this case, or two of its runs."""
        return max(fmean(self._taken_s.values()) if self._taken_s else 0.0, 2 * self.run_s(arm))

    def known_s(self, arm: Arm) -> tuple[float, float]:
        """Return about what one run takes, and what it takes longer than; 0 where that is not known."""
        return (
            max(arm.run_s, self._known.about_s.get(arm.name, 0.0) * self._nominal),
            max(arm.slower_than_s, self._known.slower_than_s.get(arm.name, 0.0) * self._nominal),
        )

    def run_s(self, arm: Arm) -> float:
        """Return what one run may take, as far as is known; 0 where nothing is."""
        about_s, slower_than_s = self.known_s(arm)
        return max(about_s, _GIVEN_UP * slower_than_s)

    def verifying_s(self, arm: Arm) -> float:
        """Return what verifying an arm again may take."""
        taken_s = self._taken_s.get(id(arm))
        part = max(self._known.verifying, default=_VERIFYING_PART)
        return max(arm.run_s, part * (self.expected_s(arm) if taken_s is None else taken_s))
