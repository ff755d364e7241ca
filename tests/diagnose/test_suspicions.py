"""What is suspected of commands whose figures a test makes up."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.diagnose import cures, hot_loop
from rooftop.diagnose.facts import CallFacts, Facts, HotLoop, Lock, MpiCall, RankFacts, ThreadFacts
from rooftop.diagnose.suspicions import suspicions
from rooftop.documents import Finding
from rooftop.observe.profile import HotFunction
from rooftop.observe.sleeping import IO


def thread(**more: Any) -> ThreadFacts:
    usual = {"seen_s": 10.0, "run_s": 9.8, "wait_s": 0.0, "system_s": 0.1, "faults": 100, "switches": 50}
    return ThreadFacts(name="t", process=1, **{**usual, **more})


def healthy(**more: Any) -> Facts:
    """Return two threads that run all the time on two cores."""
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 2,
        "processes": 1,
        "levels": [0.05, 0.05, 9.9],
        "user_s": 19.6,
        "system_s": 0.1,
        "faults": 1000,
        "threads": [thread(), thread()],
    }
    return Facts(**{**usual, **more})


def rank(inside_s: float) -> RankFacts:
    return RankFacts(seconds=10.0, inside_s=inside_s, calls=9)


def names(facts: Facts) -> list[str]:
    return [one.name for one in suspicions(facts)]


def test_a_healthy_command_is_not_suspected() -> None:
    assert names(healthy()) == []
    assert names(healthy(levels=[0.0, 10.0], threads=[thread()], user_s=10.0)) == []


@pytest.mark.parametrize(
    ("more", "first"),
    [
        ({"levels": [0.0, 6.0, 4.0], "user_s": 14.0}, "serial section"),
        ({"levels": [0.0, 0.0, 0.0] + [0.0] * 5 + [10.0], "threads": [thread(wait_s=7.5)] * 8}, "oversubscription"),
        ({"hot": [HotFunction(share=0.4, file="libc.so.6", function="_int_malloc")]}, "allocation"),
        ({"faults": 8_000_000, "system_s": 6.0, "user_s": 13.0}, "page faults"),
        (
            {
                "locks": [Lock(sleep_s=9.0, threads=2)],
                "levels": [0.0, 9.0, 1.0],
                "threads": [thread(run_s=5.0, switches=200_000), thread(run_s=5.0, switches=200_000)],
                "user_s": 10.0,
            },
            "lock convoy",
        ),
        (
            {
                "openmp": True,
                "hot": [HotFunction(share=0.5, file="libgomp.so.1", function="gomp_team_barrier_wait_end")],
            },
            "waiting at barriers",
        ),
        (
            {
                "hot": [
                    HotFunction(share=0.3, file="libopenblasp.so.0", function="blas_thread_server"),
                    HotFunction(share=0.3, file="libopenblasp.so.0", function="dgemm_kernel"),
                ]
            },
            "threads of a BLAS",
        ),
        (
            {
                "ranks": 2,
                "mpi": [rank(0.2), rank(8)],
            },
            "imbalance of ranks",
        ),
        (
            {
                "ranks": 2,
                "mpi": [rank(6), rank(6.1)],
            },
            "communication",
        ),
        ({"threads": [thread(run_s=4.0, sleeps={IO: 5.0})], "levels": [5.0, 5.0], "user_s": 4.0}, "input and output"),
    ],
)
def test_the_planted_cause_is_suspected_first(more: dict[str, Any], first: str) -> None:
    found = suspicions(healthy(**more))
    assert found[0].name == first
    assert found[0].stake_s <= 10.0
    assert [one.stake_s for one in found] == sorted((one.stake_s for one in found), reverse=True)


def test_python_has_a_lock_of_its_own() -> None:
    threads = [thread(run_s=5.0, switches=3_000)] * 2
    hot = [HotFunction(share=0.9, file="python3.11", function="_PyEval_EvalFrameDefault")]
    convoy = healthy(locks=[Lock(sleep_s=9.0, threads=2)], threads=threads, user_s=10.0, hot=hot)
    assert names(convoy)[0] == "interpreter's lock"
    assert names(convoy.model_copy(update={"hot": []}))[0] == "lock convoy"


def ranked(**by_name: tuple[int, float, int]) -> list[RankFacts]:
    """Return two ranks with calls by name: calls, seconds inside, bytes sent."""
    calls = {
        name: MpiCall(calls=count, inside_s=inside_s, sent_bytes=sent)
        for name, (count, inside_s, sent) in by_name.items()
    }
    inside_s = sum(one.inside_s for one in calls.values())
    return [RankFacts(seconds=10.0, inside_s=inside_s, calls=9, by_name=calls)] * 2


@pytest.mark.parametrize(
    ("ranks", "name"),
    [
        (ranked(Allreduce=(100, 5.0, 100 * (16 << 20))), "large collectives"),
        (ranked(Allreduce=(100_000, 5.0, 800_000)), "communication"),
        (ranked(Send=(500_000, 3.0, 4_000_000), Recv=(500_000, 3.0, 0)), "small messages"),
        (ranked(Send=(100, 0.1, 800), Recv=(100, 6.0, 0)), "late sender"),
        (ranked(Isend=(1000, 0.1, 5_000_000_000), Waitall=(1000, 6.0, 0)), "communication"),
    ],
)
def test_what_ranks_wait_for(ranks: list[RankFacts], name: str) -> None:
    assert names(healthy(ranks=2, mpi=ranks))[0] == name


@pytest.mark.parametrize(
    ("kind", "alone_s", "name"),
    [
        (hot_loop.STRIDED, None, "strided access"),
        (hot_loop.CHAIN, None, "dependent chain"),
        (hot_loop.SHARED_LINE, 4.0, "false sharing"),
        (hot_loop.SHARED_LINE, 19.0, None),
        (hot_loop.SHARED_LINE, 15.0, None),
        (hot_loop.SHARED_LINE, None, None),
    ],
)
def test_what_a_hot_loop_waits_for(kind: str, alone_s: float | None, name: str | None) -> None:
    facts = healthy(hot_loop=HotLoop(function="f", waits={kind: 0.8}), alone_s=alone_s)
    assert names(facts) == ([name] if name is not None else [])


@pytest.mark.parametrize(
    ("processes", "told"), [((1, 1), True), ((1, 2), False), ((1, 1, 2, 3), True), ((1, 2, 3), False)]
)
def test_threads_of_one_process_share_a_lock(processes: tuple[int, ...], told: bool) -> None:
    # Processes that a pipe joins sleep as often without one.
    threads = [thread(run_s=5.0, switches=100_000).model_copy(update={"process": one}) for one in processes]
    facts = healthy(threads=threads, levels=[0.0, 5.0, 5.0], user_s=10.0, cpus=len(threads))
    assert ("lock convoy" in names(facts)) is told
    few = [one.model_copy(update={"switches": 50 if one.process == 1 else 100_000}) for one in threads]
    assert "lock convoy" not in names(facts.model_copy(update={"threads": few}))


def test_a_stacked_placement_is_suspected() -> None:
    placed = [Finding(name="stacked", evidence="2 busy threads on CPU 0", remedy="bind them")]
    (found,) = suspicions(healthy(placed=placed, user_s=10.0, system_s=0.0))
    assert found.name == "stacked threads"
    assert found.stake_s == pytest.approx(5.0)


def test_small_reads_have_a_name() -> None:
    def read(count: int, size: int) -> CallFacts:
        moved = {"reads": count, "read_bytes": size, "writes": 0, "written_bytes": 0}
        return CallFacts(allocations=3, allocated_bytes=9, input_output_s=5.0, **moved)

    hot = [HotFunction(share=0.6, file="[kernel.kallsyms]", function="vfs_read")]
    assert names(healthy(calls=read(1_000_000, 16_000_000), hot=hot)) == ["small reads"]
    assert names(healthy(calls=read(1_000, 1 << 30), hot=hot)) == ["input and output"]


@pytest.mark.parametrize(
    ("read", "again", "told"),
    [(73_000_000, 67_000_000, True), (73_000_000, 30_000_000, False), (9_000_000, 8_000_000, False)],
)
def test_most_of_what_is_read_was_read_before(read: int, again: int, told: bool) -> None:
    nothing: dict[str, Any] = {
        "allocations": 0,
        "allocated_bytes": 0,
        "writes": 0,
        "written_bytes": 0,
        "input_output_s": 0.1,
    }
    calls = CallFacts(reads=700, read_bytes=read, reread_bytes=again, **nothing)
    hot = [HotFunction(share=0.6, file="libz.so.1.2.13", function="0x000000000000ab68")]
    assert names(healthy(calls=calls, hot=hot)) == (["repeated reads"] if told else [])


def reading(again: int, inside_s: float) -> CallFacts:
    """Return reads of 100 MB, of which so many had been read before."""
    return CallFacts(
        allocations=0,
        allocated_bytes=0,
        reads=100,
        read_bytes=100_000_000,
        writes=0,
        written_bytes=0,
        input_output_s=inside_s,
        reread_bytes=again,
    )


KERNEL = [HotFunction(share=0.4, file="[kernel.kallsyms]", function="vfs_read")]  # of 19.7 s on 1.97 cores


def test_repeated_reads_are_not_told_twice() -> None:
    repeated, others = suspicions(healthy(calls=reading(75_000_000, 19.7), hot=KERNEL))
    assert (repeated.name, others.name) == ("repeated reads", "input and output")
    assert (repeated.stake_s, others.stake_s) == pytest.approx((3.0, 1.0))
    assert "1 s of 10 s in calls of the system beside repeated reads" in others.evidence
    assert names(healthy(calls=reading(90_000_000, 19.7), hot=KERNEL)) == ["repeated reads"]


def test_repeated_reads_too_few_for_a_line_are_input_and_output() -> None:
    (found,) = suspicions(healthy(calls=reading(50_000_000, 1.6), hot=KERNEL))
    assert found.name == "input and output"
    assert found.stake_s == pytest.approx(1.6 / 1.97)
    assert "repeated" not in found.evidence


def test_waiting_in_reads_is_no_work() -> None:
    pipe = [HotFunction(share=0.01, file="[kernel.kallsyms]", function="pipe_read")]
    assert suspicions(healthy(calls=reading(90_000_000, 9.0), hot=pipe)) == []


def test_cures_are_known_by_their_names() -> None:
    known = set(cures.names())
    everything = healthy(
        levels=[0.0, 2.0, 2.0, 6.0],
        threads=[thread(wait_s=5.0, sleeps={IO: 5.0})] * 3,
        faults=10_000_000,
        system_s=5.0,
        openmp=True,
        hot=[HotFunction(share=0.2, file="x", function=name) for name in ("malloc", "do_spin", "blas_thread_server")],
    )
    assert {name for one in suspicions(everything) for name in one.cures} <= known
