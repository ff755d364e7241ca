"""What setting up the arms of a case takes, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from rooftop.measure.arms import Arm

_VERIFYING_PART = 0.6  # of what setting an arm up took is what verifying it again will take


class SetupTimes:
    """Seconds of setting up: as measured in this case so far, else as runs of the module in earlier cases predict.

    expected_s  one run of a module for one unit of work, by its name
    nominal     units of work of the case
    """

    def __init__(self, expected_s: Mapping[str, float], nominal: float) -> None:
        self._expected_s, self._nominal = expected_s, nominal
        self._taken_s: dict[int, float] = {}  # by id of the arm

    @property
    def begun(self) -> bool:
        """Whether an arm of the case was set up."""
        return bool(self._taken_s)

    def took(self, arm: Arm, seconds: float) -> None:
        """Remember what setting an arm up took: starting, making inputs, the first run, verifying it, calibrating."""
        self._taken_s[id(arm)] = seconds

    def expected_s(self, arm: Arm) -> float:
        """Return what setting an arm up may take: as long as others of this case, or two of its runs."""
        run_s = self._expected_s.get(arm.name, 0.0) * self._nominal
        return max(fmean(self._taken_s.values()) if self._taken_s else 0.0, 2 * run_s)

    def verifying_s(self, arm: Arm) -> float:
        """Return what verifying an arm again may take."""
        taken_s = self._taken_s.get(id(arm))
        return max(arm.run_s, _VERIFYING_PART * (self.expected_s(arm) if taken_s is None else taken_s))
