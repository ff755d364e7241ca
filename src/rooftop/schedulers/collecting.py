"""Merges the store of a job into the user's: what is there already is not added again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TypeVar

from rooftop.store.database import opened_database
from rooftop.store.rows import insert, select, transaction, update
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

RowT = TypeVar("RowT", SessionRow, CaseRow, ArmRow, SampleRow, RoofRow)

_OF_CAMPAIGN = "WHERE campaign = ? ORDER BY id"


def collected(job_store: Path, user: sqlite3.Connection) -> list[str]:
    """Merge all campaigns of a job's store into the user's; return their ids, the oldest first.

    The general form of this is `rooftop sync` between two stores, which is to replace it. Raises StoreError.
    """
    if not job_store.is_file():
        return []
    with opened_database(job_store) as job:
        campaigns = [row.id for row in select(job, CampaignRow, "ORDER BY started, campaign.rowid")]
        for campaign in campaigns:
            merge_campaign(job, user, campaign)
    return campaigns


def merge_campaign(source: sqlite3.Connection, target: sqlite3.Connection, campaign: str) -> None:
    """Add what a store has of a campaign to another, in one transaction.

    Rows that may change, such as a case's number of blocks, are those of the store that worked on it last.
    """
    (row,) = select(source, CampaignRow, "WHERE id = ?", campaign)
    with transaction(target):
        target.execute("UPDATE campaign SET id = id WHERE 0")  # the write lock, before anything is read
        known = select(target, CampaignRow, "WHERE id = ?", campaign)
        newer = not known or _last_s(source, campaign) >= _last_s(target, campaign)
        if not known:
            insert(target, row)
        elif newer:
            update(target, row)

        def merged(kind: type[RowT], key: Callable[[RowT], Hashable]) -> dict[int, int]:
            theirs, ours = (select(one, kind, _OF_CAMPAIGN, campaign) for one in (source, target))
            return _merged(target, theirs, ours, key, newer)

        sessions = merged(SessionRow, lambda one: one.started_s)
        cases = merged(CaseRow, lambda one: (one.experiment, one.size, one.name))
        merged(RoofRow, lambda one: (one.taken_s, json.dumps(one.roof, sort_keys=True)))
        for there, here in cases.items():
            _merge_arms(source, target, there, here, sessions, newer)
        if newer:
            target.execute("DELETE FROM file WHERE campaign = ?", [campaign])
            for file in select(source, FileRow, _OF_CAMPAIGN, campaign):
                file.id = None
                insert(target, file)


def _last_s(connection: sqlite3.Connection, campaign: str) -> float:
    """Return when a store last worked on a campaign, in seconds since 1970."""
    (found,) = connection.execute("SELECT max(last_s) FROM session WHERE campaign = ?", [campaign]).fetchone()
    return float(found or 0.0)


def _merge_arms(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    case_there: int,
    case_here: int,
    sessions: dict[int, int],
    newer: bool,
) -> None:
    """Add a case's arms and their samples."""
    theirs = select(source, ArmRow, "WHERE case_id = ? ORDER BY id", case_there)
    for arm in theirs:
        arm.case_id = case_here
    ours = select(target, ArmRow, "WHERE case_id = ? ORDER BY id", case_here)
    arms = _merged(target, theirs, ours, lambda one: (one.name, one.role), newer)
    for there, here in arms.items():
        samples = select(source, SampleRow, "WHERE arm_id = ? ORDER BY id", there)
        for sample in samples:
            sample.arm_id, sample.session_id = here, sessions[sample.session_id]
        known = select(target, SampleRow, "WHERE arm_id = ? ORDER BY id", here)
        _merged(target, samples, known, lambda one: (one.session_id, one.block, one.position, one.taken_ns), False)


def _merged(
    target: sqlite3.Connection,
    theirs: Sequence[RowT],
    ours: Sequence[RowT],
    key: Callable[[RowT], Hashable],
    newer: bool,
) -> dict[int, int]:
    """Add rows whose keys are not there yet, and update the others if `newer`; return the new ids by the old ones."""
    known = {key(one): one.id for one in ours}
    ids: dict[int, int] = {}
    for one in theirs:
        there, one.id = one.id, known.get(key(one))
        if one.id is None:
            one.id = known[key(one)] = insert(target, one)
        elif newer:
            update(target, one)
        assert there is not None
        ids[there] = one.id
    return ids
