"""The samples of a campaign as one table, in CSV or Parquet: a row for each, in the order in which they were taken."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import IO, Any

from rooftop.errors import Misuse, StoreError
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CaseRow, SampleRow, SessionRow
from rooftop.text.cells import as_cells

_ARMS = 'JOIN "case" ON "case".id = arm.case_id WHERE "case".campaign = ?'
# By its arms, which samples are indexed by: by its sessions, SQLite would read the samples of all campaigns.
_SAMPLES = """
JOIN arm ON arm.id = sample.arm_id JOIN "case" ON "case".id = arm.case_id WHERE "case".campaign = ? AND sample.id > ?
ORDER BY sample.id LIMIT 10000
"""
# Types as Arrow calls them. `session` counts from 1; `ranks_ns` and `figures` are JSON.
COLUMNS = {
    **dict.fromkeys(("campaign", "experiment", "size", "case", "arm", "role"), "string"),
    **dict.fromkeys(("session", "block", "position", "iterations", "taken_ns"), "int64"),
    **dict.fromkeys(("elapsed_ns", "run_s"), "float64"),
    **dict.fromkeys(("ranks_ns", "figures"), "string"),
}


def _rows(store: Store, campaign: str) -> Iterator[list[dict[str, Any]]]:
    """Yield rows with a value for each column, many at a time."""
    cases = {row.id: row for row in select(store, CaseRow, "WHERE campaign = ?", campaign)}
    arms = {row.id: row for row in select(store, ArmRow, _ARMS, campaign)}
    sessions = [row.id for row in select(store, SessionRow, "WHERE campaign = ? ORDER BY id", campaign)]
    after: int | None = 0
    while samples := select(store, SampleRow, _SAMPLES, campaign, after):
        try:
            yield [_row(cases[arms[one.arm_id].case_id], arms[one.arm_id], sessions, one) for one in samples]
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise StoreError(f"campaign {campaign} has a sample that no campaign stores: {error}") from error
        after = samples[-1].id


def _row(case: CaseRow, arm: ArmRow, sessions: list[int | None], sample: SampleRow) -> dict[str, Any]:
    return {
        "campaign": case.campaign,
        "experiment": case.experiment,
        "size": case.size,
        "case": case.name,
        "arm": arm.name,
        "role": arm.role,
        "session": sessions.index(sample.session_id) + 1,
        "block": sample.block,
        "position": sample.position,
        "iterations": sample.iterations,
        "taken_ns": sample.taken_ns,
        "elapsed_ns": sample.elapsed_ns,
        "run_s": sample.elapsed_ns * 1e-9 / sample.iterations,
        "ranks_ns": json.dumps(sample.ranks_ns) if sample.ranks_ns is not None else None,
        "figures": json.dumps(sample.figures) if sample.figures is not None else None,
    }


def write_csv(store: Store, campaign: str, file: IO[str]) -> None:
    """Write a campaign's samples as CSV, with a line of names."""
    writer = csv.DictWriter(file, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    for rows in _rows(store, campaign):
        writer.writerows(map(as_cells, rows))


def write_parquet(store: Store, campaign: str, file: IO[bytes]) -> None:
    """Write a campaign's samples as Parquet. Raises Misuse where pyarrow is not there."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise Misuse(f"Parquet needs pyarrow, which is not there ({error}): pip install 'rooftop[parquet]'") from error
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()])
    with parquet.ParquetWriter(file, schema) as writer:
        for rows in _rows(store, campaign):
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))
