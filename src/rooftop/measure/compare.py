"""Medians with sign-test intervals, and the verdict on a paired comparison.

The median of the paired log-ratios and the sign test ask nothing of the noise but that pairs are exchangeable, and
they do not mind outliers, so none is deleted. Source: Conover, Practical Nonparametric Statistics (1999), section 3.2.
The figures are those of scipy.stats.quantile_test, which takes a second to import; NumPy takes long as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, takewhile
from statistics import median, quantiles

from rooftop.documents import Comparison, Verdict
from rooftop.measure.rules import Rules

CONFIDENCE = 0.95


@cache
def _interval_ranks(count: int) -> tuple[int, int] | None:
    """Return the places, from 0, of the interval's ends among `count` sorted values; None when there are too few."""
    if count < 1:
        return None
    # P(X <= k) of a binomial distribution with p = 1/2, for each k, by whole numbers: exact
    tails = accumulate(math.comb(count, k) for k in range(count))
    low = sum(1 for _ in takewhile(lambda tail: tail / 2**count <= (1 - CONFIDENCE) / 2, tails)) - 1
    return None if low < 0 else (low, count - 1 - low)


@dataclass(frozen=True)
class Spread:
    """A median and its 95 % interval. With too few values for an interval: their range, and proven is False."""

    median: float
    lo: float
    hi: float
    count: int
    proven: bool

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.hi - self.lo) / 2


def spread(values: Iterable[float]) -> Spread | None:
    """Return the median of `values` and its interval; None for no values."""
    ordered = sorted(map(float, values))
    if not ordered:
        return None
    ranks = _interval_ranks(len(ordered))
    low, high = ranks if ranks is not None else (0, len(ordered) - 1)
    return Spread(median(ordered), ordered[low], ordered[high], len(ordered), ranks is not None)


def log_ratios(subject: Sequence[float], against: Sequence[float]) -> list[float]:
    """Return log(speed of the subject / speed of the other), pair by pair, from their times or other costs."""
    return [math.log(b / a) for a, b in zip(subject, against, strict=True)]


def verdict(effect: Spread | None, floor: float, rules: Rules) -> Verdict:
    """Judge log-ratios: an effect is claimed when its interval excludes 0 and its median exceeds the floor."""
    if effect is None or not effect.proven or effect.count < rules.min_pairs:
        return "not resolved"
    if abs(effect.median) <= math.log1p(floor):
        return "not resolved"
    if effect.lo > 0:
        return "faster"
    return "slower" if effect.hi < 0 else "not resolved"


def sharp(effect: Spread | None, rules: Rules) -> bool:
    """Whether the interval is narrow, absolutely or beside the effect.

    It depends on the interval's width and never on its place, so that looking again after each block cannot turn noise
    into a verdict.
    """
    if effect is None or not effect.proven or effect.count < rules.min_pairs:
        return False
    return effect.half_width <= _asked_width(effect, rules)


def _asked_width(effect: Spread, rules: Rules) -> float:
    return max(rules.half_width, rules.of_effect * abs(effect.median))


def settled(ratios: Sequence[float], rules: Rules) -> bool:
    """Whether log-ratios need no more pairs: they are sharp, and were so before the last few.

    Who stops at the first interval that is narrow stops more often where it is too narrow by chance: of A/A comparisons
    with noise of 3 to 5 % some 6 % then exclude 0. One that is far narrower than asked may stop at once.
    """
    effect = spread(ratios)
    if effect is None or not sharp(effect, rules):
        return False
    if effect.half_width <= rules.at_once * _asked_width(effect, rules):
        return True
    return sharp(spread(ratios[: -rules.confirming]), rules)


def comparison(against: str, ratios: Sequence[float], floor: float, rules: Rules) -> Comparison | None:
    """Return the comparison that log-ratios support; None when there is no pair."""
    effect = spread(ratios)
    if effect is None:
        return None
    return Comparison(
        against=against,
        ratio=math.exp(effect.median),
        lo=math.exp(effect.lo),
        hi=math.exp(effect.hi),
        pairs=effect.count,
        verdict=verdict(effect, floor, rules),
        floor=floor,
    )


def noise_floor(twins: Sequence[Sequence[float]], rules: Rules) -> float | None:
    """Return the A/A floor as a relative difference from the log-ratios of identical twins, one sequence per case.

    Two drivers of one module differ by their luck with addresses and pages, which stays as long as they live. Each
    case's median is one draw of that luck; the floor is what 95 % of the draws stay under. A case so disturbed that its
    own twins are not sharp tells nothing of the others, and counts only where there is no better. None without a twin.
    """
    effects = [effect for ratios in twins if (effect := spread(ratios)) is not None]
    if not effects:
        return None
    known = [effect for effect in effects if sharp(effect, rules)] or effects
    medians = [abs(effect.median) for effect in known]
    largest = quantiles(medians, n=20, method="inclusive")[-1] if len(medians) > 1 else medians[0]
    return max(math.expm1(largest), rules.least_floor)
