"""Figures beside the time, as drivers tell them in their facts: memory, allocations, where the time went."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.driver.protocol import Facts


def figures_of(facts: Sequence[Facts]) -> dict[str, float] | None:
    """Return all ranks' figures, of each the greatest; None where there are none. What is not finite is left out."""
    greatest: dict[str, float] = {}
    for rank in facts:
        for name, value in rank.figures.items():
            if value is not None:
                greatest[name] = max(value, greatest.get(name, value))
    return greatest or None
