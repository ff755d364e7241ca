"""What is suspected where no functions were seen: by counts of calls, and by how OpenMP threads wait asleep."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.diagnose import cures
from rooftop.diagnose.facts import CallFacts, Facts, ThreadFacts, facts
from rooftop.diagnose.suspicion import Suspicion
from rooftop.diagnose.suspicions import suspicions
from rooftop.observe.profile import HotFunction
from rooftop.observe.recording import Facts as OfThread
from rooftop.observe.recording import Look, Recording, Seen, Thread
from rooftop.observe.sleeping import LOCK
from rooftop.observe.threads import scene

ALL: dict[str, Any] = {"seen_s": 10.0, "run_s": 9.8, "wait_s": 0.0, "system_s": 0.1, "faults": 100, "switches": 50}


def unprofiled(**more: Any) -> Facts:
    """Return two threads that run all the time on two cores, without a profile."""
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 2,
        "levels": [0.05, 0.05, 9.9],
        "user_s": 19.6,
        "system_s": 0.1,
        "faults": 1000,
        "threads": [ThreadFacts(name="t", process=1, **ALL)] * 2,
    }
    return Facts(**{**usual, **more})


def only(found: list[Suspicion]) -> Suspicion:
    (one,) = found
    return one


def calls(**more: Any) -> CallFacts:
    usual: dict[str, Any] = dict.fromkeys(
        ("allocations", "allocated_bytes", "reads", "read_bytes", "writes", "written_bytes"), 0
    )
    return CallFacts(**{**usual, "input_output_s": 0.0, **more})


def test_many_allocations_are_suspected_and_only_their_cure_proves_them() -> None:
    found = only(suspicions(unprofiled(calls=calls(allocations=100_000_000))))
    assert (found.name, found.stands, found.cures[0]) == ("allocation", False, cures.ALLOCATOR)
    assert found.evidence == "100,000,000 allocations"
    assert found.stake_s <= 10.0
    assert suspicions(unprofiled(calls=calls(allocations=100_000))) == []


def test_small_reads_are_known_by_the_time_inside() -> None:
    told = calls(reads=1_000_000, read_bytes=16_000_000, input_output_s=5.0)
    assert only(suspicions(unprofiled(calls=told, system_s=5.0))).name == "small reads"
    assert suspicions(unprofiled(calls=told, system_s=0.1)) == []  # it waited inside: for a pipe, for example


@pytest.mark.parametrize(
    ("alone_s", "asleep_switches_per_s", "told"),
    [(4.0, 50_000.0, True), (4.0, 100.0, False), (18.0, 50_000.0, False), (4.0, None, False), (None, None, False)],
)
def test_barriers_are_known_by_how_often_threads_wait_asleep(
    alone_s: float | None, asleep_switches_per_s: float | None, told: bool
) -> None:
    given = unprofiled(openmp=True, alone_s=alone_s, asleep_switches_per_s=asleep_switches_per_s)
    assert [one.name for one in suspicions(given)] == (["waiting at barriers"] if told else [])


def test_python_is_known_by_the_names_of_its_threads() -> None:
    queue: dict[str, Any] = {
        "user_s": 10.0,
        "threads": [ThreadFacts(name="python3", process=1, **{**ALL, "switches": 100_000})] * 2,
    }
    assert suspicions(unprofiled(**queue))[0].name == "interpreter's lock"


@pytest.mark.parametrize(("share", "told"), [(0.76, ["growing memory"]), (0.3, ["growing memory"]), (0.2, [])])
def test_memory_that_grows_is_copied(share: float, told: list[str]) -> None:
    hot = [HotFunction(share=share, file="libc.so.6", function="__memmove_avx_unaligned_erms")]
    new = calls(allocations=54_184, allocated_bytes=47_000_000_000)
    assert [one.name for one in suspicions(unprofiled(hot=hot, calls=new))] == told


def test_copies_without_new_memory_have_another_name() -> None:
    hot = [HotFunction(share=0.5, file="libc.so.6", function="memcpy@GLIBC_2.14")]
    assert only(suspicions(unprofiled(hot=hot, calls=calls(allocations=3)))).name == "copying memory"
    assert only(suspicions(unprofiled(hot=hot))).name == "copying memory"


@pytest.mark.parametrize(("file", "fits"), [("libopenblasp-r0.3.21.so", True), ("libc.so.6", False)])
def test_a_blas_gets_one_thread_where_its_threads_are_too_many(file: str, fits: bool) -> None:
    crowd: dict[str, Any] = {
        "levels": [0.0] * 8 + [10.0],
        "threads": [ThreadFacts(name="t", process=1, **{**ALL, "wait_s": 7.5})] * 8,
    }
    hot = [HotFunction(share=0.2, file=file, function="dgemm_kernel_ZEN")]
    assert (cures.ONE_BLAS_THREAD in only(suspicions(unprofiled(hot=hot, **crowd))).cures) is fits


def test_faults_and_calls_are_known_where_perf_hides_the_kernel() -> None:
    own = [HotFunction(share=0.9, file="app", function="compute")]
    faults = unprofiled(hot=own, faults=8_000_000, system_s=6.0, user_s=13.0)
    assert only(suspicions(faults)).name == "page faults"
    told = calls(reads=1_000_000, read_bytes=16_000_000, input_output_s=5.0)
    assert only(suspicions(unprofiled(hot=own, calls=told, system_s=5.0))).name == "small reads"


def test_shares_are_of_what_was_sampled() -> None:
    hot = [HotFunction(share=0.5, file="libc.so.6", function="malloc")]
    half = {"user_s": 10.0, "system_s": 10.0}
    kernel = HotFunction(share=0.01, file="[kernel.kallsyms]", function="handle_softirqs")
    assert only(suspicions(unprofiled(hot=hot, **half))).stake_s == pytest.approx(2.5)
    assert only(suspicions(unprofiled(hot=[*hot, kernel], **half))).stake_s == pytest.approx(5.0)


def test_threads_of_a_blas_wait_in_the_kernel() -> None:
    yields = [
        HotFunction(share=0.2, file="[kernel.kallsyms]", function="do_sched_yield"),
        HotFunction(share=0.1, file="libc.so.6", function="__sched_yield"),
    ]
    solves = HotFunction(share=0.1, file="libopenblasp-r0.3.21.so", function="dgemm_kernel_ZEN")
    found = only(suspicions(unprofiled(hot=[*yields, solves])))
    assert (found.name, found.stands, found.cures) == ("threads of a BLAS", False, (cures.ONE_BLAS_THREAD,))
    assert found.stake_s == pytest.approx(0.3 * 10, rel=0.05)
    assert suspicions(unprofiled(hot=yields)) == []


def test_both_words_of_a_condition_variable_are_one_lock() -> None:
    threads = [Thread(1, 1, 7), Thread(1, 2, 7)]
    recording = Recording()
    for number in range(1, 101):
        asleep = number % 2
        seen = {
            one: Seen(
                place,
                "S" if place == asleep else "R",
                number * 5_000_000,
                0,
                LOCK if place == asleep else "",
                (0xA5B8F0 + 4 * place) if place == asleep else 0,
            )
            for place, one in enumerate(threads)
        }
        recording.looks.append(Look(number * 10_000_000, seen))
    recording.facts = {one: OfThread("t") for one in threads}
    found = facts(recording, scene(recording), 2, {"elapsed": 1.0, "user": 1.0, "system": 0.0})
    assert [lock.threads for lock in found.locks] == [2]
    assert found.locks[0].sleep_s == pytest.approx(1.0)


def test_nothing_is_loaded_before_a_static_program() -> None:
    start = cures.Start(("./app",), {})
    wanted = [cures.ALLOCATOR, cures.BUFFER, cures.KEEP_MEMORY]
    found = cures.cures(wanted, start, unprofiled(sealed="it is linked statically"), [])
    assert [one.name for one in found] == [cures.KEEP_MEMORY]
