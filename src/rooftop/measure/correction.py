"""Holm's correction of many verdicts that are given together.

Each 95 % verdict is wrong by chance once in twenty times; of a hundred equal benchmarks five would be claimed. After
correction the chance that any claim at all is wrong stays under 5 %. Source: Holm, A simple sequentially rejective
multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rooftop.measure.compare import LEVEL


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values that, held against LEVEL one by one, are corrected for being many."""
    count, largest = len(p_values), 0.0
    adjusted = [1.0] * count
    for rank, place in enumerate(sorted(range(count), key=lambda place: p_values[place])):
        largest = max(largest, p_values[place] * (count - rank))
        adjusted[place] = min(largest, 1.0)
    return adjusted


def least_pairs(comparisons: int) -> int:
    """Return the fewest pairs whose unanimous votes can be claimed beside so many other comparisons.

    n pairs that agree have a p-value of 2^(1-n).
    """
    return math.ceil(1 + math.log2(max(comparisons, 1) / LEVEL))


def level_of(p: float, corrected: float) -> float:
    """Return the level that a p-value is held against by itself, from what a correction made of it."""
    return LEVEL * (p / corrected) if corrected > 0 else LEVEL
