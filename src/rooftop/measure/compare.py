"""The verdict on a paired comparison: by the median, the mean and the distribution.

The median of the paired log-ratios and the sign test ask nothing of the noise but that pairs are exchangeable, and
they do not mind outliers, so none is deleted. Source: Conover, Practical Nonparametric Statistics (1999), section 3.2.
The figures are those of scipy.stats.quantile_test, which takes a second to import; NumPy takes long as well. A median
does not see how many runs are slow: see docs/decisions/0049-median-mean-and-distribution.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, takewhile
from statistics import median, quantiles

from rooftop.documents import Comparison, Question, Resolved, Verdict
from rooftop.measure.pairs import MeanRatio, Pairs, mean_ratio
from rooftop.measure.rules import Rules
from rooftop.measure.swapping import QUESTIONS, slower_p_values

CONFIDENCE = 0.95
LEVEL = 1 - CONFIDENCE


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


@dataclass(frozen=True)
class Weighed:
    """What paired costs say of the subject. p-values are one-sided and corrected for there being three questions.

    floor  the A/A floor, as a relative difference
    mean   the ratio of the means; None below two pairs
    """

    effect: Spread
    mean: MeanRatio | None
    floor: float
    slower: Mapping[Question, float]
    faster: Mapping[Question, float]

    @property
    def p(self) -> float:
        """The two-sided p-value of there being any difference."""
        return min(1.0, 2 * min(*self.slower.values(), *self.faster.values()))

    def resolved(self, level: float) -> dict[Question, Resolved]:
        """Return what is resolved at a level, and how. The median and the mean must exceed the floor as well."""
        least = math.log1p(self.floor)
        found: dict[Question, Resolved] = {}
        for question in QUESTIONS:
            slower, faster = (2 * p_values[question] <= level for p_values in (self.slower, self.faster))
            if question == "median":
                slower &= self.effect.median < -least and self.effect.hi < 0
                faster &= self.effect.median > least and self.effect.lo > 0
            elif question == "mean":
                value = self.mean.value if self.mean is not None else 0.0
                slower, faster = slower and value < -least, faster and value > least
            if slower or faster:
                found[question] = "slower" if slower else "faster"
        return found

    def verdict(self, level: float) -> Verdict:
        """Return what all that is resolved says; not resolved where nothing is, or one says the contrary of another."""
        said = set(self.resolved(level).values())
        return said.pop() if len(said) == 1 else "not resolved"


def weigh(pairs: Pairs, floor: float, rules: Rules, finest: float = LEVEL) -> Weighed | None:
    """Weigh paired costs; None without a pair. Fewer pairs than a verdict needs say nothing.

    floor   A/A, as a relative difference
    finest  the level that they will be held against at the least
    """
    effect = spread(pairs.log_ratios)
    if effect is None:
        return None
    slower: Mapping[Question, float] = dict.fromkeys(QUESTIONS, 1.0)
    faster = slower
    if effect.proven and effect.count >= rules.min_pairs and pairs.subject != pairs.against:
        shift = math.log1p(floor)
        slower = slower_p_values(pairs, 0.0, shift, finest / 2)
        faster = slower_p_values(pairs.swapped, 0.0, shift, finest / 2)
    return Weighed(effect, mean_ratio(pairs), floor, slower, faster)


def sharp(effect: Spread | None, rules: Rules) -> bool:
    """Whether the interval is narrow, absolutely or beside the effect.

    It depends on the interval's width and never on its place, so that looking again after each block cannot turn noise
    into a verdict.
    """
    if effect is None or not effect.proven or effect.count < rules.min_pairs:
        return False
    return effect.half_width <= _asked_width(effect.median, rules)


def _asked_width(effect: float, rules: Rules) -> float:
    return max(rules.half_width, rules.of_effect * abs(effect))


def judged_mean(pairs: Pairs, rules: Rules) -> MeanRatio | None:
    """Return the ratio of the means whose interval must be narrow; None below two pairs.

    Of many pairs it is that without the machine's disturbances, whose mean no number of pairs would make sharp.
    """
    return mean_ratio(pairs if len(pairs) < rules.disturbed_pairs else pairs.undisturbed)


def _narrow(pairs: Pairs, rules: Rules, part: float) -> bool:
    """Whether the intervals of median and mean are at most this part of what is asked."""
    effect = spread(pairs.log_ratios)
    if effect is None or not effect.proven or effect.count < rules.min_pairs:
        return False
    if effect.half_width > part * _asked_width(effect.median, rules):
        return False
    mean = judged_mean(pairs, rules)
    return mean is not None and mean.half_width <= part * _asked_width(mean.value, rules)


@lru_cache(maxsize=1024)  # asked after each block, also of pairs that no longer grow
def settled(pairs: Pairs, rules: Rules) -> bool:
    """Whether no more pairs are needed: median and mean are sharp, and were so before the last few.

    Who stops at the first interval that is narrow stops more often where it is too narrow by chance: of A/A comparisons
    with noise of 3 to 5 % some 6 % then exclude 0. One that is far narrower than asked may stop at once.
    """
    if not _narrow(pairs, rules, 1.0):
        return False
    return _narrow(pairs, rules, rules.at_once) or _narrow(pairs.first(-rules.confirming), rules, 1.0)


def comparison(against: str, pairs: Pairs, floor: float, rules: Rules) -> Comparison | None:
    """Return the comparison that pairs support by themselves; None when there is no pair."""
    weighed = weigh(pairs, floor, rules)
    return told(against, weighed) if weighed is not None else None


def told(against: str, weighed: Weighed, level: float = LEVEL) -> Comparison:
    """Return what was weighed as a document tells it."""
    effect, mean = weighed.effect, weighed.mean
    return Comparison(
        against=against,
        ratio=math.exp(effect.median),
        lo=math.exp(effect.lo),
        hi=math.exp(effect.hi),
        pairs=effect.count,
        verdict=weighed.verdict(level),
        floor=weighed.floor,
        resolved=weighed.resolved(level),
        mean=math.exp(mean.value) if mean is not None else None,
        mean_lo=math.exp(mean.lo) if mean is not None else None,
        mean_hi=math.exp(mean.hi) if mean is not None else None,
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
