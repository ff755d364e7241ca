"""What each rank did and when, from the facts of drivers: figures, sums, and a trace for Perfetto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rooftop.driver.protocol import Facts

EXCHANGE = "exchange"
WAITING = "waiting"
# As readers of the FT case know them. P1, P3 and waiting follow one another; P2 runs beside them.
PHASES = {"columns": "P1 columns", "planes": "P3 planes", EXCHANGE: "P2 messages", WAITING: "waiting"}


@dataclass(frozen=True)
class Event:
    """One phase of one step; FT's steps are transforms, 1 the one forth. Times in ns of a clock that ranks share."""

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


def events_of(facts: Facts) -> list[Event]:
    """Return a rank's events; none where its driver tells none."""
    return [Event(*one) for one in facts.events]


# For each rank its phases: name, step, begin and end in seconds from the first one's begin.
Timeline = list[list[tuple[str, int, float, float]]]


def timeline_of(facts: Sequence[Facts]) -> Timeline | None:
    """Return all ranks' events as documents have them; None where there are none."""
    ranks = [events_of(one) for one in facts]
    start = min((one.begin_ns for events in ranks for one in events), default=None)
    if start is None:
        return None
    return [
        [(one.phase, one.transform, (one.begin_ns - start) / 1e9, (one.end_ns - start) / 1e9) for one in events]
        for events in ranks
    ]


def events_in(timeline: Timeline) -> list[list[Event]]:
    """The reverse of timeline_of, from 0 ns on."""
    return [[Event(phase, step, round(a * 1e9), round(b * 1e9)) for phase, step, a, b in rank] for rank in timeline]


def seconds_of(events: Sequence[Event]) -> Seconds:
    """Sum a rank's events."""

    def of(phase: str) -> float:
        return sum(one.end_ns - one.begin_ns for one in events if one.phase == phase) * 1e-9

    return Seconds(of("columns"), of("planes"), of(EXCHANGE), of(WAITING))


def trace(ranks: Sequence[Sequence[Event]]) -> dict[str, Any]:
    """Return the Trace Event Format's JSON object (Perfetto and chrome://tracing): a process for each rank.

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


def figures_of(facts: Sequence[Facts]) -> dict[str, float] | None:
    """Return all ranks' figures, of each the greatest; None where there are none. What is not finite is left out."""
    greatest: dict[str, float] = {}
    for rank in facts:
        for name, value in rank.figures.items():
            if value is not None:
                greatest[name] = max(value, greatest.get(name, value))
    return greatest or None
