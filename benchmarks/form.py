"""What benchmarks share: figures asked beside figures reached, and the page that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from rooftop.files.atomic import write_whole
from rooftop.machine.identity import cores_now
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"

PageOption = Annotated[Path, typer.Option("--page", metavar="FILE", help="Where the page goes.")]


@dataclass(frozen=True)
class Asked:
    """A figure that was asked for, beside the one that was reached.

    met  whether it is enough; None: nothing was asked, or nothing was measured
    """

    what: str
    asked: str
    reached: str
    met: bool | None

    @classmethod
    def at_most(cls, what: str, most: float, reached: float, unit: str = "", form: str = ".3g") -> Asked:
        """Return a figure that may be at most so large."""
        shown, limit = (f"{value:{form}} {unit}".rstrip() for value in (reached, most))
        return cls(what, f"at most {limit}", shown, reached <= most)

    @property
    def mark(self) -> str:
        """The last cell of its row."""
        return "" if self.met is None else "met" if self.met else "missed"

    @property
    def row(self) -> str:
        """Its row of the table."""
        return row([self.what, self.asked, self.reached, self.mark])


def row(cells: Iterable[object]) -> str:
    """Return a row of a Markdown table. A bar in a cell is escaped, a line's end becomes a space."""
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    return "\n".join([row(head), "|" + "---|" * len(head), *map(row, rows)])


def asked_table(lines: Iterable[Asked]) -> str:
    """Return the table of figures asked and reached."""
    return table(["what", "asked", "reached", ""], [(one.what, one.asked, one.reached, one.mark) for one in lines])


def machine() -> str:
    """Return the processor and the number of usable cores."""
    cores = cores_now()
    return f"{processor(SystemFiles()).name}, {cores} core{'s' if cores > 1 else ''}"


def page(title: str, command: str, *parts: str, on: str | None = None, date: str | None = None) -> str:
    """Return a page in Markdown.

    command  the benchmark with its options, as `python benchmarks` takes it
    parts    tables and paragraphs, in order; empty ones are left out
    on       the machine and whatever else the figures depend on; None: this machine
    date     of the measurement; None: today
    """
    day = date or datetime.now(UTC).date().isoformat()
    written = f"Written by `python benchmarks {command}` on {day}. {(on or machine()).rstrip('.')}."
    return "\n\n".join([f"# {title}", written, *(part.strip("\n") for part in parts if part.strip())]) + "\n"


def write_page(to: Path, title: str, command: str, *parts: str, on: str | None = None, date: str | None = None) -> None:
    """Write a page as `page` returns it, whole or not at all. Raises OSError."""
    write_whole(to, page(title, command, *parts, on=on, date=date))
    print(f"Page: {to}")
