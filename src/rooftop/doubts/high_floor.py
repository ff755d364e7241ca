"""Identical programs differed."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence

ORDER = 40
ABOUT_THE_MACHINE = True

_HIGH_FLOOR = 0.02


def find(evidence: Evidence) -> Iterator[Doubt]:
    if evidence.floor == float("inf"):
        if any(True for _ in evidence.timed()):
            yield Doubt(
                doubt="The noise floor could not be measured",
                evidence="no two drivers of one rung were sampled in pairs",
                remedy="Give a larger --budget, or free memory so that a second driver fits",
            )
    elif evidence.floor > _HIGH_FLOOR:
        rungs = bool(evidence.document.experiments)
        more = "larger cases" if rungs else "the commands more work"
        yield Doubt(
            doubt="Two drivers of the same rung differ" if rungs else "Runs of the same command differ",
            evidence=f"A/A floor {evidence.floor:.1%}: smaller effects are not claimed",
            remedy=f"Quieten the machine (governor, other programs, SMT neighbours), or give {more}",
        )
