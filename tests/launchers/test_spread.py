"""Where Open MPI really places ranks that are spread over a part of a job's nodes, on nodes that it simulates."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rooftop.launchers import named
from rooftop.launchers.nodes import Nodes

_NODE = re.compile(r"Data for node: \S+|Bound: socket \d+\[core\s+(\d+)")


def test_ranks_are_spread_over_the_nodes_that_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = named("openmpi")
    if (reason := launcher.missing()) is not None:
        pytest.skip(reason)
    if (lstopo := shutil.which("lstopo-no-graphics")) is None:
        pytest.skip("lstopo-no-graphics not found: package hwloc-nox")
    topology = tmp_path / "topology.xml"
    subprocess.run([lstopo, "-i", "numa:2 core:4 pu:1", "--of", "xml", "--force", str(topology)], check=True)
    monkeypatch.setattr("rooftop.launchers.team.usable_cores", lambda: 8)
    launch = launcher.started(["true"], {}, Nodes(job=(3, 4)).team(6, 1), "spread")
    simulated = ["--mca", "ras", "simulator", "--mca", "plm", "isolated", "--mca", "ras_simulator_num_nodes", "3"]
    simulated += ["--mca", "ras_simulator_slots", "4", "--mca", "ras_simulator_topo_files", str(topology)]
    words = [launch.words[0], *simulated, "--do-not-launch", "--display-map", *launch.words[1:]]
    told = subprocess.run(words, env=os.environ | launch.environment, capture_output=True, text=True, check=False)
    nodes: list[list[int]] = []
    for one in _NODE.finditer(told.stdout + told.stderr):
        if one[1] is None:
            nodes.append([])
        else:
            nodes[-1].append(int(one[1]))
    if not nodes:
        pytest.skip("this Open MPI simulates no nodes")
    assert nodes == [[0, 4, 1], [0, 4, 1]]  # cores 0 to 3 are in the first NUMA node, 4 to 7 in the second
