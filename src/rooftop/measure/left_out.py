"""Share out the time for samples, and say why an arm has none: what was lacking, how much, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import ceil
from typing import TypeVar

from rooftop.measure.case_state import Terms

_MIB = 2**20


def _share(terms: Terms) -> str:
    return f"this case's share of {terms.whole_share_s:.3g} s of the budget of {terms.budget}"


def too_slow(terms: Terms, run_s: float, at_least: str = "about") -> str:
    """Return the reason for a program of which one run takes too much of the time."""
    return f"one run takes {at_least} {run_s:.3g} s, too long for {_share(terms)}: give a larger --budget"


def no_turn(terms: Terms, programs: int, needed_s: float) -> str:
    """Return the reason for a program that was never started. `needed_s`: the share that all programs need."""
    share_s = terms.whole_share_s
    needed_s = max(needed_s, 1.5 * share_s)  # what was spent did not suffice
    times = max(2, ceil(needed_s / share_s)) if share_s > 0 else 2
    return (
        f"{_share(terms)} was spent before its turn: all {programs} programs of the case need about {needed_s:.3g} s, "
        f"so give {times} times the --budget, or fewer rungs with --only"
    )


def not_timed(terms: Terms) -> str:
    """Return the reason for a program that was set up and has no sample."""
    return f"{_share(terms)} was spent on setting up and verifying: give a larger --budget"


def no_memory(needed_bytes: float, available_bytes: float) -> str:
    """Return the reason for a program that does not fit beside those that it is compared with."""
    return (
        f"needs about {needed_bytes / _MIB:.0f} MiB beside the rungs that it is compared with, "
        f"and {max(available_bytes, 0) / _MIB:.0f} MiB are left: free memory, or choose a smaller --size"
    )


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
