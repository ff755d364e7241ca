"""What simulated ranks do when, as a trace that ui.perfetto.dev and chrome://tracing open: a track for each rank.

Format: Trace Event Format of Chromium, complete events (ph X) and metadata (ph M); times in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rooftop.simulate.replay import Replayed

#: Of each rank: a viewer opens some millions of events in all.
MOST_SPANS = 20_000
_NAMES = {"work": "work", "calls": "MPI calls"}


def events(found: Replayed) -> Iterator[dict[str, Any]]:
    """Yield the ranks' names, and an event for each piece of work and each stay in MPI."""
    for rank in range(len(found.ranks)):
        about = {"ph": "M", "pid": rank, "tid": rank}
        yield {**about, "name": "process_name", "args": {"name": f"rank {rank}"}}
        yield {**about, "name": "process_sort_index", "args": {"sort_index": rank}}
    for rank, what, begin_s, end_s in found.spans:
        about = {"ph": "X", "pid": rank, "tid": rank, "name": _NAMES[what]}
        yield {**about, "ts": 1e6 * begin_s, "dur": 1e6 * (end_s - begin_s)}


def trace(found: Replayed) -> dict[str, Any]:
    """Return the trace as JSON has it."""
    return {"displayTimeUnit": "ms", "traceEvents": list(events(found))}
