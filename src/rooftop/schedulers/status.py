"""The jobs of a home as they are listed: their records with their states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rooftop.schedulers.asking import in_words
from rooftop.schedulers.job import jobs
from rooftop.schedulers.queue import states, told_elsewhere

SCHEMA = "rooftop/status/1"


def job_rows(home: Path) -> list[dict[str, Any]]:
    """Return all jobs of a home; each scheduler is asked once. Raises Misuse."""
    known = jobs(home)
    found = states(known)
    rows: list[dict[str, Any]] = []
    for job in known:
        state, word = found[job.record.id]
        shown = "collected" if job.record.collected is not None else state
        word = word if shown in ("queued", "running", "unknown") else ""
        elsewhere = told_elsewhere(job, state, word)
        told = {"state": shown, "told": word, "elsewhere": elsewhere, "exit_code": job.exit_code()}
        rows.append(job.record.model_dump(exclude={"schema_", "asked"}) | told | {"folder": str(job.folder)})
    return rows


def state_in_words(row: Mapping[str, Any]) -> str:
    """Return the state of a job that was listed."""
    return in_words(row["state"], row["told"])
