"""Hold what a suspicion predicts of its first cure against what was measured.

A suspicion has so many seconds at stake at most: a cure that removes all of them makes the run so many times as fast.
"""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.diagnose.document import Cause, Predicted, TriedCure
from rooftop.measure.rules import Rules

_ALL = 0.99  # of the run at stake, from which on no ratio bounds what a cure may bring


def _missing(cure: TriedCure, in_time: bool) -> str | None:
    """Return why there is nothing to hold a prediction against; None where there is."""
    if not in_time:
        return "what was measured is not a time"
    if cure.outcome != "ok":
        return f"the cure was not measured: {cure.reason or cure.outcome}"
    if cure.pairs is None or cure.pairs < Rules().min_pairs or cure.lo is None or cure.hi is None:
        return "there are too few pairs for an interval"
    return None


def predicted(cause: Cause, tried: Mapping[str, TriedCure], elapsed_s: float, *, in_time: bool) -> Predicted | None:
    """Return what was predicted of the first cure of a suspicion that was tried; None if none was.

    elapsed_s  of the run that was observed
    in_time    whether the cures were compared by their time
    """
    cure = next((tried[name] for name in cause.tried if name in tried), None)
    if cure is None:
        return None
    share = cause.stake_s / elapsed_s if elapsed_s > 0 else 1.0
    if share >= _ALL:
        return Predicted(cure=cure.name, reason="all of the run is at stake, which bounds nothing")
    told = Predicted(cure=cure.name, ratio=1 / (1 - share))
    told.reason = _missing(cure, in_time)
    if told.reason is not None or told.ratio is None or cure.lo is None or cure.hi is None or cure.ratio is None:
        return told
    told.holds = cure.lo <= told.ratio <= cure.hi
    if told.ratio < cure.lo:
        told.reason = "the cure saves more than was seen to be at stake: it mends something else, too"
    elif told.ratio > cure.hi and cure.verdict == "faster":
        told.reason = f"the cure removes only a part, {(1 - 1 / cure.ratio) / share:.0%} of what is at stake"
    elif told.ratio > cure.hi:
        told.reason = "the cure removes nothing of it that could be measured"
    return told
