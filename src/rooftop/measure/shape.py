"""The shape of samples: several speeds, values that come in steps, and a trend from each to the next."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist, median

from rooftop.interrupts import uninterrupted
from rooftop.measure.pairs import Pairs
from rooftop.text.sparkline import sparkline

_LEAST = 12  # samples: of fewer nothing is told
_LEVEL = 0.05  # of the dip test, which finds far fewer than that in normal noise
_APART = 0.02  # speeds and steps that are closer matter to no verdict
_TREND_LEVEL = 0.001
_TREND = 0.05  # a smaller change in the course of the samples is within what machines do
_COLUMNS = 16


@dataclass(frozen=True)
class Speeds:
    """Two groups of samples with a gap between them: the median of each, and the share of the slow one."""

    fast: float
    slow: float
    slow_share: float


def steps(values: Sequence[float]) -> float | None:
    """Return the step that values come in, where it is coarse beside them; None where it is not, or there is none.

    Most values are then the same as another.
    """
    if len(values) < _LEAST:
        return None
    distinct = sorted(Counter(values))
    if not 1 < len(distinct) <= len(values) / 2:
        return None
    step = min(b - a for a, b in pairwise(distinct))
    return step if step >= _APART * abs(median(values)) else None


def speeds(values: Sequence[float]) -> Speeds | None:
    """Return the two groups that positive values fall into; None where they have one mode, or steps, or are too few.

    By the dip test: Hartigan and Hartigan, Annals of Statistics 13 (1985). Its package, diptest, is optional: without
    it no several speeds are named, and every verdict is the same.
    """
    if len(values) < _LEAST or steps(values) is not None or max(values) < (1 + _APART) * min(values):
        return None
    logs = sorted(map(math.log, values))
    with uninterrupted():
        environment = set(os.environ)
        try:
            import diptest
            import numpy as np
        except ImportError:
            return None
        finally:
            for name in set(os.environ) - environment:  # it sets one that programs measured later would have
                del os.environ[name]
    if diptest.diptest(np.asarray(logs))[1] > _LEVEL:
        return None
    at = _best_cut(logs)
    fast, slow = median(logs[:at]), median(logs[at:])
    if slow - fast < _APART:
        return None
    return Speeds(math.exp(fast), math.exp(slow), (len(logs) - at) / len(logs))


def _best_cut(ordered: Sequence[float]) -> int:
    """Return where to cut sorted values so that both parts are as narrow as can be (least squares)."""
    whole, part, best, at = math.fsum(ordered), 0.0, -1.0, 1
    for count, value in enumerate(ordered[:-1], 1):
        part += value
        rest = len(ordered) - count
        between = (part / count - (whole - part) / rest) ** 2 * count * rest
        if between > best:
            best, at = between, count
    return at


def trend(values: Sequence[float]) -> float | None:
    """Return by what part the last third of positive values exceeds the first, where they rise or fall one by one.

    None where they do not. By Mann's test of rank correlation with the order: Mann, Econometrica 13 (1945).
    """
    count = len(values)
    if count < _LEAST:
        return None
    change = median(values[-(count // 3) :]) / median(values[: count // 3]) - 1
    if abs(change) < _TREND:
        return None
    score = sum((b > a) - (b < a) for at, a in enumerate(values) for b in values[at + 1 :])
    ties = sum(n * (n - 1) * (2 * n + 5) for n in Counter(values).values())
    variance = (count * (count - 1) * (2 * count + 5) - ties) / 18
    if variance <= 0 or score * change <= 0:
        return None
    return change if (abs(score) - 1) / math.sqrt(variance) >= NormalDist().inv_cdf(1 - _TREND_LEVEL / 2) else None


def strip(values: Sequence[float]) -> str:
    """Return how often which value came, as a row of bars over the logarithms from the least to the greatest."""
    low, high = math.log(min(values)), math.log(max(values))
    if high <= low:
        return sparkline([float(len(values))])
    counts = [0.0] * _COLUMNS
    for value in values:
        counts[min(_COLUMNS - 1, int((math.log(value) - low) / (high - low) * _COLUMNS))] += 1
    return sparkline(counts)


def scatter(pairs: Pairs) -> str:
    """Return in a word how the costs of both sides lie."""
    both = (pairs.subject, pairs.against)
    if any(steps(side) is not None for side in both):
        return "values come in coarse steps"
    return "the runs have several speeds" if any(speeds(side) is not None for side in both) else "the runs scatter"
