"""Schedules of a team of threads: against pieces counted one by one, and the model against replays."""

from __future__ import annotations

import pytest
from any_platform import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict, work_seconds
from rooftop.simulate.program import Halo, Phase, Schedule, Work, program_named
from rooftop.simulate.replay import missing, replay
from rooftop.simulate.team import Team, team_seconds

needs_replay = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def counted(pieces: int, of_piece: list[float], late_s: float) -> float:
    """Return when the last piece is done if the next free thread takes the next one."""
    free = [late_s, *(0.0 for _ in of_piece[1:])]
    ended = late_s
    for _ in range(pieces):
        one = free.index(min(free))
        free[one] += of_piece[one]
        ended = max(ended, free[one])
    return ended


@given(
    pieces=st.integers(1, 2000),
    threads=st.integers(1, 16),
    taken=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    late_s=st.floats(0, 300),
    fetch_s=st.sampled_from([0.0, 0.03, 1.0]),
)
def test_dynamic_takes_what_is_counted(pieces: int, threads: int, taken: float, late_s: float, fetch_s: float) -> None:
    of_piece = [1 + fetch_s] * threads
    of_piece[0] = 1 / max(0.5, 1 - taken) + fetch_s
    found = team_seconds(Schedule(pieces, True, fetch_s), 1.0, 0.0, Team(threads, taken, late_s))
    # Of two threads that are free at the same instant either may be first.
    apart = 1e-9 if taken == 0 else max(of_piece)
    assert found == pytest.approx(max(counted(pieces, of_piece, late_s), pieces * fetch_s), abs=apart, rel=1e-9)


@given(pieces=st.integers(1, 10**9), threads=st.integers(1, 64), taken=st.sampled_from([0.0, 0.5]))
def test_finer_chunks_are_no_worse_than_equal_parts(pieces: int, threads: int, taken: float) -> None:
    team = Team(threads, taken)
    static, dynamic = (team_seconds(Schedule(pieces, way), 1.0, 0.0, team) for way in (False, True))
    assert dynamic <= static + 1 + 1e-9 * static
    assert dynamic >= pieces / threads


@needs_replay
@settings(max_examples=12, deadline=None)
@given(
    pieces=st.integers(1, 3000),
    dynamic=st.booleans(),
    threads=st.integers(1, 8),
    bytes_=st.sampled_from([0.0, 1e7, 1e9]),
    taken=st.sampled_from([0.0, 0.5]),
)
def test_model_and_replay_have_the_same_team(
    pieces: int, dynamic: bool, threads: int, bytes_: float, taken: float
) -> None:
    node = {"cores": 8, "core_flops_per_s": 1e9, "memory_bytes_per_s": 4e10, "core_memory_bytes_per_s": 1e10}
    progress = {"rule": "thread", "thread_cores": taken}
    layout = laid_out(plain(2, node=node, progress=progress), 2, threads, per_node=1)
    work = Work(flops=1e7, bytes=bytes_, schedule=Schedule(pieces, dynamic, 1e-8 if dynamic else 0.0))
    phases = [Phase("product", work, (Halo(((1, 8.0),)),), 1, overlap=True)]
    found = replay(recording_of(layout, phases), layout)
    # A thread takes cores from a team that has no spare one.
    lost = taken if threads == 8 else 0.0
    assert found.ranks[0].computing_s == pytest.approx(work_seconds(layout, work, lost)[0], rel=1e-6)
    assert predict(layout, phases).compute_s == work_seconds(layout, work, lost)[0]


@needs_replay
@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("chunk", [0, 50, 1000])
def test_the_masters_exchange_costs_its_part_of_the_team(chunk: int, share: float) -> None:
    node = {"cores": 8, "core_flops_per_s": 1e9, "memory_bytes_per_s": 1e11}
    machine = plain(8, node=node, progress={"rule": "calls", "share_outside_calls": share})
    layout = laid_out(machine, 8, 8)
    program = program_named("elasticity")
    wanted = {"nx": 60, "ny": 60, "nz": 60, "iterations": 20, "overlap": 1, "chunk": chunk}
    phases = program.phases(8, 8, program.given(wanted))
    counted_s, replayed_s = predict(layout, phases), replay(recording_of(layout, phases), layout)
    assert replayed_s.seconds == pytest.approx(counted_s.seconds, rel=0.02)
    if chunk:
        # Seven threads compute meanwhile, and nothing depends on what proceeds outside of calls.
        halo = counted_s.phases[0]
        assert 0.6 * halo.transfer_s < halo.hidden_s <= halo.transfer_s * (1 + 1e-9)
