"""No limit could be computed."""

from collections.abc import Iterator

from rooftop.documents import Doubt, ExperimentResult, RungResult
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 110


def _has_none(experiment: ExperimentResult, rung: RungResult) -> bool:
    """Return whether a rung needs no roof: the rate is not the figure of merit, and no work is stated."""
    return bool(experiment.merit) and not any(
        (rung.work or {}).get(name) for name in ("fma_flops", "add_flops", "memory_bytes", "device_bytes")
    )


def find(evidence: Evidence) -> Iterator[Doubt]:
    lacking = [
        name
        for name, experiment, rung in evidence.timed()
        if rung.limit is None and rung.kind == "rung" and not _has_none(experiment, rung)
    ]
    if lacking:
        yield Doubt(
            doubt="Some rungs stand beside no limit",
            evidence=some(lacking),
            remedy="Measure the machine (rooftop probe), and let the rung's work() say what it does",
        )
