"""A short form of benchmarks/jobs: jobs of a real Slurm that are disturbed lose nothing and measure nothing twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_cluster

from benchmarks.jobs.disturbances import KINDS, Cluster, cluster_lines
from benchmarks.jobs.disturbed import Instants

pytest.importorskip("psij", reason="psij-python is not installed")

NODES = 2


@pytest.fixture(scope="module", name="cluster")
def cluster_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if (reason := small_cluster.missing()) is not None:
        pytest.skip(reason)
    with small_cluster.small_cluster(tmp_path_factory.mktemp("cluster"), NODES, cluster_lines(NODES)) as conf:
        cluster = Cluster(conf, random.Random(7))
        try:
            yield cluster
        finally:
            cluster.stop()


def test_preempted_jobs(cluster: Cluster, tmp_path: Path) -> None:
    name = "preempted, requeued"
    found = Instants(name, cluster, tmp_path / "kind", random.Random(3), NODES).measure(2, KINDS[name], 1.0)
    assert found.right, found
    assert found.campaigns > 0
