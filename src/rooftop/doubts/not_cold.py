"""Runs that should have read from the device found their files in a cache."""

from collections.abc import Iterator

from rooftop.documents import Doubt, RungResult
from rooftop.doubts import Evidence
from rooftop.text.plural import some
from rooftop.text.quantities import size

ORDER = 60

_ENOUGH = 0.9  # of what was asked for


def _short(rung: RungResult) -> str | None:
    """Return how much came from storage where that is too little; None where it is enough or not known."""
    asked, read = (rung.work or {}).get("device_bytes") or 0.0, (rung.figures or {}).get("storage_read_bytes")
    return f"{size(read)} of {size(asked)}" if read is not None and read < _ENOUGH * asked else None


def find(evidence: Evidence) -> Iterator[Doubt]:
    cold = [
        (f"{experiment.name}/{case.case}/{rung.name}", rung)
        for experiment in evidence.document.experiments
        for case in experiment.cases
        if case.cold_on is not None
        for rung in case.rungs
        if rung.median_s is not None
    ]
    warm = [f"{name} {told}" for name, rung in cold if (told := _short(rung)) is not None]
    if warm:
        yield Doubt(
            doubt="Cold runs were not cold",
            evidence=f"read from storage, by /proc/self/io: {some(warm)}",
            remedy="Use files on a local disk, which 'rooftop doctor' tells, and let nothing else read or map them",
        )
