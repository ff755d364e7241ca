"""The memory's bandwidth changed in the course of the campaign."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.limits import BANDWIDTHS

ORDER = 90

_DRIFT = 1.2


def find(evidence: Evidence) -> Iterator[Doubt]:
    for metric in BANDWIDTHS:
        values = [roof.value for roof in evidence.measured if roof.metric == metric and roof.level == "memory"]
        if values and max(values) > _DRIFT * min(values):
            yield Doubt(
                doubt="The memory's speed drifted during the campaign",
                evidence=f"{metric} bandwidth between {min(values) / 1e9:.1f} and {max(values) / 1e9:.1f} GB/s",
                remedy="Paired ratios still hold, and roofs are the best seen; measure again at a quieter time",
            )
            return
