"""A comparison rests on fewer pairs than a verdict needs."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 60


def find(evidence: Evidence) -> Iterator[Doubt]:
    few: list[str] = []
    for name, _, rung in evidence.timed():
        few += [
            f"{name} vs {comparison.against} ({comparison.pairs})"
            for comparison in rung.comparisons
            if comparison.pairs < evidence.rules.min_pairs
        ]
    if few:
        yield Doubt(
            doubt=f"Too few pairs for a verdict (under {evidence.rules.min_pairs})",
            evidence=some(few),
            remedy="Give a larger --budget, or fewer rungs with --only",
        )
