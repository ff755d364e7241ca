"""The looks of the sampler as a trace that ui.perfetto.dev and chrome://tracing open: a track for each thread.

Format: Trace Event Format of Chromium, complete events (ph X) and metadata (ph M); times in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rooftop.diagnose.timeline import STATES, by_state
from rooftop.observe.recording import Recording


def _named(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yield the names of processes and threads. Processes are in the order of their ranks."""
    for thread, facts in recording.facts.items():
        if thread.pid == thread.tid:
            rank = f"rank {facts.rank} " if facts.rank is not None else ""
            about = {"ph": "M", "pid": thread.pid, "tid": thread.tid}
            yield {**about, "name": "process_name", "args": {"name": f"{rank}{facts.comm}"}}
            yield {**about, "name": "process_sort_index", "args": {"sort_index": 0 if not rank else facts.rank}}
        yield {"ph": "M", "pid": thread.pid, "tid": thread.tid, "name": "thread_name", "args": {"name": facts.comm}}


def events(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yield one event for each time that a thread stays in one state."""
    yield from _named(recording)
    looked_at = (look.at_ns for look in recording.looks)
    moments_us = [(at_ns - recording.began_ns) // 1000 for at_ns in (recording.began_ns, *looked_at)]
    names = list(STATES.values())
    for thread, spent in by_state(recording).items():
        states = spent.rows().argmax(axis=0)
        places = np.array(spent.looks)
        new = (np.diff(states, prepend=-1) != 0) | (np.diff(places, prepend=-2) != 1)
        begins = np.flatnonzero(new)
        for begin, end in zip(begins, [*begins[1:], len(places)], strict=True):
            at_us = moments_us[places[begin]]
            yield {
                "ph": "X",
                "pid": thread.pid,
                "tid": thread.tid,
                "name": names[states[begin]],
                "ts": at_us,
                "dur": moments_us[places[end - 1] + 1] - at_us,
            }


def trace(recording: Recording) -> dict[str, Any]:
    """Return the trace as JSON has it."""
    return {"displayTimeUnit": "ms", "traceEvents": list(events(recording))}
