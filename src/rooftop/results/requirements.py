"""A page of figures asked for beside figures reached, for benchmarks of the bench's own commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rooftop.files.atomic import write_whole
from rooftop.machine import identity


@dataclass(frozen=True)
class Asked:
    """A line of the page: what was asked, what came out, and whether that is enough."""

    what: str
    asked: str
    reached: str
    met: bool

    @property
    def row(self) -> str:
        """The line in Markdown."""
        cells = (self.what, self.asked, self.reached, "met" if self.met else "**not met**")
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def write_asked(path: Path, title: str, command: str, lines: Sequence[Asked], remarks: Sequence[str]) -> None:
    """Write the page. Raises OSError."""
    here = identity()
    today = datetime.now(UTC).date().isoformat()
    text = [
        f"# {title}",
        "",
        f"Written by `{command}`. Measured on {today}: {here.processor}, {here.cores} cores.",
        "",
        "| what | asked | reached | |",
        "|---|---|---|---|",
        *(line.row for line in lines),
        "",
        *(word for remark in remarks for word in (remark, "")),
    ]
    write_whole(path, "\n".join(text))
