"""List the jobs that campaigns were submitted in, with their states."""

from __future__ import annotations

import typer

from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables

GROUP = YOUR_PROGRAMS


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("status", help=__doc__, rich_help_panel=GROUP)
    def status(as_json: JsonOption = False) -> None:
        from rooftop.schedulers.status import SCHEMA, job_rows

        rows = job_rows(Settings().home_folder)
        if as_json:
            print_document({"schema": SCHEMA, "jobs": rows})
            return
        for row in rows:
            native = f"{row['on']} {row['native'] or '-'}"
            say(tables(), f"{row['id']}  {native:<12}  {row['told'] or row['state']:<13}  rooftop {row['subject']}")
        if any(row["state"] == "ended" for row in rows):
            say(messages(), "'rooftop collect' brings what the jobs that have ended have measured")
