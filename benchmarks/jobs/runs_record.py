"""What came of all runs: a record that is committed beside the page, which adds up their instants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from benchmarks.form import RESULTS
from benchmarks.jobs.costs import Costs
from benchmarks.jobs.disturbed import Found
from rooftop.files.atomic import write_whole
from rooftop.files.document import Document

RECORD = RESULTS / "jobs.json"


class Run(Document):
    """The instants of one kind in one run.

    day      on which it ended
    machine  that it ran on
    """

    day: str
    machine: str
    found: Found


class Record(Document):
    """All runs, the oldest first.

    costs  what jobs cost in the last run that measured it
    """

    runs: list[Run] = Field(default_factory=list)
    costs: Costs | None = None

    def added_up(self) -> list[Found]:
        """Return what came of all runs of each kind."""
        by_kind: dict[str, list[Found]] = {}
        for run in self.runs:
            by_kind.setdefault(run.found.kind, []).append(run.found)
        return [_sum(by_kind[kind]) for kind in sorted(by_kind)]

    def instants(self, kind: str) -> int:
        """Return how many instants of a kind there are."""
        return sum(run.found.instants for run in self.runs if run.found.kind == kind)


def _sum(runs: Iterable[Found]) -> Found:
    """Return runs of one kind together."""
    first, *others = runs
    for one in others:
        first = replace(
            first, **{field.name: getattr(first, field.name) + getattr(one, field.name) for field in fields(Found)[1:]}
        )
    return first


def read_record(file: Path = RECORD) -> Record:
    """Return the record, empty where there is none. Raises OSError, and ValidationError for another content."""
    return Record.model_validate_json(file.read_bytes()) if file.is_file() else Record()


def keep_run(found: Found, machine: str, file: Path = RECORD) -> None:
    """Add a run to the record. Raises what `read_record` does."""
    record = read_record(file)
    record.runs.append(Run(day=datetime.now(UTC).date().isoformat(), machine=machine, found=found))
    _write(record, file)


def keep_costs(costs: Costs, file: Path = RECORD) -> None:
    """Keep what jobs cost. Raises what `read_record` does."""
    record = read_record(file)
    record.costs = costs
    _write(record, file)


def _write(record: Record, file: Path) -> None:
    write_whole(file, record.model_dump_json(indent=1) + "\n")
