"""Comparisons without a verdict: too few pairs, or enough of them and an effect that is too small."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence

ORDER = 60


def find(evidence: Evidence) -> Iterator[Doubt]:
    least = evidence.rules.min_pairs
    made = [(name, rung.kind, one) for name, _, rung in evidence.timed() for one in rung.comparisons]
    yield from Doubt.about_all(
        f"Too few pairs for a verdict (under {least})",
        [f"{name} vs {one.against} ({one.pairs})" for name, _, one in made if one.pairs < least],
        "Give a larger --budget, or fewer rungs with --only",
    )
    yield from Doubt.about_all(
        "Some comparisons are not resolved, which does not mean equal",
        [
            f"{name} vs {one.against} ({one.lo:.3f} to {one.hi:.3f}, floor {one.floor:.1%})"
            for name, kind, one in made
            if kind == "rung" and one.verdict == "not resolved" and one.pairs >= least
        ],
        "Give a larger --budget; where the effect is under the floor, no budget helps",
    )
