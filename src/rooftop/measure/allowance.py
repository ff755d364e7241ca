"""Sharing what is left of a case's time among the samples that are still wanted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

T = TypeVar("T")


def affordable(
    wanted: Mapping[T, tuple[float, int]], remaining_s: float, scarce: float, untimed: Collection[T] = ()
) -> dict[T, int]:
    """Return how many samples each task may still take.

    wanted       task to (cost of one sample in seconds, samples it still wants, at least 1)
    remaining_s  time left for all of them; below 0, where it has been overdrawn, nothing is granted
    scarce       part of `remaining_s` that a task may have which cannot get all it wants
    untimed      tasks that have one sample anyway, where there is time for it: nothing is known of them yet

    The cheapest first, so that as many as possible have all they want and the dearest go short; one that goes short
    must not starve what comes after the fewest pairs.
    """
    granted: dict[T, int] = {}
    left = remaining_s = max(remaining_s, 0.0)
    by_demand = sorted(wanted, key=lambda task: wanted[task][0] * wanted[task][1])
    for task in by_demand:
        cost, count = wanted[task]
        samples = count if cost * count <= left else int(min(left, scarce * remaining_s) / cost)
        if samples == 0 and task in untimed and cost <= left:
            samples = 1
        granted[task] = samples
        left -= samples * cost
    return granted
