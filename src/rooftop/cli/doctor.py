"""Check the environment: what is installed, what is missing, and how to install it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.table import Table
from rich.text import Text

from rooftop.terminal.groups import MACHINE
from rooftop.terminal.output import JsonOption, print_document, say_findings, tables

if TYPE_CHECKING:
    from rooftop.doctor.examine import DoctorDocument

GROUP = MACHINE

_MARKS = {"ok": ("✓", "green"), "limited": ("!", "yellow"), "missing": ("✗", "red")}
_TITLES = {
    "build": "To build",
    "parallel": "Parallel libraries",
    "peers": "Peers",
    "measuring": "To measure",
    "machine": "The machine",
    "report": "The report",
}


def _show(document: DoctorDocument) -> None:
    console = tables()
    for group, title in _TITLES.items():
        items = [item for item in document.items if item.group == group]
        if not items:
            continue
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, show_header=False, pad_edge=False
        )
        table.add_column(width=1)
        table.add_column(width=max(len(item.name) for item in document.items), no_wrap=True)
        table.add_column(overflow="fold")
        for item in items:
            table.add_row(Text(*_MARKS[item.status]), item.name, item.evidence)
        console.print(table)
        console.print()
    troubled = [item for item in document.items if item.status != "ok"]
    if troubled:
        console.print("What is missing or limited: what it costs, and how to get it", style="bold")
    for item in sorted(troubled, key=lambda item: not item.required):
        say_findings(console, Text.assemble(_MARKS[item.status], " "), [item.finding])
    if not troubled:
        console.print("Nothing is missing.")


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("doctor", help=__doc__, rich_help_panel=GROUP)
    def doctor(json: JsonOption = False) -> None:
        from rooftop.doctor import examine
        from rooftop.errors import WRONG

        document = examine()
        if json:
            print_document(document)
        else:
            _show(document)
        if not document.healthy:
            raise typer.Exit(WRONG)
