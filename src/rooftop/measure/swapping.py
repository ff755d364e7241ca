"""Whether the subject of paired costs is slower in the median, the mean or the distribution: one exact test of three.

Were both sides the same program, each pair could as well have come the other way round. So every way of swapping pairs
is as likely as what was seen, and the share of them that look as bad is an exact p-value, whatever the distribution of
the costs and however heavy its tail. The three are corrected for each other by the least p-value of each way of
swapping. The distribution is judged by how far its function lies below the other's somewhere, less how far it lies
above elsewhere: runs that only scatter more are not slower.

Sources: Fisher, The Design of Experiments (1935), section 21; Westfall and Young, Resampling-Based Multiple Testing
(1993), section 2.3; for the distribution, Smirnov, Annals of Mathematical Statistics 19 (1948).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rooftop.documents import Question
from rooftop.interrupts import uninterrupted
from rooftop.measure.blas import one_thread
from rooftop.measure.pairs import Pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

QUESTIONS: tuple[Question, ...] = ("median", "mean", "distribution")

_ALL_WAYS = 12  # up to so many pairs, every way of swapping them is looked at
_FEW_WAYS, _WAYS, _MOST_WAYS = 1 << 8, 1 << 12, 1 << 16  # of more pairs, so many, drawn from a fixed seed
_FAR_FROM_ANYTHING = 0.15  # a p-value that needs not be known better
_SEEN = 5  # so many ways that look as bad are enough to know a p-value by
_ROUNDING = 1e-12


@cache
def _ways(count: int, number: int) -> NDArray[np.float32]:
    """Return ways of swapping so many pairs, one a row: 1 as it was seen, -1 swapped. The first swaps nothing."""
    import numpy as np

    if count <= _ALL_WAYS:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
        return (1 - 2 * bits).astype(np.float32)
    ways = (np.random.default_rng(count).integers(0, 2, (number, count), dtype=np.int8) * 2 - 1).astype(np.float32)
    ways[0] = 1
    return ways


@cache
def _binomial_tail(count: int) -> tuple[float, ...]:
    """Return P(X >= k) of so many fair coins, for every k from 0."""
    at_most = [*accumulate(math.comb(count, k) for k in range(count + 1))]
    return (1.0, *(1.0 - below / 2**count if below <= 2 ** (count - 1) else (2**count - below) / 2**count
                   for below in at_most[:-1]))  # fmt: skip


def _share_as_large(values: Floats) -> Floats:
    """Return for each value the share of all that are as large."""
    import numpy as np

    least = _ROUNDING * max(1.0, float(np.abs(values).max(initial=0.0)))
    ordered = np.sort(values)
    return (len(values) - np.searchsorted(ordered, values - least, "left")) / len(values)


def excess(pairs: Pairs, margin: float) -> Floats:
    """Return by how much each cost of the subject, less what is allowed, exceeds the other; ties are exactly 0.

    margin  log-ratio up to which the subject may be slower
    """
    with uninterrupted():
        import numpy as np

    subject, against = np.asarray(pairs.subject), np.asarray(pairs.against)
    more: Floats = subject * math.exp(-margin) - against
    more[np.abs(more) <= _ROUNDING * against] = 0.0  # but for rounding
    return more


def _statistics(
    pairs: Pairs, margin: float, shift: float, ways: NDArray[np.float32]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return for each way how many pairs vote slower, by how much the mean is slower, and the distribution."""
    import numpy as np

    more = excess(pairs, margin)
    scale = float(np.abs(more).sum())
    signs = np.sign(more).astype(np.float32)
    grid, (same, turned) = _grid(pairs, shift), _both_counts(pairs, shift)
    with one_thread():
        votes = (ways @ signs + np.abs(signs).sum()) / 2
        means = ways @ (more / scale) if scale > 0 else np.zeros(len(ways))
        # A way takes each pair as it is, or with its sides exchanged: what is counted is linear in its 1 and -1.
        counts = ways @ turned
    counts += same
    above, below = counts[:, : len(grid)].max(axis=1), counts[:, len(grid) :].max(axis=1)
    return votes, means, (above - below) / len(pairs)


def _sides(pairs: Pairs, shift: float) -> tuple[Floats, Floats]:
    """Return the costs of the subject, less what is allowed, and of the other."""
    import numpy as np

    return np.asarray(pairs.subject) * math.exp(-shift), np.asarray(pairs.against)


def _grid(pairs: Pairs, shift: float) -> Floats:
    """Return the costs at which the distributions are looked at: all that there are."""
    import numpy as np

    return np.unique(np.concatenate(_sides(pairs, shift)) * (1 + _ROUNDING))


