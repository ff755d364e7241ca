"""A store of many campaigns, made of a few that were measured: their rows under other names, with more samples."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from rooftop.store.protocol import Store
from rooftop.store.rows import insert, select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, SessionRow

_OF_CAMPAIGN = "WHERE campaign = ? ORDER BY id"
_FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)
_EVERY = timedelta(minutes=50)
# The commands of a case take turns, and its samples scatter by 1 %. Both databases read it.
_SAMPLES = """
INSERT INTO sample (arm_id, session_id, block, position, iterations, elapsed_ns, taken_ns)
WITH RECURSIVE block(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM block WHERE number < ?)
SELECT arm.id, CAST(? AS INTEGER), block.number, arm.id % 2, 1, 1e7 + 1e5 * ((block.number * 7919 + arm.id * 31) % 101),
block.number * 1000000
FROM block, arm WHERE arm.case_id = ? ORDER BY block.number, arm.id
"""


def fill(seed: Store, store: Store, campaigns: int, samples: int, gates_every: int = 10) -> int:
    """Add campaigns of so many samples; each tenth is a gate. Return the number of samples of the store.

    seed  has one comparison and one gate
    """
    patterns = {str(row.request["kind"]): row for row in select(seed, CampaignRow, "")}
    for first in range(0, campaigns, 100):

        def change(first: int = first) -> None:
            for number in range(first, min(first + 100, campaigns)):
                kind = "gate" if number % gates_every == 0 else "compare"
                _add(seed, store, patterns[kind], number, samples)

        store.written(change)
    ((found,),) = store.execute("SELECT count(*) FROM sample").fetchall()
    return int(found)


def _add(seed: Store, store: Store, pattern: CampaignRow, number: int, samples: int) -> None:
    begun = _FIRST_DAY + number * _EVERY
    name = f"{begun:%Y%m%d-%H%M%S}-{number % 65536:04x}"
    insert(store, replace(pattern, id=name, started=f"{begun:%Y-%m-%dT%H:%M:%SZ}"))
    session = 0
    for row in select(seed, SessionRow, _OF_CAMPAIGN, pattern.id):
        first_s = begun.timestamp()
        last_s = first_s + row.last_s - row.started_s
        session = insert(store, replace(row, id=None, campaign=name, started_s=first_s, last_s=last_s))
    cases = [
        (case, arms)
        for case in select(seed, CaseRow, _OF_CAMPAIGN, pattern.id)
        if (arms := select(seed, ArmRow, "WHERE case_id = ? ORDER BY id", case.id))
    ]
    for case, arms in cases:
        blocks = samples // len(cases) // len(arms)
        copy = insert(store, replace(case, id=None, campaign=name, blocks=blocks))
        for arm in arms:
            insert(store, replace(arm, id=None, case_id=copy))
        store.execute(_SAMPLES, [blocks, session, copy])
