"""What each rank of the FT solver did when: sums for the report, and a trace that Perfetto shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

EXCHANGE = "exchange"
WAITING = "waiting"
# As readers know them. P1, P3 and waiting follow one another; P2 runs beside them.
PHASES = {"columns": "P1 columns", "planes": "P3 planes", EXCHANGE: "P2 messages", WAITING: "waiting"}


@dataclass(frozen=True)
class Event:
    """One phase of one transform: 1 is the one forth. Times in ns of a clock that all ranks of a machine share."""

    phase: str
    transform: int
    begin_ns: int
    end_ns: int


@dataclass(frozen=True)
class Seconds:
    """Time that a rank spent in each phase. An exchange runs beside the others; they follow one another."""

    columns: float
    planes: float
    exchange: float
    waiting: float

    @property
    def computing(self) -> float:
        """Columns and planes."""
        return self.columns + self.planes


def events_of(facts: dict[str, Any]) -> list[Event]:
    """Read a rank's events as its driver tells them."""
    return [Event(str(phase), int(transform), int(begin), int(end)) for phase, transform, begin, end in facts["events"]]


def seconds_of(events: Sequence[Event]) -> Seconds:
    """Sum a rank's events."""

    def of(phase: str) -> float:
        return sum(one.end_ns - one.begin_ns for one in events if one.phase == phase) * 1e-9

    return Seconds(of("columns"), of("planes"), of(EXCHANGE), of(WAITING))


def trace(ranks: Sequence[Sequence[Event]]) -> dict[str, Any]:
    """Give the Trace Event Format's JSON object (Perfetto and chrome://tracing): a process for each rank.

    Source: "Trace Event Format", complete events (ph X, times in µs) and metadata events (ph M).
    """
    start = min((one.begin_ns for events in ranks for one in events), default=0)
    found: list[dict[str, Any]] = []
    for rank, events in enumerate(ranks):
        named = [("process_name", 0, f"rank {rank}"), ("thread_name", 0, "work"), ("thread_name", 1, "messages")]
        found += [
            {"name": kind, "ph": "M", "pid": rank, "tid": lane, "args": {"name": name}} for kind, lane, name in named
        ]
        found += [
            {
                "name": PHASES.get(one.phase, one.phase),
                "cat": one.phase,
                "ph": "X",
                "ts": (one.begin_ns - start) / 1000,
                "dur": (one.end_ns - one.begin_ns) / 1000,
                "pid": rank,
                "tid": 1 if one.phase == EXCHANGE else 0,
                "args": {"transform": one.transform},
            }
            for one in events
        ]
    return {"displayTimeUnit": "ms", "traceEvents": found}
