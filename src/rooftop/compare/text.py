"""A comparison in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooftop.measure.comparison_text import ratios_text, where
from rooftop.text.plural import plural

if TYPE_CHECKING:
    from rooftop.compare.document import CommandComparison


def sentence(one: CommandComparison, better: str) -> str:
    """Return a comparison in one line."""
    word = {"faster": "better", "slower": "worse"} if better == "higher" else {"faster": "faster", "slower": "slower"}
    told = word.get(one.verdict, "not resolved")
    figures = f"{ratios_text(one)}, {plural(one.pairs, 'pair')}, A/A floor {one.floor:.2%}"
    if told == "not resolved":
        return f"{one.subject}: not resolved against {one.against}: {figures}; {one.advice}"
    return f"{one.subject} is {told} than {one.against}{where(one)}: {figures}; {one.advice}"
