"""The report: one self-contained HTML file that shows what a climb measured, and works offline.

A section of the page is one module in ``sections/``; no list anywhere names them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rooftop.documents import ClimbDocument


def write(document: ClimbDocument, path: Path) -> None:
    """Writes the report of ``document`` to ``path``, replacing what was there only once the new file is complete.

    Raises OSError where the file cannot be written.
    """
    from rooftop.report.page import render  # Plotly takes a second to import: only those who draw pay for it

    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(render(document), encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
