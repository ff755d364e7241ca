"""The report: one self-contained HTML file that shows what a climb measured, and works offline.

Each module in ``sections/`` is a section of the page; they are found by their files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.files.atomic import write_whole

if TYPE_CHECKING:
    from rooftop.documents import ClimbDocument


def write(document: ClimbDocument, path: Path) -> None:
    """Write the report of ``document`` to ``path``; an existing file is replaced atomically. Raises OSError."""
    from rooftop.report.frame import render  # imported only here, since Plotly takes a second

    write_whole(path, render(document))
