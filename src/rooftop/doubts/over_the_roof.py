"""A figure above its limit: the model, the data size or the roof is wrong."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 50

_OVER_ROOF = 1.02


def find(evidence: Evidence) -> Iterator[Doubt]:
    over = [
        f"{name} {rung.roof_fraction:.0%}"
        for name, _, rung in evidence.timed()
        if rung.roof_fraction is not None and rung.roof_fraction > _OVER_ROOF
    ]
    if over:
        yield Doubt(
            doubt="A rung is faster than its own roof",
            evidence=some(over),
            remedy="Check the rung's work() and which level holds its data; measure again: rooftop probe --refresh",
        )
