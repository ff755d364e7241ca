"""Campaigns in jobs of a real Slurm, whose nodes all run on this host."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_cluster
from asked_schedulers import asked_for_one_test
from halting import Halting
from job_stores import samples, until
from tree import ROOT, shell_blocks

from rooftop.cli.app import main
from rooftop.schedulers.job import Job, jobs

pytest.importorskip("psij", reason="psij-python is not installed")

LONG = ["--budget", "5m", "--pairs", "40", "--max-pairs", "40"]
COMMANDS = ["--", "sleep", "0.02", ":::", "sleep", "0.03"]


@pytest.fixture(scope="module", name="conf")
def conf_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a cluster; return its configuration."""
    if (reason := small_cluster.missing()) is not None:
        pytest.skip(reason)
    with small_cluster.small_cluster(tmp_path_factory.mktemp("cluster")) as conf:
        yield conf


@pytest.fixture(autouse=True, name="place")
def place_fixture(conf: Path, tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the home."""
    monkeypatch.setenv("SLURM_CONF", str(conf))
    monkeypatch.chdir(tmp_path)
    with asked_for_one_test(monkeypatch):
        yield tmp_path / "home"


def slurm(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def only(home: Path) -> Job:
    (job,) = jobs(home)
    return job


def states(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    capsys.readouterr()
    assert main(["status", "--json"]) == 0
    return [(one["state"], one["told"]) for one in json.loads(capsys.readouterr().out)["jobs"]]


def test_campaign_runs_on_a_node(place: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tell = tmp_path / "tell.sh"
    tell.write_text('#!/bin/sh\necho "$SLURMD_NODENAME $SLURM_JOB_NUM_NODES $SLURM_NTASKS" > node.txt\n', "ascii")
    tell.chmod(0o755)
    options = "--on slurm --partition all --nodes 2 --ntasks-per-node 3 --time 00:05:00 --budget 3s --max-pairs 6"
    assert main(["compare", *options.split(), "--json", "--", str(tell), ":::", "sleep", "0.01"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == json.loads(only(place).output.read_text(encoding="utf-8"))
    node, nodes, tasks = (tmp_path / "node.txt").read_text(encoding="ascii").split()
    assert node.startswith("n")
    assert (nodes, tasks) == ("2", "6")


def test_template_takes_the_place_of_the_batch_script(place: Path, tmp_path: Path) -> None:
    template = tmp_path / "own.mustache"
    template.write_text(
        "#!/bin/bash\n#SBATCH --time=5 --output=/dev/null\nexport OWN=set\n"
        "{{#psij.launch_command}}{{.}} {{/psij.launch_command}}\n",
        encoding="ascii",
    )
    options = ["--on", "slurm", "--template", "own.mustache", "--budget", "3s", "--max-pairs", "6"]
    assert main(["compare", *options, "sh -c 'echo $OWN > own.txt'", "sleep 0.01"]) == 0
    assert (tmp_path / "own.txt").read_text(encoding="ascii") == "set\n"


def test_cancelled_job_is_collected_and_gone_on_with(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    halting = Halting(tmp_path)
    assert main(["compare", "--on", "slurm", "--submit-only", *LONG, *halting.words]) == 0
    job = only(place)
    until(lambda: len(samples(job.store)) > 5)
    slurm("scancel", str(job.record.native))
    until(lambda: states(capsys)[0][0] == "ended")
    assert main(["collect", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["collected"]
    (campaign,) = row["campaigns"]
    assert campaign["state"] == "interrupted"
    halting.let_on()
    assert main(["compare", "--resume", campaign["id"], "--on", "slurm", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["campaign"], document["stopped"]) == (campaign["id"], "blocks")
    taken = samples(place / "store.sqlite")
    assert len(set(taken)) == len(taken)
    assert set(samples(job.store)) <= set(taken)
    assert slurm("squeue", "-h", "-t", "R") == ""


def test_job_that_waits_for_drained_nodes_has_not_failed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slurm("scontrol", "update", "nodename=n[1-2]", "state=drain", "reason=test of drained nodes")
    try:
        assert main(["compare", "--on", "slurm", "--submit-only", *LONG, *COMMANDS]) == 0
        job = only(place)
        until(lambda: "DRAINED" in slurm("squeue", "-h", "-o", "%r"))
        for _ in range(3):
            assert states(capsys)[0][0] == "queued"
        assert "DRAINED" in states(capsys)[0][1]
        assert main(["collect"]) == 0
        assert "is queued: it is collected when it has ended" in capsys.readouterr().err
        slurm("scancel", str(job.record.native))
        until(lambda: states(capsys)[0][0] == "ended")
        assert main(["collect"]) == 0
        assert "measured nothing" in capsys.readouterr().out
    finally:
        slurm("scontrol", "update", "nodename=n[1-2]", "state=resume")


def test_job_that_slurm_refuses_leaves_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--on", "slurm", "--partition", "nosuch", *COMMANDS]) == 2
    told = capsys.readouterr().err
    assert "--on slurm: the job was refused" in told
    assert "nosuch" in told
    assert told.count("\n") == 1
    assert jobs(place) == []


def test_the_commands_of_the_guide_work(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, seconds in (("old", 0.02), ("new", 0.01)):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\nsleep {seconds}\n", encoding="ascii")
        program.chmod(0o755)
    lines = [line for block in shell_blocks(ROOT / "docs/guide/cluster.md") for line in block.splitlines()]
    lines = [line for line in lines if "--allocations" not in line]  # test_allocations.py has nodes enough for them
    (submitting,) = [line for line in lines if line.startswith("rooftop submit")]
    lines.remove(submitting)
    assert len(lines) >= 4
    for line in lines:
        _, command, *words = shlex.split(line)
        if command == "collect":
            until(lambda: states(capsys)[-1][0] == "ended")
        assert main([command, *words]) == 0, line
    assert [state for state, _ in states(capsys)] == ["collected", "collected"]
    assert main(["list", "--campaigns", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["campaigns"]) == 2
    (blocks,) = [
        block for block in shell_blocks(ROOT / "docs/guide/cluster.md", "text") if block.startswith("compare -")
    ]
    (tmp_path / "lines.txt").write_text(blocks, encoding="utf-8")
    assert main(shlex.split(submitting)[1:]) == 0
    slurm("scancel", "--user", "root")
    assert [(one.record.asked["partition"], one.record.asked["time"]) for one in jobs(place)[2:]] == [
        ("all", 600.0),
        ("all", 1200.0),
    ]
