"""What is suspected of OpenMP's parallel regions whose figures a test makes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts, ThreadFacts
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion, openmp_facts
from rooftop.diagnose.regions import serial_s, told_by_regions
from rooftop.diagnose.suspicion import Suspicion
from rooftop.diagnose.suspicions import suspicions
from rooftop.observe.addresses import Place
from rooftop.observe.openmp import USES, Figures, Regions, Site
from rooftop.observe.profile import HotFunction


def region(**more: Any) -> OpenMpRegion:
    """Return a hundred regions of two threads that work for 9.8 s of 10 s."""
    usual: dict[str, Any] = {"site": "sweep (a.c:7)", "calls": 100, "threads": 2.0}
    return OpenMpRegion(**{**usual, "seconds": 9.9, "most_s": 9.85, "mean_s": 9.8, **more})


def facts(*regions: OpenMpRegion, ran_s: float = 10.0, **more: Any) -> Facts:
    thread = ThreadFacts(name="t", process=1, seen_s=10.0, run_s=9.8, wait_s=0.0, system_s=0.1, faults=9, switches=5)
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 2,
        "levels": [0.05, 0.05, 9.9],
        "user_s": 19.6,
        "system_s": 0.1,
        "faults": 1000,
        "threads": [thread, thread],
        "openmp": True,
        "openmp_regions": OpenMpFacts.of(ran_s, regions),
    }
    return Facts(**{**usual, **more})


def suspected(*regions: OpenMpRegion, **more: Any) -> list[Suspicion]:
    return suspicions(facts(*regions, **more))


def test_a_balanced_program_is_not_suspected() -> None:
    assert suspected(region()) == []
    assert suspected() == []


@pytest.mark.parametrize(
    ("more", "remedy", "tried"),
    [
        ({}, "schedule(dynamic) for the loop in sweep (a.c:7), or parts of equal work", ()),
        ({"schedule": "runtime"}, "OMP_SCHEDULE=dynamic, or schedule(dynamic)", (cures.SCHEDULE,)),
        ({"schedule": "dynamic", "chunk": 64}, "smaller chunks, or the longest pieces of work first", ()),
        ({"sections": True}, "more sections than threads", ()),
        ({"single": True}, "what sweep (a.c:7) leaves to one", ()),
    ],
)
def test_imbalance(more: dict[str, Any], remedy: str, tried: tuple[str, ...]) -> None:
    (found,) = suspected(region(mean_s=6.0, **more))
    assert found.name == "imbalance of threads"
    assert found.stake_s == pytest.approx(3.85)
    assert remedy in found.remedy
    assert found.cures == tried
    assert "3.85 s of 10 s; 3.85 s of it in sweep (a.c:7): 100 regions of 2 threads" in found.evidence
    assert f"schedule({more.get('schedule')}" in found.evidence or "schedule" not in more


def test_waiting_at_barriers_within_a_region_is_imbalance_if_there_is_work_between_them() -> None:
    (found,) = suspected(region(mean_s=9.85, barriers=400.0, barrier_s=4.0))
    assert found.name == "imbalance of threads"
    assert found.stake_s == pytest.approx(4.0)


def test_barriers_between_tiny_pieces_of_work() -> None:
    (found,) = suspected(region(mean_s=9.85, barriers=1e6, barrier_s=8.0))
    assert found.name == "waiting at barriers"
    assert found.stake_s == pytest.approx(9.9 - 1.85)
    assert "fewer barriers in sweep (a.c:7)" in found.remedy
    assert cures.SLEEP in found.cures
    assert cures.SCHEDULE not in found.cures


def test_tiny_regions() -> None:
    # Of what is longest in a region of 1 µs nobody knows whether it is work, or a core that was taken away.
    found, *others = suspected(region(calls=1_000_000, most_s=3.0, mean_s=1.0))
    assert (found.name, others) == ("waiting at barriers", [])
    assert found.stake_s == pytest.approx(8.9)
    assert "1,000,000 regions of 2 threads, 9.9 µs each, 1 µs of it at work" in found.evidence
    assert "one omp parallel around the loop that begins sweep (a.c:7)" in found.remedy


def test_critical_sections() -> None:
    (found,) = suspected(region(locks=5e6, lock_s=4.0))
    assert found.name == "critical sections"
    assert found.stake_s == pytest.approx(4.0)
    assert "in sweep (a.c:7), where it enters 5,000,000 of them" in found.evidence


def test_what_is_outside_of_regions_is_serial() -> None:
    (found,) = suspected(region(seconds=4.0, most_s=4.0, mean_s=4.0), levels=[0.0, 6.0, 4.0], user_s=14.0)
    assert found.name == "serial section"
    assert found.stake_s == pytest.approx(3.0)
    assert "6 s of 10 s (60%) are outside of parallel regions" in found.evidence
    assert found.cures == ()


def test_serial_time_around_all_regions_is_told_apart() -> None:
    whole = OpenMpFacts.of(5.0, [region(seconds=2.0, most_s=2.0, mean_s=2.0)], span_s=2.25)
    (found,) = suspected(openmp_regions=whole, levels=[0.0, 6.0, 4.0], user_s=14.0)
    assert found.evidence.endswith("outside of parallel regions, 5.5 s of it before the first and after the last")


def test_threads_that_spin_outside_of_regions_do_not_hide_a_serial_section() -> None:
    spinning = [HotFunction(share=0.3, file="libgomp.so.1", function="gomp_barrier_wait")]
    (found,) = suspected(region(seconds=4.0, most_s=4.0, mean_s=4.0), hot=spinning)
    assert found.name == "serial section"
    assert found.stake_s == pytest.approx((0.05 + 0.3 * 19.7) / 2)


def test_a_thread_that_is_busy_alone_in_a_region_is_no_serial_section() -> None:
    found = suspected(region(mean_s=6.0), levels=[0.0, 7.7, 2.3], user_s=12.0)
    assert [one.name for one in found] == ["imbalance of threads"]


def test_figures_of_a_slower_run_are_scaled() -> None:
    (found,) = suspected(region(seconds=19.8, most_s=19.8, mean_s=9.8), ran_s=20.0)
    assert found.stake_s == pytest.approx(5.0)


def test_threads_that_wait_for_a_core_are_late_for_another_reason() -> None:
    thread = ThreadFacts(name="t", process=1, seen_s=10.0, run_s=2.0, wait_s=8.0, system_s=0.0, faults=9, switches=5)
    found = suspected(region(mean_s=6.0), threads=[thread, thread])
    assert [one.stake_s for one in found if one.name == "imbalance of threads"] == [pytest.approx(0.2 * 3.85)]


def test_regions_with_tasks_are_left_to_the_samples() -> None:
    spinning = [HotFunction(share=0.5, file="libgomp.so.1", function="gomp_team_barrier_wait_end")]
    found = suspected(region(mean_s=2.0, tasks=True), hot=spinning)
    assert [one.name for one in found] == ["waiting at barriers"]
    assert cures.SCHEDULE in found[0].cures
    assert suspected(region(), hot=spinning) == []  # the regions tell how long that is


def test_tasks_that_take_most_of_the_time_leave_all_waiting_to_the_samples() -> None:
    spinning = [HotFunction(share=0.5, file="libgomp.so.1", function="gomp_team_barrier_wait_end")]
    tasks = region(site="tree (a.c:9)", seconds=6.0, most_s=6.0, mean_s=3.0, tasks=True)
    loop = region(seconds=3.0, most_s=2.0, mean_s=1.0)
    assert [one.name for one in suspected(tasks, loop, hot=spinning)] == ["waiting at barriers"]


def many_short(count: int, each_s: float, **more: Any) -> list[OpenMpRegion]:
    """Return regions at places of their own, which work alike."""
    return [
        region(site=f"part_{at}", calls=1, **{**dict.fromkeys(("seconds", "most_s", "mean_s"), each_s), **more})
        for at in range(count)
    ]


def test_regions_that_are_not_listed_are_no_serial_section() -> None:
    given = facts(*many_short(99, 0.1), levels=[0.0, 0.1, 9.9])
    assert given.openmp_regions is not None
    assert len(given.openmp_regions.regions) == 20
    assert serial_s(given) == pytest.approx(0.1)
    assert suspicions(given) == []


@pytest.mark.parametrize(
    ("more", "name", "stake_s"),
    [
        ({"mean_s": 0.06}, "imbalance of threads", 99 * 0.04),
        ({"most_s": 0.06, "mean_s": 0.06}, "waiting at barriers", 99 * 0.04),
        ({"locks": 9.0, "lock_s": 0.02}, "critical sections", 99 * 0.02),
    ],
)
def test_waiting_in_regions_that_are_not_listed_counts(more: dict[str, Any], name: str, stake_s: float) -> None:
    (found,) = suspected(*many_short(99, 0.1, **more))
    assert found.name == name
    assert found.stake_s == pytest.approx(stake_s)


def test_the_worst_region_is_listed_though_others_are_longer() -> None:
    worst = region(site="short", calls=1, seconds=0.09, most_s=0.09, mean_s=0.01)
    (found,) = suspected(*many_short(99, 0.1, mean_s=0.09), worst)
    assert "0.08 s of it in short" in found.evidence


def test_tasks_in_regions_that_are_not_listed_count() -> None:
    loop = region(seconds=3.0, most_s=3.0, mean_s=1.0)
    assert not told_by_regions(facts(loop, *many_short(60, 0.1, tasks=True)))
    assert told_by_regions(facts(loop, *many_short(20, 0.1, tasks=True)))


SECONDS = st.floats(0, 20)
ANY_REGION = st.builds(
    OpenMpRegion,
    site=st.just("f"),
    calls=st.integers(1, 10**9),
    threads=st.floats(1, 128),
    **dict.fromkeys(("seconds", "most_s", "mean_s", "barriers", "barrier_s", "locks", "lock_s"), SECONDS),
    schedule=st.sampled_from([None, "runtime", "dynamic", "guided", "static"]),
    **dict.fromkeys(("sections", "single", "tasks"), st.booleans()),
)


@given(st.lists(ANY_REGION, max_size=3), st.booleans())
def test_stakes_are_part_of_the_run(regions: list[OpenMpRegion], idle: bool) -> None:
    more: dict[str, Any] = {"threads": []} if idle else {}
    assert all(0 < one.stake_s <= 10.0 + 1e-9 for one in suspected(*regions, **more))


def found_at(file: str, offsets: Sequence[int]) -> list[Place]:
    """Return the same place for all addresses below 100, and no place for others."""
    return [Place("f", f"{file}.c", 3) if offset < 100 else Place() for offset in offsets]


def process(of: dict[Site, Figures], began_s: float = 0.0, ended_s: float = 0.0) -> Regions:
    return Regions(of, 0, int(began_s * 1e9), int(ended_s * 1e9))


def test_figures_of_one_place_are_added_up() -> None:
    one = Figures(
        calls=4,
        outer_calls=4,
        most_threads=2,
        threads=8,
        uses=1 << USES.index("dynamic"),
        chunk=8,
        barriers=16,
        locks=4,
        wall_ns=4 * 10**9,
        outer_wall_ns=4 * 10**9,
        most_ns=3 * 10**9,
        mean_ns=2 * 10**9,
        barrier_ns=10**9,
        lock_ns=5 * 10**8,
    )
    nested = Figures(calls=9, wall_ns=10**9)
    whole = {Site("/a", 5): one, Site("/b.so", 200): one, Site("/a", 300): nested}
    told = openmp_facts([process(whole, 3, 7), process({Site("/a", 6): one}, 3, 7)], 5.0, found_at)
    assert told.elapsed_s == 5.0
    assert [region.site for region in told.regions] == ["f (a.c:3)", "b.so+0xc8"]
    first = told.regions[0]
    assert (first.calls, first.threads, first.schedule, first.chunk) == (4, 2.0, "dynamic", 8)
    assert (first.seconds, first.most_s, first.mean_s) == pytest.approx((4.0, 3.0, 2.0))
    assert (first.barriers, first.barrier_s, first.locks, first.lock_s) == pytest.approx((8.0, 0.5, 2.0, 0.25))


def test_regions_within_others_are_taken_out_by_their_time() -> None:
    mixed = Figures(calls=3, outer_calls=1, threads=6, wall_ns=4 * 10**9, outer_wall_ns=10**9, most_ns=4 * 10**9)
    (told,) = openmp_facts([process({Site("/a", 5): mixed})], 5.0, found_at).regions
    assert told.calls == 1
    assert (told.seconds, told.most_s) == pytest.approx((1.0, 1.0))


WORK = Figures(calls=1, outer_calls=1, threads=2, wall_ns=10**9, outer_wall_ns=10**9, most_ns=10**9, mean_ns=10**9)


@pytest.mark.parametrize(
    ("spans", "inside_s", "calls"),
    [
        ([(0, 1), (0, 1), (0, 1), (0, 1)], 1.0, 1),  # a pool
        ([(0, 1), (1, 2), (2, 3)], 3.0, 3),  # one after the other
        ([(0, 1), (1, 2), (1, 2)], 2.0, 2),  # a process that starts a pool when its own regions have ended
        ([(0, 1), (0, 4)], 0.5 + 0.875, 1),
        ([(0, 0), (0, 0)], 2.0, 2),  # times are not known
    ],
)
def test_processes_that_run_at_once_are_not_added_up(
    spans: list[tuple[float, float]], inside_s: float, calls: int
) -> None:
    told = openmp_facts([process({Site("/a", 5): WORK}, *span) for span in spans], 5.0, found_at)
    assert told.inside_s == pytest.approx(inside_s)
    assert told.regions[0].calls == calls
    last = max(end for _, end in spans)
    assert told.span_s == (pytest.approx(last - min(begin for begin, _ in spans)) if last else None)


def without_lines(_: str, offsets: Sequence[int]) -> list[Place]:
    """Return places of a program without -g: gcc has the bodies of a function in another order than its source."""
    return [Place("main", body=9 - offset) if offset < 9 else Place("other") for offset in offsets]


def test_regions_of_a_function_whose_lines_are_not_known_are_told_apart() -> None:
    tasks = replace(WORK, uses=1 << USES.index("tasks"))
    dynamic = replace(WORK, uses=1 << USES.index("dynamic"))
    of = {Site("/a", 5): tasks, Site("/a", 6): dynamic, Site("/a", 9): WORK, Site("/b.so", 3): WORK}
    told = {one.site: one for one in openmp_facts([process(of)], 5.0, without_lines).regions}
    assert set(told) == {"main, region 1", "main, region 2", "other", "main of b.so"}
    assert (told["main, region 1"].schedule, told["main, region 2"].schedule) == ("dynamic", None)
    assert [name for name, one in told.items() if one.tasks] == ["main, region 2"]


def test_regions_without_lines_in_a_library() -> None:
    of = {Site("/b.so", 5): WORK, Site("/b.so", 6): WORK}
    told = openmp_facts([process(of)], 5.0, without_lines)
    assert sorted(one.site for one in told.regions) == ["main, region 1 of b.so", "main, region 2 of b.so"]
