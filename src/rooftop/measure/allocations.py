"""One verdict over several allocations, each a random draw of what an allocation does to the ratio of two programs.

Every allocation gives the median of its paired log-ratios and the ratio of its means, each with a standard error. They
are combined by the random-effects model: between allocations the ratio varies by a variance of its own (Paule and
Mandel, Journal of Research of the NBS 87, 1982), and the error of the combined ratio is that of Hartung and Knapp,
Statistics in Medicine 20 (2001), with Student's t of one degree of freedom fewer than allocations. Few allocations may
agree by chance, and that interval is then too narrow: the error is never taken to be less than that of the model
itself (Röver, Knapp and Friede, BMC Medical Research Methodology 15, 2015). Source of the median's error: Maritz and
Jarrett, Journal of the American Statistical Association 73 (1978).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.errors import Misuse
from rooftop.measure.compare import CONFIDENCE, Spread, Weighed, spread
from rooftop.measure.pairs import MeanRatio, Pairs, mean_ratio
from rooftop.measure.rules import Rules
from rooftop.measure.swapping import QUESTIONS

_QUESTIONS = 2  # median and mean, corrected for each other (Bonferroni)


@dataclass(frozen=True)
class Combined:
    """A log-ratio over all allocations with its 95 % interval.

    between  standard deviation of the ratio from allocation to allocation, as a log-ratio
    """

    value: float
    lo: float
    hi: float
    between: float
    slower_p: float
    faster_p: float


@dataclass(frozen=True)
class WeighedOver:
    """What the pairs of several allocations say together. The distribution is judged within an allocation only."""

    weighed: Weighed
    between: float


def require_statsmodels() -> None:
    """Raise Misuse where the library that combines allocations is missing."""
    try:
        import statsmodels.stats.meta_analysis  # noqa: F401
    except ImportError as error:
        told = "a verdict over several allocations needs statsmodels: pip install 'rooftop[cluster]'"
        raise Misuse(f"{told} ({error})") from error


def combined(values: Sequence[float], errors: Sequence[float]) -> Combined:
    """Combine the log-ratios of at least two allocations, which have positive standard errors."""
    import numpy as np
    from scipy.stats import t as student
    from statsmodels.stats.meta_analysis import combine_effects

    with np.errstate(all="ignore"):  # of figures that are not used: ratios of variances where allocations are equal
        found = combine_effects(np.asarray(values), np.square(errors), method_re="iterated", use_t=True)
    _, of_model, _, of_scatter = found.conf_int(alpha=1 - CONFIDENCE)
    lo, hi = max(of_model, of_scatter, key=lambda ends: float(ends[1] - ends[0]))
    error = max(float(found.sd_eff_w_re), float(found.sd_eff_w_re_hksj))
    value, freedom = float(found.mean_effect_re), len(values) - 1
    above, below = (float(student.sf(way * value / error, freedom)) for way in (1, -1))
    return Combined(value, float(lo), float(hi), math.sqrt(max(0.0, float(found.tau2))), below, above)


def enough(pairs: Pairs, rules: Rules) -> bool:
    """Whether an allocation's pairs count in a verdict over several."""
    return len(pairs) >= rules.min_pairs


def weigh_over(each: Sequence[Pairs], floor: float, rules: Rules) -> WeighedOver | None:
    """Weigh the pairs of several allocations; None below two that have enough.

    floor  A/A over all allocations, as a relative difference
    """
    counted = [pairs for pairs in each if enough(pairs, rules)]
    if len(counted) < 2:
        return None
    medians = [_median(pairs, rules) for pairs in counted]
    means = [(one.value, max(one.error, rules.least_floor)) for pairs in counted if (one := mean_ratio(pairs))]
    by_median, by_mean = (combined(*zip(*found, strict=True)) for found in (medians, means))
    count = sum(map(len, counted))

    def corrected(of_median: float, of_mean: float) -> dict[str, float]:
        known = {"median": of_median, "mean": of_mean}
        return {question: min(1.0, _QUESTIONS * known.get(question, 1.0)) for question in QUESTIONS}

    weighed = Weighed(
        Spread(by_median.value, by_median.lo, by_median.hi, count, proven=True),
        MeanRatio(by_mean.value, by_mean.lo, by_mean.hi, count),
        floor,
        slower=corrected(by_median.slower_p, by_mean.slower_p),  # type: ignore[arg-type]
        faster=corrected(by_median.faster_p, by_mean.faster_p),  # type: ignore[arg-type]
    )
    return WeighedOver(weighed, by_median.between)


def _median(pairs: Pairs, rules: Rules) -> tuple[float, float]:
    """Return the median of the log-ratios of an allocation, and its standard error: at least what the clock resolves.

    Equal costs have none of their own, and would outweigh all other allocations.
    """
    from scipy.stats.mstats import mjci

    found = spread(pairs.log_ratios)
    assert found is not None
    return found.median, max(float(mjci(list(pairs.log_ratios), prob=[0.5])[0]), rules.least_floor)
