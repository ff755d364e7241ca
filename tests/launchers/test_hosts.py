"""Ranks of MPI programs on several nodes: of a job of Slurm by each launcher, and on hosts by their names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_cluster
import small_hosts
from tree import ROOT

SOURCE = ROOT / "tests" / "fakes" / "told_ranks.c"
LIBRARIES = ("openmpi", "mpich")
ONCE = ["--budget", "10m", "--max-pairs", "1", "--no-factors", "--json"]
IN_JOB = ["--on", "slurm", "--nodes", "2", "--ntasks-per-node", "2"]
# All nodes are one host here: their ranks must not take each other's memory for that of their own node.
OVER_TCP = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "tcp,self",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "SLURM_MPI_TYPE": "pmi2",
}


@pytest.fixture(scope="module", name="programs")
def programs_fixture(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Compile the program that says where its ranks run, with each library; return what there is."""
    folder, found = tmp_path_factory.mktemp("programs"), {}
    for library in LIBRARIES:
        if (compiler := shutil.which(f"mpicc.{library}")) is not None:
            found[library] = folder / f"ranks-{library}"
            subprocess.run([compiler, "-o", str(found[library]), str(SOURCE)], check=True)
    return found


def program(programs: dict[str, Path], library: str) -> Path:
    if library not in programs:
        pytest.skip(f"mpicc.{library} not found: package lib{library}-dev")
    return programs[library]


def rooftop(
    words: list[str], folder: Path, environment: dict[str, str], ahead: tuple[str, ...] = ()
) -> dict[str, object]:
    """Run the bench in a process of its own; return the document that it prints."""
    line = [*ahead, sys.executable, "-P", "-m", "rooftop", *words]
    known = os.environ | OVER_TCP | {"PYTHONPATH": str(ROOT / "src")} | environment
    done = subprocess.run(line, cwd=folder, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    document: dict[str, object] = json.loads(done.stdout)
    return document


def placed(file: Path, column: int) -> list[str]:
    """Return where each rank ran, by rank."""
    lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()]
    return [line[column] for line in sorted(lines, key=lambda line: int(line[0]))]


@pytest.fixture(scope="module", name="conf")
def conf_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a cluster; return its configuration."""
    if (reason := small_cluster.missing()) is not None:
        pytest.skip(reason)
    with small_cluster.small_cluster(tmp_path_factory.mktemp("cluster")) as conf:
        yield conf


@pytest.mark.parametrize(("launcher", "library"), [("srun", "mpich"), ("openmpi", "openmpi"), ("mpich", "mpich")])
def test_ranks_fill_the_nodes_of_a_job(
    launcher: str, library: str, conf: Path, programs: dict[str, Path], scratch: None, tmp_path: Path
) -> None:
    pytest.importorskip("psij", reason="psij-python is not installed")
    line = [str(program(programs, library)), "told-{ranks}"]
    words = ["scale", *IN_JOB, *ONCE, "--launcher", launcher, "--ranks", "2,3", "--", *line]
    rooftop(words, tmp_path, {"SLURM_CONF": str(conf), "OMPI_MCA_btl_tcp_if_include": "lo"})
    assert len(set(placed(tmp_path / "told-2", 2))) == 1
    nodes = placed(tmp_path / "told-3", 2)
    assert nodes[0] == nodes[1] != nodes[2]


STARTS = """
import subprocess, sys
from rooftop.launchers import named
from rooftop.launchers.nodes import on_this_node
from rooftop.launchers.team import Team
launch = named(sys.argv[1]).started(sys.argv[2:], {}, on_this_node(Team(ranks=2)), None)
sys.exit(subprocess.run(launch.words).returncode)
"""


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("nodes", ["1", "2"])
def test_ranks_of_rungs_stay_on_the_first_node_of_a_job(
    nodes: str, library: str, conf: Path, programs: dict[str, Path], tmp_path: Path
) -> None:
    words = [sys.executable, "-P", "-c", STARTS, library, str(program(programs, library)), str(tmp_path / "told")]
    own = {"SLURM_CONF": str(conf), "PYTHONPATH": str(ROOT / "src"), "ROOFTOP_NODES": f"{nodes}x1"}
    allocated = ["salloc", "--quiet", "--nodes", nodes, "--ntasks-per-node", "1"]
    done = subprocess.run([*allocated, *words], env=os.environ | OVER_TCP | own, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    found = placed(tmp_path / "told", 2)
    assert (len(found), len(set(found))) == (2, 1)


def test_lines_of_the_user_s_own_run_on_all_nodes(
    conf: Path, programs: dict[str, Path], scratch: None, tmp_path: Path
) -> None:
    pytest.importorskip("psij", reason="psij-python is not installed")
    line = ["srun", str(program(programs, "mpich"))]
    words = ["compare", *IN_JOB, "--budget", "10m", "--max-pairs", "1", "--json", "--", *line, "a", ":::", *line, "b"]
    rooftop(words, tmp_path, {"SLURM_CONF": str(conf)})
    assert [len(set(placed(tmp_path / name, 2))) for name in ("a", "b")] == [2, 2]


@pytest.fixture(scope="module", name="hosts")
def hosts_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[str], Path]]:
    """Make two hosts; return their names, and what starts a command on one of them."""
    if (reason := small_hosts.missing()) is not None:
        pytest.skip(reason)
    with small_hosts.small_hosts(tmp_path_factory.mktemp("hosts")) as found:
        yield found


@pytest.mark.parametrize("library", LIBRARIES)
def test_ranks_run_on_hosts_by_their_names(
    library: str, hosts: tuple[list[str], Path], programs: dict[str, Path], scratch: None, tmp_path: Path
) -> None:
    names, agent = hosts
    by_agent = {
        "OMPI_MCA_plm_rsh_agent": str(agent),
        "OMPI_MCA_btl_tcp_if_include": "eth0",
        "OMPI_MCA_oob_tcp_if_include": "eth0",
        "HYDRA_LAUNCHER": "rsh",
        "HYDRA_LAUNCHER_EXEC": str(agent),
        "HYDRA_IFACE": "eth0",
    }
    line = [str(program(programs, library)), str(tmp_path / "told-{ranks}")]
    words = ["scale", *ONCE, "--launcher", library, "--hosts", ",".join(names), "--ranks", "2,3", "--", *line]
    first = ("ip", "netns", "exec", names[0], "unshare", "--uts", "sh", "-c", f'hostname {names[0]}; exec "$0" "$@"')
    document = rooftop(words, tmp_path, by_agent, first)
    assert sorted(placed(tmp_path / "told-2", 1)) == names
    assert sorted(placed(tmp_path / "told-3", 1)) == sorted([*names, names[0]])
    assert f"--hosts {','.join(names)}" in str(document["reproduce"])


REFUSED = [
    (["--hosts", "a,b", "--threads", "1,2"], "--hosts is 'a,b' and has no effect, expected --ranks with it"),
    (["--hosts", "a,b", "--ranks", "1,2", "--launcher", "srun"], "--launcher is 'srun', whose nodes come from its job"),
    (["--hosts", "a;b", "--ranks", "1,2"], "--hosts has 'a;b', expected names of hosts"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_hosts_that_have_no_effect_are_refused(
    words: list[str], told: str, scratch: None, capsys: pytest.CaptureFixture[str]
) -> None:
    from rooftop.cli.app import main

    for command in ("scale", "tune"):
        assert main([command, *words, "--", "true"]) == 2
        assert told in capsys.readouterr().err
