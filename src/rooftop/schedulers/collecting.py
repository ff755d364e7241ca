"""Bring the campaigns of a job's store into the user's: what is there already is not added again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rooftop.errors import StoreError
from rooftop.store.database import opened_database
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow
from rooftop.store.sync import synchronized


def collected(job_store: Path, user: Store) -> list[str]:
    """Bring all campaigns of a job's store up to date in the user's; return their ids, the oldest first.

    Raises StoreError, also where a campaign went on outside of the job meanwhile: the job's store keeps its samples.
    """
    if not job_store.is_file():
        return []
    try:
        with opened_database(job_store) as job:
            campaigns = [row.id for row in select(job, CampaignRow, "ORDER BY started, id")]
            refused = synchronized(job, user).refused
    except sqlite3.Error as error:  # damage that does not show when it is opened
        raise StoreError(f"the store {job_store} cannot be read: {error}") from error
    if refused:
        raise StoreError(f"{refused[0]}; {job_store} has what the job measured")
    return campaigns
