"""The costs of two sides, pair by pair, and the ratio of their means."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import NormalDist, fmean

_DISTURBED = 0.1  # of the runs of both sides may be the machine's disturbances
_CHANCE = 1  # so many dear runs more on one side say nothing
_UNSEEN = 5  # more may be behind up to five events: the upper limits of 1, 3 and 5 are 4.7, 7.8 and 10.5


@dataclass(frozen=True)
class Pairs:
    """The costs of both sides, in the order of the blocks: times, or others of which less is better. All are positive.

    subject  what is judged
    against  what it is held against
    """

    subject: tuple[float, ...]
    against: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.subject) != len(self.against):
            raise ValueError(f"{len(self.subject)} and {len(self.against)} costs are no pairs")

    @classmethod
    def of(cls, costs: tuple[Iterable[float], Iterable[float]]) -> Pairs:
        """Return the pairs of two rows of costs."""
        return cls(tuple(costs[0]), tuple(costs[1]))

    def __len__(self) -> int:
        return len(self.subject)

    @cached_property
    def log_ratios(self) -> tuple[float, ...]:
        """log(speed of the subject / speed of the other), pair by pair."""
        return tuple(math.log(b / a) for a, b in zip(self.subject, self.against, strict=True))

    @property
    def swapped(self) -> Pairs:
        """The same with the sides exchanged."""
        return Pairs(self.against, self.subject)

    def first(self, count: int) -> Pairs:
        """Return the first pairs, all but the last -count where it is negative."""
        return Pairs(self.subject[:count], self.against[:count])

    @property
    def undisturbed(self) -> Pairs:
        """The same with the dearest tenth of all runs at the cost of the next one (winsorised).

        A share that is worth judging lies above it; what lies within may be the machine's doing.
        """
        ordered = sorted(self.subject + self.against)
        most = ordered[len(ordered) - 1 - int(_DISTURBED * len(ordered))] if ordered else 0.0
        return Pairs(tuple(min(cost, most) for cost in self.subject), tuple(min(cost, most) for cost in self.against))


def rare_excess(pairs: Pairs) -> float:
    """Return by how much the dearest runs of the subject exceed what the other side shows oftener; 0 where they do not.

    The dearest tenth is looked at, each run beside the other side's that is one rank lower. What the other side shows
    oftener is the machine's doing.
    """
    ours, theirs = (sorted(side, reverse=True) for side in (pairs.subject, pairs.against))
    rare = ours[: math.ceil(_DISTURBED * len(ours))]
    return max([0.0, *(a - b for a, b in zip(rare, theirs[_CHANCE:], strict=False))])


def mean_with_rare(pairs: Pairs, excess: float) -> float:
    """Return log(mean cost of the other / mean cost of the subject), with as many slow runs as there may be.

    Rare events come by chance: behind a few there may be as many more (95 %). So many more runs are taken to exceed.
    Source: Garwood, Fiducial limits for the Poisson distribution, Biometrika 28 (1936).

    excess  of a rare run, as a cost
    """
    return math.log(math.fsum(pairs.against) / (math.fsum(pairs.subject) + _UNSEEN * excess))


@dataclass(frozen=True)
class MeanRatio:
    """log(mean cost of the other / mean cost of the subject) with its 95 % interval: above 0 the subject is better."""

    value: float
    lo: float
    hi: float
    count: int

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.hi - self.lo) / 2

    @property
    def error(self) -> float:
        """The standard error of the value."""
        return self.half_width / _student(self.count - 1)


@cache
def _student(freedom: int) -> float:
    """Return Student's t for 95 %, within 1 % from 5 degrees of freedom on.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5. SciPy takes a second to import.
    """
    z = NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def mean_ratio(pairs: Pairs) -> MeanRatio | None:
    """Return the ratio of the means; None below two pairs.

    The interval is that of a ratio of paired means by linearisation. Source: Cochran, Sampling Techniques (1977), 6.4.
    """
    count = len(pairs)
    if count < 2:
        return None
    ours, theirs = fmean(pairs.subject), fmean(pairs.against)
    value = math.log(theirs / ours)
    apart = [b / theirs - a / ours for a, b in zip(pairs.subject, pairs.against, strict=True)]  # their mean is 0
    error = math.sqrt(math.fsum(one * one for one in apart) / (count * (count - 1)))
    return MeanRatio(value, value - _student(count - 1) * error, value + _student(count - 1) * error, count)
