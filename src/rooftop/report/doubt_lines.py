"""What is to be doubted of a campaign, as a part of its page."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.documents import Doubt
from rooftop.report.figure_page import Lines


def doubt_lines(doubts: Sequence[Doubt]) -> list[Lines]:
    """Return the part that tells them; none where there are none."""
    says = [f"{doubt.doubt}: {doubt.evidence}. {doubt.remedy}." for doubt in doubts]
    return [Lines("Doubts", says)] if says else []
