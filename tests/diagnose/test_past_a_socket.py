"""Threads on several NUMA nodes, on facts that a test makes up and on recorded looks of a made-up machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_looks import Acting, acted, flat

from rooftop.command.process import Finished
from rooftop.diagnose import cures, hot_loop
from rooftop.diagnose.facts import Facts, HotLoop, ThreadFacts
from rooftop.diagnose.observed import Observed, seen
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion
from rooftop.diagnose.suspicion import Suspicion
from rooftop.diagnose.suspicions import suspicions
from rooftop.observe.profile import HotFunction
from rooftop.observe.threads import Ground, scene

WORK = HotFunction(share=0.1, file="app", function="month")
SPIN = HotFunction(share=0.9, file="libgomp.so.1", function="gomp_team_barrier_wait_end")


def machine(
    *, threads: int = 8, nodes: Sequence[int] = (0, 1), faults: Sequence[int] = (), lines: float = 0.0, **more: Any
) -> Facts:
    """Return eight threads that are busy for ten seconds, dealt out to two nodes of four cores each."""
    found = [
        ThreadFacts(
            name=f"t{place}",
            process=1,
            seen_s=10,
            run_s=10.0,
            wait_s=0,
            system_s=0,
            faults=faults[place] if place < len(faults) else 9,
            switches=9,
            nodes={nodes[place % len(nodes)]: 1.0},
        )
        for place in range(threads)
    ]
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 8,
        "nodes": 2,
        "node_cores": {0: 4, 1: 4},
        "levels": [0.0] * threads + [10.0],
        "user_s": 10.0 * threads,
        "system_s": 0.0,
        "faults": sum(faults),
        "threads": found,
        "openmp": True,
        "hot": [WORK],
        "hot_loop": HotLoop(function="month", waits={hot_loop.SHARED_LINE: lines}),
    }
    return Facts(**{**usual, **more})


def past(facts: Facts) -> list[Suspicion]:
    return [one for one in suspicions(facts) if one.name == "scaling past a socket"]


def test_lines_that_travel_between_nodes() -> None:
    # Of 80 s, 16 s are work: 4 s on the four cores of one node.
    (found,) = past(machine(lines=0.8))
    assert found.stake_s == pytest.approx(6.0)
    assert found.evidence.startswith("8 threads run on 2 of 2 NUMA nodes; 80% of the samples wait for a line")
    assert found.evidence.endswith("16 s of work, takes 4 cores of one node 4 s")
    assert (found.cures, found.stands) == ((cures.ONE_NODE,), False)


def test_threads_that_wait_for_each_other() -> None:
    (found,) = past(machine(hot=[WORK, SPIN]))
    assert found.stake_s == pytest.approx(8.0)
    assert "90% are in waiting for each other" in found.evidence


def test_threads_that_wait_for_the_slowest_would_on_one_node_too() -> None:
    # One works, and seven spin.
    hot = [HotFunction(share=0.125, file="app", function="month"), SPIN.model_copy(update={"share": 0.875})]
    region = OpenMpRegion(site="month", calls=1, threads=8, seconds=10, most_s=10, mean_s=1.25)
    assert past(machine(hot=hot))
    assert past(machine(hot=hot, openmp_regions=OpenMpFacts.of(10.0, [region]))) == []
    # Of 70 s in waiting, 32 s are for the slowest: 42 s of work, 10.5 s on four cores.
    half = region.model_copy(update={"mean_s": 6.0})
    assert past(machine(hot=hot, openmp_regions=OpenMpFacts.of(10.0, [half]))) == []
    # Of 70 s, 8 s are: 18 s of work, 4.5 s on four cores.
    late = region.model_copy(update={"mean_s": 9.0})
    (found,) = past(machine(hot=hot, openmp_regions=OpenMpFacts.of(10.0, [late])))
    assert found.stake_s == pytest.approx(5.5)
    assert "78% are in waiting for each other" in found.evidence


def test_what_one_thread_alone_takes_is_work() -> None:
    (found,) = past(machine(lines=0.3, alone_s=12.0))
    assert found.stake_s == pytest.approx(7.0)


def test_memory_of_one_node() -> None:
    # Half of the time is spent on the other node, and takes 1.5 times as long: a sixth of it all is lost.
    of_one: dict[str, Any] = {"threads": 4, "faults": [100_000], "levels": [0.0] * 4 + [10.0]}
    (found,) = past(machine(**of_one))
    assert found.stake_s == pytest.approx(10 / 6)
    assert "one thread has touched the memory, and 50% of the time is spent away from its node" in found.evidence
    assert past(machine(**{**of_one, "faults": [25_000] * 4})) == []


def test_one_thread_that_works_alone_works_alone_on_one_node_too() -> None:
    # Two seconds are serial; of the 64 s + 2 s of all cores a tenth is work.
    facts = machine(lines=0.9, levels=[0.0, 2.0, *[0.0] * 6, 8.0], user_s=66.0)
    (found,) = past(facts)
    assert found.stake_s == pytest.approx(10 - 2 - (6.6 - 2) / 4)


@pytest.mark.parametrize(
    "facts",
    [
        machine(),
        machine(lines=0.5),  # what is lost is as much as the other node saves
        machine(lines=0.9, nodes=(0,)),
        machine(lines=0.9, nodes=(0,), node_cores={0: 8}).model_copy(update={"nodes": 1}),
        machine(lines=0.9, ranks=8),
        machine(lines=0.9, threads=1),
        machine(lines=0.9).model_copy(update={"threads": []}),
        machine(lines=0.9, node_cores={}),  # a document of an earlier version
    ],
    ids=["healthy", "worth it", "one node used", "one node", "ranks", "one thread", "no threads", "unknown"],
)
def test_nothing_is_suspected(facts: Facts) -> None:
    assert past(facts) == []


@given(
    lines=st.floats(0, 1),
    threads=st.integers(1, 12),
    nodes=st.lists(st.integers(0, 2), min_size=1, max_size=3),
    busy_s=st.floats(0, 120),
    alone_s=st.none() | st.floats(0, 200),
)
def test_stakes_are_part_of_the_run(
    lines: float, threads: int, nodes: list[int], busy_s: float, alone_s: float | None
) -> None:
    facts = machine(lines=lines, threads=threads, nodes=nodes, user_s=busy_s, alone_s=alone_s)
    facts.node_cores = {0: 4, 1: 4, 2: 2}
    assert all(0 <= one.stake_s <= facts.elapsed_s for one in past(facts))
    facts.nodes, facts.node_cores = 1, {0: 10}
    for thread in facts.threads:
        thread.nodes = {0: 1.0}
    assert past(facts) == []


@pytest.mark.parametrize("nodes", [1, 2])
def test_threads_are_placed_by_their_looks(nodes: int) -> None:
    acting = [Acting([place], range(4), openmp=True, pid=100) for place in range(3)] + [
        Acting([0, 0, 0, 3], range(4), openmp=True, pid=100)
    ]
    recording = acted(acting)
    ground = Ground(scene(recording), flat(4, nodes=nodes), None, {})
    finished = Finished(elapsed_ns=2 * 10**9, user_s=8.0, system_s=0.0, max_rss_bytes=1, status=0)
    found = seen(Observed(recording, ground, finished))
    assert (found.nodes, found.node_cores) == (nodes, {0: 4} if nodes == 1 else {0: 2, 1: 2})
    first, last = found.threads[0].nodes, found.threads[3].nodes
    assert first == {0: pytest.approx(1.0)}
    assert last == ({0: pytest.approx(1.0)} if nodes == 1 else {0: pytest.approx(0.75), 1: pytest.approx(0.25)})
