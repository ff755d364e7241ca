"""The report: one self-contained HTML file that shows what a climb measured, and works offline.

A section of the page is one module in ``sections/``; no list anywhere names them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.files.atomic import write_whole

if TYPE_CHECKING:
    from rooftop.documents import ClimbDocument


def write(document: ClimbDocument, path: Path) -> None:
    """Writes the report of ``document`` to ``path``, replacing what was there only once the new file is complete.

    Raises OSError where the file cannot be written.
    """
    from rooftop.report.frame import render  # Plotly takes a second to import: only those who draw pay for it

    write_whole(path, render(document))
