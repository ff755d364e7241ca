"""What threads do over time, and the trace of it, on recorded looks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_looks import Acting, acted

from rooftop.diagnose.timeline import COLUMNS, MOST_THREADS, by_state, timeline
from rooftop.diagnose.trace import trace
from rooftop.observe.recording import Facts, Look, Recording, Seen, Thread
from rooftop.observe.sleeping import LOCK
from rooftop.observe.threads import scene

MS = 1_000_000


def phases() -> Recording:
    """Record a thread that runs for 10 looks, sleeps on a lock for 10, and wants a core for 10; another comes late."""
    recording = Recording(began_ns=5 * MS)
    first, late = Thread(1, 1, 0), Thread(1, 2, 0)
    run_ns = 0
    for number in range(1, 31):
        run_ns += MS if number <= 10 else 0
        state, sleeps = ("R", "") if number <= 10 or number > 20 else ("S", LOCK)
        seen = {first: Seen(0, state, run_ns, 0, sleeps)}
        if number > 15:
            seen[late] = Seen(1, "R", (number - 15) * MS, 0)
        recording.looks.append(Look((5 + number) * MS, seen))
    recording.facts = {first: Facts("app", rank=3), late: Facts("app", rank=3)}
    return recording


def test_states_follow_each_other() -> None:
    recording = phases()
    found = timeline(recording, scene(recording))
    assert found is not None
    assert found.column_s == pytest.approx(0.001)
    assert [lane.states for lane in found.lanes] == ["R" * 10 + "l" * 10 + "w" * 10, " " * 15 + "R" * 15]
    assert found.lanes[0].name == "rank 3 thread 1 (app)"


def test_many_looks_are_few_columns() -> None:
    recording = acted([Acting([0], [0], runs=0.7, waits=0.3)], looks=10 * COLUMNS)
    found = timeline(recording, scene(recording))
    assert found is not None
    assert found.lanes[0].states == "R" * COLUMNS


def test_the_busiest_threads_are_shown() -> None:
    acting = [Acting([0], [0], runs=0.001 if place == 40 else 0.5) for place in range(MOST_THREADS + 6)]
    recording = acted(acting, looks=10)
    found = timeline(recording, scene(recording))
    assert found is not None
    assert (len(found.lanes), found.left_out) == (MOST_THREADS, 6)
    assert "thread 140 (app)" not in [lane.name for lane in found.lanes]
    assert [lane.name for lane in found.lanes] == sorted(lane.name for lane in found.lanes)


def test_of_ranks_nobody_else_is_shown() -> None:
    recording = acted([Acting([0], [0], comm="mpirun"), Acting([0], [0], rank=0, comm="ring")])
    found = timeline(recording, scene(recording))
    assert found is not None
    assert [(lane.name, found.left_out) for lane in found.lanes] == [("rank 0 thread 101 (ring)", 1)]


def test_helpers_of_ranks_take_no_rank_s_place() -> None:
    ranks = [Acting([0], [0], rank=place, pid=1000 + place, runs=0.001, waits=0.6) for place in range(MOST_THREADS)]
    helpers = [Acting([0], [0], rank=place, pid=1000 + place, waits=0.04, runs=0.02) for place in range(3)]
    recording = acted([*ranks, *helpers])
    found = timeline(recording, scene(recording))
    assert found is not None
    assert [lane.name.split(" thread")[0] for lane in found.lanes] == [f"rank {place}" for place in range(MOST_THREADS)]
    assert found.left_out == 3


def test_nothing_seen_has_no_timeline() -> None:
    assert timeline(Recording(), scene(Recording())) is None


def test_the_trace_has_a_track_for_each_thread() -> None:
    events = trace(phases())["traceEvents"]
    states = [(one["tid"], one["name"], one["ts"], one["dur"]) for one in events if one["ph"] == "X"]
    assert states == [
        (1, "runs", 0, 10_000),
        (1, "lock", 10_000, 10_000),
        (1, "wants a core", 20_000, 10_000),
        (2, "runs", 15_000, 15_000),
    ]
    names = {(one["name"], one["tid"]): one["args"] for one in events if one["ph"] == "M"}
    assert names["process_name", 1] == {"name": "rank 3 app"}
    assert names["process_sort_index", 1] == {"sort_index": 3}
    assert names["thread_name", 2] == {"name": "app"}


def test_a_thread_that_was_not_seen_for_a_while_is_not_there() -> None:
    recording = phases()
    del recording.looks[3].seen[Thread(1, 1, 0)]  # type: ignore[attr-defined]
    found = [one for one in trace(recording)["traceEvents"] if one["ph"] == "X" and one["tid"] == 1]
    assert [(one["ts"], one["dur"]) for one in found[:2]] == [(0, 3000), (4000, 6000)]


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sampled_from("RSD"), st.integers(0, 60), st.integers(0, 60)), max_size=40)
)
def test_the_seconds_of_a_thread_are_those_between_looks(looks: list[tuple[int, str, int, int]]) -> None:
    recording, thread = Recording(), Thread(1, 1, 0)
    at_ns = run_ns = wait_ns = 0
    for step, state, ran, waited in looks:
        at_ns, run_ns, wait_ns = at_ns + step * MS, run_ns + ran * MS, wait_ns + waited * MS
        sleeps = "" if state == "R" else LOCK
        recording.looks.append(Look(at_ns, {thread: Seen(0, state, run_ns, wait_ns, sleeps)}))
    recording.facts[thread] = Facts("app")
    assert all(value >= 0 for spent in by_state(recording).values() for row in spent.seconds for value in row)
    total = sum(sum(row) for spent in by_state(recording).values() for row in spent.seconds)
    assert total == pytest.approx(at_ns * 1e-9)
    found = timeline(recording, scene(recording))
    assert found is None or all(len(lane.states) == min(COLUMNS, len(looks)) for lane in found.lanes)
    events = [one for one in trace(recording)["traceEvents"] if one["ph"] == "X"]
    assert all(one["ts"] + one["dur"] <= other["ts"] for one, other in pairwise(events))
