"""What was computed of a finished campaign is kept: pages of many campaigns do not read all their samples again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rooftop.errors import StoreError
from rooftop.store.protocol import Store
from rooftop.store.rows import insert_new, select
from rooftop.store.schema import DigestRow

_EACH = 100  # campaigns whose digests are written at a time


def digests(
    store: Store, name: str, finished: list[str], compute: Callable[[list[str]], dict[str, dict[str, Any]]]
) -> dict[str, dict[str, Any]]:
    """Return what was computed of each of these campaigns, which are finished and so never change.

    name     of what is computed; another one where it is computed in another way
    compute  yields it of some campaigns, by their ids

    What was computed is kept, where the store can be written just now.
    """
    found = {row.campaign: row.value for row in select(store, DigestRow, "WHERE name = ?", name)}
    missing = [campaign for campaign in finished if campaign not in found]
    writable = True
    for first in range(0, len(missing), _EACH):
        new = compute(missing[first : first + _EACH])
        found |= new
        if writable:
            writable = keep_digests(store, name, new)
    return found


def keep_digests(store: Store, name: str, values: dict[str, dict[str, Any]]) -> bool:
    """Keep what was computed of finished campaigns, where the store lacks it. Return whether it could be written."""
    rows = [DigestRow(campaign, name, value) for campaign, value in values.items()]
    try:
        store.written(lambda: insert_new(store, rows))
    except StoreError:  # a store that is only read, or written by another for long
        return False
    return True
