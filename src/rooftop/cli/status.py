"""List the jobs that campaigns were submitted in, with their states."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables

if TYPE_CHECKING:
    from rich.console import RenderableType

GROUP = YOUR_PROGRAMS

_OPEN = ("not submitted", "queued", "running", "unknown")
_LOOK_S = 1.0


def _is_awaited(row: dict[str, Any]) -> bool:
    """Whether a job may end that this machine hears of: others are waited for where they were submitted."""
    return row["state"] in _OPEN and not row["elsewhere"]


def _rows() -> list[dict[str, Any]]:
    """Return what is known of all jobs, the oldest first."""
    from rooftop.schedulers.status import job_rows

    return job_rows(Settings().home_folder)


def _line(row: dict[str, Any]) -> str:
    from rooftop.schedulers.status import state_in_words
    from rooftop.text.visible import on_one_line

    native = f"{row['on']} {row['native'] or '-'}"
    return on_one_line(f"{row['id']}  {native:<12}  {state_in_words(row):<13}  rooftop {row['subject']}")


def _drawn(rows: list[dict[str, Any]], height: int) -> RenderableType:
    """Return what fits on a terminal: all jobs, or those that have not ended, and how many are in each state."""
    from collections import Counter

    from rich.text import Text

    from rooftop.text.plural import plural

    counts = Counter(row["state"] for row in rows)
    told = ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
    room = max(1, height - 2)
    some = rows if len(rows) <= room else [row for row in rows if row["state"] in _OPEN][:room]
    shown = [_line(row) for row in some]
    lines = [*shown, f"{plural(len(rows), 'job')}: {told}"]
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def _watched() -> list[dict[str, Any]]:
    """Show the jobs until all of this cluster have ended; return them then. Without a terminal nothing is drawn."""
    from rich.live import Live

    console = tables()
    rows = _rows()
    if not console.is_terminal:
        while any(_is_awaited(row) for row in rows):
            sleep(_LOOK_S)
            rows = _rows()
        return rows
    with Live(_drawn(rows, console.height), console=console, auto_refresh=False, transient=True) as live:
        while any(_is_awaited(row) for row in rows):
            sleep(_LOOK_S)
            rows = _rows()
            live.update(_drawn(rows, console.height), refresh=True)
    return rows


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("status", help=__doc__, rich_help_panel=GROUP)
    def status(
        watch: Annotated[
            bool, typer.Option("--watch", help="Show the jobs as they change, until all of this cluster have ended.")
        ] = False,
        as_json: JsonOption = False,
    ) -> None:
        if watch and as_json:
            raise Misuse("--watch and --json are given, expected one of them")
        from rooftop.schedulers.status import SCHEMA

        rows = _watched() if watch else _rows()
        if as_json:
            print_document({"schema": SCHEMA, "jobs": rows})
            return
        for row in rows:
            say(tables(), _line(row))
        if any(row["state"] == "ended" for row in rows):
            say(messages(), "'rooftop collect' brings what the jobs that have ended have measured")
