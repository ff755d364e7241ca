"""Processes that write campaigns to one store at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rooftop.store.interrupted import campaigns
from rooftop.store.protocol import Store

_SAMPLES = 5  # of a block
_WRITER = f"""
from growing_store import Growing
from rooftop.store.database import opened_database
from rooftop.store.place import read_place
with opened_database(read_place(sys.argv[1])) as store:
    campaign = Growing(store, sys.argv[2])
    for _ in range(int(sys.argv[3])):
        campaign.measure({_SAMPLES})
    campaign.finish()
"""


def write_at_once(place: str, count: int, blocks: int) -> None:
    """Let so many processes write a campaign each. None of them may say anything."""
    paths = [str(Path(__file__).parent), *sys.path]
    words = [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}\n{_WRITER}", place]
    running = [
        subprocess.Popen([*words, f"campaign {number}", str(blocks)], stderr=subprocess.PIPE, text=True)
        for number in range(count)
    ]
    ended = [(one.communicate()[1], one.returncode) for one in running]
    assert ended == [("", 0)] * count


def check_written(store: Store, count: int, blocks: int) -> None:
    """Check that a store has all that was written, and nothing else."""
    found = campaigns(store)
    assert sorted(row.id for row, _ in found) == sorted(f"campaign {number}" for number in range(count))
    assert {samples for _, samples in found} == {blocks * _SAMPLES}
    assert all(row.finished for row, _ in found)
