"""Ranks of Open MPI, from one to more than there are cores."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from watched import Watch, findings, looked

from rooftop.launchers.team import Team
from rooftop.machine import SystemFiles
from rooftop.machine.topology import places
from rooftop.observe.recording import Recording
from rooftop.observe.threads import Ground, scene
from rooftop.pin.findings import found
from rooftop.pin.fix import fix

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def started(watch: Watch, ranks: int, *words: str) -> Recording:
    command = ["mpirun.openmpi", "-np", str(ranks), "--oversubscribe", *words]
    return watch(command, looked(60, "burn", ranks), ROOT)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 8])
def test_every_rank_is_seen(ranks: int, watch: Watch, burning_ranks: str, stop: Path) -> None:
    recording = started(watch, ranks, "--bind-to", "none", burning_ranks, str(stop))
    made = scene(recording)
    assert {story.facts.rank for story in made.busy if story.facts.comm == "burn"} == set(range(ranks))
    assert {story.facts.starter for story in made.busy if story.facts.comm == "burn"} == {"openmpi"}
    told = [one.name for one in findings(recording)]
    assert ("oversubscribed" in told) == (ranks > len(os.sched_getaffinity(0)))


def test_ranks_on_the_same_core_are_stacked(watch: Watch, burning_ranks: str, stop: Path, two_cpus: list[int]) -> None:
    first = str(two_cpus[0])
    words = ("--bind-to", "none", "taskset", "-c", first, burning_ranks, str(stop))
    recording = started(watch, 2, *words)
    stacked = [one for one in findings(recording) if one.name == "stacked"]
    assert [one.cpus for one in stacked] == [first]
    assert "ranks 0-1" in stacked[0].evidence
    ground = Ground(scene(recording), places(SystemFiles(), os.sched_getaffinity(0)))
    made = fix(ground, ["mpirun.openmpi", "-np", "2", *words], [*found(ground), *found(ground, hints=True)])
    assert made.team == Team(ranks=2)
    assert "taskset" not in made.launch.words


def test_ranks_on_cores_of_their_own_have_no_finding(
    watch: Watch, burning_ranks: str, stop: Path, two_cpus: list[int]
) -> None:
    recording = started(watch, 2, "--map-by", "core", "--bind-to", "core", burning_ranks, str(stop))
    assert findings(recording) == []
