"""List the jobs that campaigns were submitted in, with their states."""

from __future__ import annotations

from typing import Any

import typer

from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables

GROUP = YOUR_PROGRAMS

SCHEMA = "rooftop/status/1"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("status", help=__doc__, rich_help_panel=GROUP)
    def status(as_json: JsonOption = False) -> None:
        from rooftop.schedulers.job import jobs
        from rooftop.schedulers.queue import states

        known = jobs(Settings().home_folder)
        found = states(known)
        rows: list[dict[str, Any]] = []
        for job in known:
            state, word = found[job.record.id]
            shown = "collected" if job.record.collected is not None else state
            word = word if shown in ("queued", "running", "unknown") else ""
            told = {"state": shown, "told": word, "exit_code": job.exit_code(), "folder": str(job.folder)}
            rows.append(job.record.model_dump(exclude={"schema_", "asked"}) | told)
        if as_json:
            print_document({"schema": SCHEMA, "jobs": rows})
            return
        for row in rows:
            native = f"{row['on']} {row['native'] or '-'}"
            say(tables(), f"{row['id']}  {native:<12}  {row['told'] or row['state']:<13}  rooftop {row['subject']}")
        if any(row["state"] == "ended" for row in rows):
            say(messages(), "'rooftop collect' brings what the jobs that have ended have measured")
