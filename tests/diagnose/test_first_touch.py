"""Memory of one thread on a machine of several nodes, from page faults by thread."""

from __future__ import annotations

import pytest

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts, ThreadFacts
from rooftop.diagnose.suspicions import suspicions


def seen(faults: list[int], nodes: int, processes: int = 1) -> Facts:
    threads = [
        ThreadFacts(
            name="t", process=place % processes, seen_s=10, run_s=9.9, wait_s=0, system_s=0.1, faults=count, switches=9
        )
        for place, count in enumerate(faults)
    ]
    levels = [0.0, 0.0, *[0.0] * (len(faults) - 2), 10.0]
    return Facts(
        elapsed_s=10, cpus=4, nodes=nodes, levels=levels, user_s=39, system_s=0.4, faults=sum(faults), threads=threads
    )


@pytest.mark.parametrize(
    ("facts", "stake_s"),
    [
        (seen([100_000, 9, 9, 9], nodes=2), 5.0),
        (seen([100_000, 9, 9, 9], nodes=4), 7.5),
        (seen([100_000, 9, 9, 9], nodes=1), None),
        (seen([25_000, 25_000, 25_000, 25_000], nodes=2), None),
        (seen([10_000, 9, 9, 9], nodes=2), None),
        (seen([100_000, 100_000, 9, 9], nodes=2, processes=2), 5.0),
        (seen([100_000, 100_000], nodes=2, processes=2), None),
    ],
)
def test_memory_of_one_thread(facts: Facts, stake_s: float | None) -> None:
    found = [one for one in suspicions(facts) if one.name == "first touch"]
    assert [one.stake_s for one in found] == ([pytest.approx(stake_s)] if stake_s is not None else [])
    assert all(one.cures == (cures.INTERLEAVE,) and not one.stands for one in found)
