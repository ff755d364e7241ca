"""No limit could be computed."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 110


def find(evidence: Evidence) -> Iterator[Doubt]:
    lacking = [name for name, _, rung in evidence.timed() if rung.limit is None and rung.kind == "rung"]
    if lacking:
        yield Doubt(
            doubt="Some rungs stand beside no limit",
            evidence=some(lacking),
            remedy="Measure the machine (rooftop probe), and let the rung's work() say what it does",
        )
