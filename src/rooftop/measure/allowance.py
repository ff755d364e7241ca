"""Sharing what is left of a case's time among the samples that are still wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


def affordable(wanted: Mapping[T, tuple[float, int]], remaining_s: float, scarce: float) -> dict[T, int]:
    """Return how many samples each task may still take.

    wanted       task to (cost of one sample in seconds, samples it still wants, at least 1)
    remaining_s  time left for all of them; below 0, where it has been overdrawn, nothing is granted
    scarce       part of `remaining_s` that a task may have which cannot get all it wants

    Equal shares: what a cheap task does not need passes to the dearer ones, so that the dearest go short first, and one
    that goes short must not starve what comes after the fewest pairs.
    """
    granted: dict[T, int] = {}
    left = remaining_s = max(remaining_s, 0.0)
    by_demand = sorted(wanted, key=lambda task: wanted[task][0] * wanted[task][1])
    for position, task in enumerate(by_demand):
        cost, count = wanted[task]
        share = left / (len(by_demand) - position)
        samples = count if cost * count <= share else int(min(share, scarce * remaining_s) / cost)
        granted[task] = samples
        left -= samples * cost
    return granted
