"""Processes that write campaigns to one store at the same time, and whether each of their samples is there once."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rooftop.store.protocol import Store

OF_BLOCK = 5  # samples
_WRITER = f"""
from growing_store import Growing
from rooftop.store.database import opened_database
from rooftop.store.place import read_place
with opened_database(read_place(sys.argv[1])) as store:
    campaign = Growing(store, sys.argv[2])
    for _ in range(int(sys.argv[3])):
        campaign.measure({OF_BLOCK})
    campaign.finish()
"""
_STORED = """
SELECT "case".campaign, sample.elapsed_ns FROM sample JOIN arm ON arm.id = sample.arm_id
JOIN "case" ON "case".id = arm.case_id
"""


@dataclass(frozen=True)
class Written:
    """What became of the samples of many writers.

    stored      samples of the store
    lost        samples that were written and are not there
    twice       samples that are there more often than they were written
    unfinished  campaigns that are not there, or not finished
    commits     from the first sample to the last, in so many seconds
    """

    stored: int
    lost: int
    twice: int
    unfinished: int
    commits: int
    seconds: float

    @property
    def right(self) -> bool:
        """Whether each sample is there once."""
        return not (self.lost or self.twice or self.unfinished)


def write_at_once(place: str, count: int, blocks: int) -> list[str]:
    """Let so many processes write a campaign each. Return what they said and how they ended where it was not well."""
    paths = [str(Path(__file__).parent), *sys.path]
    words = [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}\n{_WRITER}", place]
    running = [
        subprocess.Popen([*words, _name(number), str(blocks)], stderr=subprocess.PIPE, text=True)
        for number in range(count)
    ]
    ended = [(one.communicate()[1], one.returncode) for one in running]
    return [f"exit code {code}: {said.strip()}" for said, code in ended if said or code]


def written(store: Store, count: int, blocks: int) -> Written:
    """Hold what a store has against what was written."""
    asked = Counter((_name(number), 1e7 + taken) for number in range(count) for taken in _taken(blocks))
    found: Counter[tuple[str, float]] = Counter(tuple(row) for row in store.execute(_STORED))
    finished = {name for (name,) in store.execute("SELECT id FROM campaign WHERE finished IS NOT NULL")}
    first_ns, last_ns = store.execute("SELECT min(taken_ns), max(taken_ns) FROM sample").fetchone()
    return Written(
        stored=found.total(),
        lost=(asked - found).total(),
        twice=(found - asked).total(),
        unfinished=len({_name(number) for number in range(count)} - finished),
        commits=found.total() + count * blocks,  # a block is a commit of its own
        seconds=(last_ns - first_ns) * 1e-9 if first_ns is not None else 0.0,
    )


def _name(number: int) -> str:
    return f"campaign {number}"


def _taken(blocks: int) -> range:
    return range(1, blocks * OF_BLOCK + 1)