def _counts(slow: Floats, fast: Floats, factor: float, grid: Floats) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how many values of `fast` more than of `slow` are up to each cost of the grid: what each pair counts
    whichever way it is taken, summed, and what it counts as it is and not swapped, pair by pair.

    factor  by which a value of `slow` is to be the larger
    """
    import numpy as np

    under = (np.stack([fast, slow])[:, :, None] <= grid).astype(np.float32)
    of = under if factor == 1.0 else (np.stack([fast, slow])[:, :, None] <= grid * factor).astype(np.float32)
    # What counts is fast against slow times the factor; swapped, slow against fast times the factor.
    as_seen, swapped = under[0] - of[1], under[1] - of[0]
    return (as_seen + swapped).sum(axis=0) / 2, (as_seen - swapped) / 2


def _both_counts(pairs: Pairs, shift: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what is counted of the subject being slower over all costs, and then of its being faster."""
    import numpy as np

    ours, against = _sides(pairs, shift)
    grid = _grid(pairs, shift)
    slower = _counts(ours, against, 1.0, grid)
    faster = _counts(against, ours, math.exp(2 * shift), grid)
    return np.concatenate([slower[0], faster[0]]), np.concatenate([slower[1], faster[1]], axis=1)


def farthest_apart(pairs: Pairs, shift: float) -> tuple[float, float | None]:
    """Return at which cost the subject is slower in its distribution by most, and at which it is faster by most.

    None where it is faster nowhere. Costs are the other side's, and what the subject's are without what is allowed.
    """
    with uninterrupted():
        import numpy as np

    grid, (same, turned) = _grid(pairs, shift), _both_counts(pairs, shift)
    slower, faster = np.split(same + turned.sum(axis=0), 2)
    least = float(grid[faster.argmax()]) if faster.max() > 0 else None
    return float(grid[slower.argmax()]), least


def apart_at(pairs: Pairs, shift: float, above: float, below: float | None) -> Floats:
    """Return what each pair says of the distribution at two costs that others have chosen: see `farthest_apart`.

    Swapping a pair turns the sign of what it says.
    """
    with uninterrupted():
        import numpy as np

    ours, against = _sides(pairs, shift)
    said: Floats = _counts(ours, against, 1.0, np.asarray([above]))[1][:, 0].astype(float)
    if below is not None:
        said -= _counts(against, ours, math.exp(2 * shift), np.asarray([below]))[1][:, 0]
    return said


def p_value_of_sum(scores: Floats, finest: float = 0.05) -> float:
    """Return the share of the ways of swapping pairs whose sum of scores is as large as this one.

    scores  one for each pair, whose sign a swap turns
    finest  the level that the p-value is to be held against: the smaller, the more ways are looked at
    """
    with uninterrupted():
        import numpy as np

    least = _ROUNDING * max(1.0, float(np.abs(scores).max(initial=0.0)))
    voting = scores[np.abs(scores) > least]
    if (voting > 0).all():  # no other way is as bad
        return 0.5 ** len(voting)
    scaled = voting / np.abs(voting).sum()

    def share(number: int) -> float:
        with one_thread():
            sums = _ways(len(scaled), number) @ scaled
        return float(np.count_nonzero(sums >= sums[0] - _ROUNDING)) / len(sums)

    found = share(_FEW_WAYS)
    if len(scaled) > _ALL_WAYS and found < _FAR_FROM_ANYTHING:
        found = share(_WAYS)
        wanted = min(math.ceil(_SEEN / finest), _MOST_WAYS)
        if wanted > _WAYS and found * _WAYS < _SEEN:
            found = share(wanted)
    return found


@lru_cache(maxsize=256)  # a gate asks several times
def slower_p_values(pairs: Pairs, margin: float, shift: float, finest: float = 0.05) -> Mapping[Question, float]:
    """Return the one-sided p-value of each question, corrected for the other two.

    margin  log-ratio up to which the subject may be slower in the median and in the mean
    shift   log-ratio up to which it may be slower in its distribution
    finest  the level that a p-value is to be held against: the smaller, the more ways of swapping are looked at
    """
    if not len(pairs):
        return dict.fromkeys(QUESTIONS, 1.0)
    found = _p_values(pairs, margin, shift, _FEW_WAYS)
    if len(pairs) > _ALL_WAYS and min(found.values()) < _FAR_FROM_ANYTHING and finest < _FAR_FROM_ANYTHING:
        found = _p_values(pairs, margin, shift, _WAYS)
        wanted = min(math.ceil(_SEEN / finest), _MOST_WAYS)
        if wanted > _WAYS and min(found.values()) * _WAYS < _SEEN:
            found = _p_values(pairs, margin, shift, wanted)
    if all(-ratio > margin + _ROUNDING for ratio in pairs.log_ratios):  # no other way is as bad
        found |= dict.fromkeys(("median", "mean"), 0.5 ** len(pairs))
    return found


def _p_values(pairs: Pairs, margin: float, shift: float, number: int) -> dict[Question, float]:
    """Return the p-values by so many ways of swapping."""
    with uninterrupted():
        import numpy as np

    votes, means, distances = _statistics(pairs, margin, shift, _ways(len(pairs), number))
    tail = np.asarray(_binomial_tail(len(pairs)))
    each = np.stack([tail[votes.astype(np.intp)], _share_as_large(means), _share_as_large(distances)])
    least = np.sort(each.min(axis=0))
    as_bad = np.searchsorted(least, each[:, 0] + _ROUNDING, "right")
    return {question: float(count) / len(least) for question, count in zip(QUESTIONS, as_bad, strict=True)}
