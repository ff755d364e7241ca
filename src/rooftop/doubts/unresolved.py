"""Enough pairs, and still no verdict: the effect is smaller than what could be seen."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 70


def find(evidence: Evidence) -> Iterator[Doubt]:
    open_ones: list[str] = []
    for name, _, rung in evidence.timed():
        for comparison in rung.comparisons:
            if (
                comparison.verdict == "not resolved"
                and comparison.pairs >= evidence.rules.min_pairs
                and rung.kind == "rung"
            ):
                span = f"{comparison.lo:.3f} to {comparison.hi:.3f}"
                open_ones.append(f"{name} vs {comparison.against} ({span}, floor {comparison.floor:.1%})")
    if open_ones:
        yield Doubt(
            doubt="Some comparisons are not resolved, which does not mean equal",
            evidence=some(open_ones),
            remedy="Give a larger --budget; where the effect is under the floor, no budget helps",
        )
