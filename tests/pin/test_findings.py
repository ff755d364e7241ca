"""What is found in recordings of threads whose places are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_looks import INTERVAL_NS, Acting, acted, flat

from rooftop.machine.topology import Places
from rooftop.observe.recording import Facts, Look, Recording, Seen, Thread
from rooftop.observe.threads import Ground, scene
from rooftop.pin.findings import Placement, found


def judged(
    acting: list[Acting], places: Places, quota: float | None = None, busy: dict[int, float] | None = None
) -> Ground:
    recording = acted(acting, busy=busy)
    return Ground(scene(recording), places, quota, recording.busy)


def names(ground: Ground) -> list[str]:
    return [one.name for one in found(ground)]


def only(ground: Ground) -> Placement:
    (one,) = found(ground)
    return one


@given(st.integers(1, 6), st.sampled_from([1, 2]), st.sampled_from([1, 2]))
def test_a_well_bound_run_has_no_finding(cores: int, smt: int, nodes: int) -> None:
    places = flat(cores * smt, smt, nodes)
    ground = judged([Acting([cpu], [cpu]) for cpu in range(cores)], places)
    assert names(ground) == []
    assert [one.name for one in found(ground, hints=True)] == (["idle"] if smt > 1 else [])


def test_threads_bound_to_one_cpu_are_stacked() -> None:
    ground = judged([Acting([0], [0], runs=0.5, waits=0.5, rank=3) for _ in range(2)], flat(4))
    one = only(ground)
    assert (one.name, one.cpus, one.threads) == ("stacked", "0", [100, 101])
    assert one.evidence == (
        "2 busy threads of rank 3 at once are bound to CPU 0, while CPUs 1-3 run nothing of the command"
    )


def test_two_ranks_on_the_same_cores_are_stacked() -> None:
    acting = [Acting([thread], [0, 1], runs=0.5, waits=0.5, rank=rank) for rank in (0, 1) for thread in (0, 1)]
    one = only(judged(acting, flat(4)))
    assert (one.name, one.cpus) == ("stacked", "0-1")
    assert "4 busy threads of ranks 0-1" in one.evidence


def test_a_busy_launcher_is_none_of_the_ranks() -> None:
    ranks = [Acting([0], [0], runs=0.5, waits=0.5, rank=rank) for rank in (0, 1)]
    one = only(judged([Acting([1], [0, 1], runs=0.9), *ranks], flat(2)))
    assert one.name == "stacked"
    assert "CPU 1 runs nothing of the command" in one.evidence


def test_a_crowd_within_a_crowd_is_told_once() -> None:
    acting = [*(Acting([0], [0], runs=0.5, waits=0.5) for _ in range(2)), Acting([1], [0, 1])]
    assert only(judged(acting, flat(4))).cpus == "0"


def test_all_bound_together_with_nothing_idle_is_not_stacked() -> None:
    acting = [Acting([0], [0], runs=0.5, waits=0.5), Acting([0], [0], runs=0.5, waits=0.5), Acting([1], [1])]
    assert names(judged(acting, flat(2))) == ["oversubscribed"]


def test_what_the_kernel_has_stacked_is_seen() -> None:
    acting = [Acting([0], range(4), runs=0.5, waits=0.5), Acting([0], range(4), runs=0.5, waits=0.5)]
    one = only(judged(acting, flat(4)))
    assert one.name == "stacked"
    assert "(CPU 0) for at least 100% of the time" in one.evidence
    assert "waited 50%" in one.evidence


def test_a_cpu_that_others_use_does_not_stand_idle() -> None:
    acting = [Acting([0], range(2), runs=0.5, waits=0.5), Acting([0], range(2), runs=0.5, waits=0.5)]
    ground = judged(acting, flat(2), busy={0: 1.0, 1: 0.9})
    assert names(ground) == []
    assert "others" in [one.name for one in found(ground, hints=True)]


def test_threads_that_take_turns_are_not_stacked() -> None:
    # One thread after the other on CPU 0, as a script starts programs.
    recording = Recording()
    first, second = Thread(1, 1, 1), Thread(2, 2, 2)
    both = acted([Acting([0], [0]), Acting([0], [0])])
    facts = list(both.facts.values())
    recording.facts = {first: facts[0], second: facts[1]}
    for number in range(1, 101):
        thread = first if number <= 50 else second
        run_ns = (number if number <= 50 else number - 50) * INTERVAL_NS
        recording.looks.append(Look(number * INTERVAL_NS, {thread: Seen(0, "R", run_ns, 0)}))
    ground = Ground(scene(recording), flat(2))
    assert len(ground.scene.busy) == 2
    assert ground.level == ground.scene.processes() == 1
    assert names(ground) == []


def test_idle_helpers_are_told_apart() -> None:
    acting = [Acting([0], [0]), Acting([0], [0], runs=0.001), Acting([0], [0], runs=0.02, waits=0.3)]
    ground = judged(acting, flat(2))
    assert [story.busy for story in ground.scene.stories] == [True, False, False]
    assert names(ground) == []


def test_a_thread_that_never_gets_a_cpu_is_busy() -> None:
    acting = [Acting([0], range(2), runs=0.05, waits=0.95) for _ in range(20)]
    assert all(story.busy for story in judged(acting, flat(2)).scene.stories)


@pytest.mark.parametrize(("interval_ns", "run_ns"), [(5_000_000, 4_000_000), (INTERVAL_NS, 0)])
def test_what_was_there_for_a_moment_or_has_no_counted_time_is_not_busy(interval_ns: int, run_ns: int) -> None:
    # Processes of a script that wait for their first turn: ready in every look, and the kernel has counted nothing yet.
    recording = Recording(facts={Thread(pid, pid, 1): Facts("sh", frozenset({0, 1})) for pid in (1, 2, 3)})
    for number in range(1, 10):
        seen = {thread: Seen(0, "R", number * run_ns, 0) for thread in recording.facts}
        recording.looks.append(Look(number * interval_ns, seen))
    ground = Ground(scene(recording), flat(2))
    assert [story.busy for story in ground.scene.stories] == [False] * 3
    assert names(ground) == []


def test_more_threads_than_cpus() -> None:
    acting = [Acting([place % 2, (place + 1) % 2], range(2), runs=0.5, waits=0.5, migrations=1) for place in range(4)]
    one = next(one for one in found(judged(acting, flat(2))) if one.name == "oversubscribed")
    assert one.evidence == "4 busy threads at once on CPUs 0-1; they waited 50% of the time for a CPU"


@pytest.mark.parametrize(("quota", "expected"), [(None, []), (2.0, []), (1.5, ["quota"])])
def test_the_control_groups_quota(quota: float | None, expected: list[str]) -> None:
    assert names(judged([Acting([0], [0]), Acting([1], [1])], flat(2), quota)) == expected


def test_wandering_and_whether_it_was_allowed() -> None:
    # 100 looks are 2 s.
    one = only(judged([Acting([0, 1], range(2))], flat(2)))
    assert (one.name, one.evidence.endswith("may run on CPUs 0-1")) == ("wandering", True)
    one = only(judged([Acting([0, 1], [0])], flat(2)))
    assert "times a second; each is bound to one CPU at a time, but something keeps rebinding it" in one.evidence
    assert names(judged([Acting([0], [0], migrations=40)], flat(2))) == []
    assert names(judged([Acting([0], range(2), migrations=40)], flat(2))) == ["wandering"]
    assert names(judged([Acting([0], range(2), migrations=4)], flat(2))) == []


def test_crossing_memory_nodes() -> None:
    acting = [Acting([0, 0, 0, 2], range(4), migrations=1)]
    assert "crossing" not in names(judged(acting, flat(4)))
    one = next(one for one in found(judged(acting, flat(4, nodes=2))) if one.name == "crossing")
    assert "75% on node 0, 25% on node 1" in one.evidence


def test_hardware_threads_shared_while_cores_are_idle() -> None:
    places = flat(8, threads_per_core=2)  # 0 and 4 are one core
    one = only(judged([Acting([0], [0]), Acting([4], [4])], places))
    assert (one.name, one.cpus) == ("siblings", "0,4")
    assert "3 of 4 cores are idle" in one.evidence
    assert names(judged([Acting([cpu], [cpu]) for cpu in range(8)], places)) == []


def test_unbound_and_idle_are_hints() -> None:
    ground = judged([Acting([0], range(2))], flat(2))
    assert names(ground) == []
    assert [one.name for one in found(ground, hints=True)] == ["unbound", "idle"]


def test_nothing_seen_is_nothing_found() -> None:
    ground = Ground(scene(Recording()), flat(2))
    assert names(ground) == []
    assert found(ground, hints=True) == []
    assert (ground.level, ground.scene.processes(), ground.scene.carried()) == (0, 0, {})


def test_level_is_what_lasts() -> None:
    # Eight threads, of which seven are ready in a tenth of the looks only.
    recording = acted([Acting([cpu], [cpu]) for cpu in range(8)])
    for number, look in enumerate(recording.looks):
        if number % 10:
            seen = {thread: one._replace(state="S") for thread, one in look.seen.items()}
            recording.looks[number] = Look(look.at_ns, {**look.seen, **dict(list(seen.items())[1:])})
    made = scene(recording)
    assert made.level() == 8  # they have run all the time: the counters say so
    for number, look in enumerate(recording.looks):
        still = {
            thread: one._replace(run_ns=one.run_ns // 100) if place else one
            for place, (thread, one) in enumerate(look.seen.items())
        }
        recording.looks[number] = Look(look.at_ns, still)
    made = scene(recording)
    assert (made.level(), len(made.busy)) == (1, 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(0, 3), min_size=1)), min_size=1, max_size=8))
def test_any_recording_is_judged(drawn: list[tuple[int, set[int]]]) -> None:
    acting = [Acting([cpu], allowed, runs=0.4, waits=0.5) for cpu, allowed in drawn]
    ground = judged(acting, flat(4, 2, 2), quota=2.5)
    for one in [*found(ground), *found(ground, hints=True)]:
        assert one.evidence
        assert one.remedy
        assert set(one.threads) <= {100 + place for place in range(len(drawn))}


def in_some_looks(share: int) -> Recording:
    """Return a thread that always runs, and three that run a few ticks and are ready in every so-manieth look only."""
    recording = acted([Acting([0], [0]), *(Acting([cpu], [cpu], runs=0.05) for cpu in (1, 2, 3))])
    for number, look in enumerate(recording.looks):
        ready = {
            thread: one._replace(state="R") if place == 0 or number % share == 0 else one
            for place, (thread, one) in enumerate(look.seen.items())
        }
        recording.looks[number] = Look(look.at_ns, ready)
    return recording


def test_a_helper_that_is_ready_now_and_then_is_not_busy() -> None:
    assert [story.busy for story in scene(in_some_looks(3)).stories] == [True, False, False, False]
    assert [story.busy for story in scene(in_some_looks(1)).stories] == [True, True, True, True]


def test_what_happens_in_a_tenth_of_the_time_only_is_a_peak_and_no_level() -> None:
    recording = acted([Acting([0], [0]), *(Acting([cpu], [cpu], runs=0.12) for cpu in (1, 2, 3))])
    for number, look in enumerate(recording.looks):
        ready = {
            thread: one._replace(state="R") if place == 0 or number % 10 == 0 else one
            for place, (thread, one) in enumerate(look.seen.items())
        }
        recording.looks[number] = Look(look.at_ns, ready)
    made = scene(recording)
    assert len(made.busy) == 4
    assert (made.level(), made.level(lasting=0.05)) == (1, 4)
