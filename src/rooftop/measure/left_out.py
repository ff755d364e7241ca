"""Why an arm of a case has no time: what was lacking, how much of it, and what to do."""

from __future__ import annotations

from math import ceil

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
