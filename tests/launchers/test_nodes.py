"""Ranks on several nodes: of a job, or hosts by their names."""

from __future__ import annotations

import pytest

from rooftop.command.reported_values import HOSTS
from rooftop.errors import Misuse
from rooftop.launchers import named
from rooftop.launchers.nodes import NODES, Nodes, nodes_of_job, on_this_node, read_hosts, told
from rooftop.launchers.team import Team

JOB = Nodes(job=(3, 4))


@pytest.mark.parametrize(("ranks", "nodes"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3)])
def test_ranks_use_as_few_nodes_as_their_tasks_permit(ranks: int, nodes: int) -> None:
    assert JOB.team(ranks, 2) == Team(nodes=nodes, ranks=ranks, threads=2, of_several=nodes < 3)


def test_more_ranks_than_the_job_has_tasks_are_refused() -> None:
    with pytest.raises(Misuse, match="13 ranks are asked for in a job of 3 nodes with 4 tasks each: give --ntasks-per"):
        JOB.team(13, 1)


def test_hosts_have_equally_many() -> None:
    hosts = Nodes(hosts=("a", "b", "c"))
    assert hosts.team(2, 1) == Team(nodes=2, ranks=2, hosts=("a", "b"))
    assert hosts.team(7, 1).ranks_per_node == 3
    assert hosts.team(None, 4) == Team(threads=4)


def test_a_job_names_its_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NODES, told(2, 4))
    assert nodes_of_job() == (2, 4)
    for nothing in (told(1, 4), "", "2", "2x", "0x4", "2x4x1"):
        monkeypatch.setenv(NODES, nothing)
        assert nodes_of_job() is None


@pytest.mark.parametrize("said", ["", "a,", "a,-x", "a b", "a;b", "a,$(b)", "a:4"])
def test_what_is_no_host_is_refused(said: str) -> None:
    with pytest.raises(Misuse, match=r"--hosts has '.*', expected names of hosts"):
        read_hosts("--hosts", said)


def test_hosts_are_read() -> None:
    assert read_hosts("--hosts", "a,b-1.c") == ("a", "b-1.c")
    with pytest.raises(Misuse, match="--hosts names 'a' twice"):
        read_hosts("--hosts", "a,b,a")


LINES = [
    ("openmpi", JOB, 6, None, "-np 6 --map-by ppr:3:node --bind-to none app"),
    ("openmpi", JOB, 6, "close", "-np 6 --map-by ppr:3:node:PE=1 --bind-to core app"),
    # Not over the third node.
    ("openmpi", JOB, 6, "spread", "-np 6 --host +n0,+n0,+n0,+n1,+n1,+n1 --map-by numa:PE=1 --bind-to core app"),
    ("openmpi", JOB, 12, "spread", "-np 12 --map-by numa:SPAN,PE=1 --bind-to core app"),
    ("openmpi", JOB, 3, "spread", "-np 3 --map-by numa:PE=1 --bind-to core app"),
    ("openmpi", Nodes(hosts=("a", "b")), 3, None, "-np 3 --host a:2,b:2 --map-by ppr:2:node --bind-to none app"),
    ("openmpi", Nodes(hosts=("a",)), 3, None, "-np 3 --host a:3 --bind-to none app"),
    ("mpich", JOB, 6, None, "-np 6 -ppn 3 -bind-to none app"),
    ("mpich", Nodes(hosts=("a", "b")), 3, None, "-np 3 -hosts a,b -ppn 2 -bind-to none app"),
    ("srun", JOB, 6, None, "--nodes 2 --ntasks 6 --ntasks-per-node 3 --cpus-per-task 1 --cpu-bind=none app"),
    ("srun", JOB, 3, None, "--nodes 1 --ntasks 3 --cpus-per-task 1 --cpu-bind=none app"),
    ("srun", Nodes(), 3, None, "--ntasks 3 --cpus-per-task 1 --cpu-bind=none app"),
]


@pytest.mark.parametrize(("launcher", "nodes", "ranks", "bind", "line"), LINES)
def test_lines(
    launcher: str, nodes: Nodes, ranks: int, bind: str | None, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rooftop.launchers.team.usable_cores", lambda: 8)
    found = named(launcher).started(["app"], {}, nodes.team(ranks, 1), bind)
    assert " ".join(found.words[1:]) == line


HERE = [
    (
        "openmpi",
        "--mca ras ^slurm,tm,lsf,gridengine,alps --mca plm isolated -np 2 --map-by slot:PE=1 --bind-to core app",
    ),
    ("mpich", "-np 2 -ppn 2 -bind-to core:1 app"),
    ("srun", "--nodes 1 --ntasks 2 --cpus-per-task 1 --cpu-bind=cores --distribution=block:block app"),
]


@pytest.mark.parametrize(("launcher", "line"), HERE)
def test_rungs_of_a_job_stay_on_one_node(launcher: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.launchers.team.usable_cores", lambda: 8)
    alone = Team(ranks=2)
    monkeypatch.delenv(NODES, raising=False)
    assert on_this_node(alone) == alone
    for job in (told(1, 1), told(2, 4)):
        monkeypatch.setenv(NODES, job)
        assert " ".join(named(launcher).started(["app"], {}, on_this_node(alone), "close").words[1:]) == line


def test_hosts_by_name_are_not_for_a_scheduler_s_launcher() -> None:
    with pytest.raises(Misuse, match="srun is asked for ranks on a, b, expected a launcher of MPI's own"):
        named("srun").started(["app"], {}, Nodes(hosts=("a", "b")).team(2, 1), None)


def test_hosts_are_one_word_of_the_line_that_asks_for_the_same_again() -> None:
    assert HOSTS.words(("a", "b")) == ["--hosts", "a,b"]
