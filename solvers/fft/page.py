"""The page of the pairs that ``rooftop solve ft --overlap`` measures."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.report.figure_page import Findings, Lines, Part
from rooftop.solvers.fft.document import OverlapDocument
from rooftop.solvers.fft.report import overlap_lines


def heading(document: OverlapDocument) -> str:
    """Return the heading."""
    return f"FT, overlap of communication and computation: {document.title}"


def parts(document: OverlapDocument) -> Sequence[Part]:
    """Return the parts."""
    found = document.overlap
    lines = [document.reason or "No pair was measured."] if found is None else overlap_lines(found)
    return [Lines("What is hidden", lines), Findings("Doubts", document.doubts)]
