"""A comparison in several allocations of a real Slurm, whose nodes differ, and one verdict over all of them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_cluster
from asked_schedulers import asked_for_one_test
from clocked_nodes import PATTERN, clocked
from job_stores import until
from tree import ROOT, shell_blocks

from rooftop.cli.app import main
from rooftop.schedulers.job import jobs

pytest.importorskip("psij", reason="psij-python is not installed")
pytest.importorskip("statsmodels", reason="statsmodels is not installed")

NODES = 4
# The nodes are one machine, whose lock would refuse all jobs but the first.
TEMPLATE = """\
#!/bin/bash
#SBATCH --time=5 --output=/dev/null --exclusive
export ROOFTOP_LOCKS=$PWD/locks-$SLURM_JOB_ID
mkdir -p "$ROOFTOP_LOCKS"
{{#psij.launch_command}}{{.}} {{/psij.launch_command}}
"""
OPTIONS = ["--on", "slurm", "--template", "own.mustache", "--budget", "30s", "--pairs", "8", "--max-pairs", "8"]
MEASURED = ["--metric-regex", PATTERN, "--allocations", str(NODES)]


@pytest.fixture(scope="module", name="conf")
def conf_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start a cluster; return its configuration."""
    if (reason := small_cluster.missing()) is not None:
        pytest.skip(reason)
    with small_cluster.small_cluster(tmp_path_factory.mktemp("cluster"), NODES) as conf:
        yield conf


@pytest.fixture(autouse=True, name="place")
def place_fixture(conf: Path, tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the home; in the present folder are two programs, of which the second takes 3 % longer on each node."""
    monkeypatch.setenv("SLURM_CONF", str(conf))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.mustache").write_text(TEMPLATE, encoding="ascii")
    for name, seconds, phase in (("old", 1.0, 0.0), ("new", 1.03, 1.5)):
        clocked(tmp_path / name, seconds, by_node=0.1 / NODES, phase=phase)
    with asked_for_one_test(monkeypatch):
        yield tmp_path / "home"


def test_one_verdict_over_allocations_whose_nodes_differ(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *OPTIONS, *MEASURED, "--json", "--", "./old", ":::", "./new"]) == 0
    printed = capsys.readouterr().out
    document = json.loads(printed)
    assert {one["node"] for one in document["allocations"]} == {f"n{number}" for number in range(1, NODES + 1)}
    (over,) = document["comparisons"]
    assert len(over["within"]) == NODES
    assert over["pairs"] == 8 * NODES
    assert (document["verdict"], over["verdict"]) == ("slower", "slower")
    assert document["lo"] < 1 / 1.03 < document["hi"] < 1
    assert main(["pool", document["group"], "--json"]) == 0
    assert capsys.readouterr().out == printed
    campaigns = [one["campaign"] for one in document["allocations"]]
    assert main(["pool", *campaigns]) == 0
    told = capsys.readouterr().out
    assert "./new is slower than ./old" in told
    assert f"{NODES} allocations, {8 * NODES} pairs" in told
    assert main(["pool", campaigns[0], campaigns[0]]) == 2
    assert "is given twice, expected two campaigns" in capsys.readouterr().err


def test_the_command_of_the_guide_works(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [block for block in shell_blocks(ROOT / "docs/guide/cluster.md") if "--allocations" in block]
    (line,) = [line for block in blocks for line in block.splitlines()]
    _, command, *words = shlex.split(line)
    assert main([command, *OPTIONS[2:4], "--max-pairs", "6", *words]) == 0
    assert f"{NODES} allocations" in capsys.readouterr().out


def test_an_allocation_that_measures_nothing_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *OPTIONS, *MEASURED, "--submit-only", "--json", "--", "./old", ":::", "./new"]
    assert main(words) == 0
    submitted = json.loads(capsys.readouterr().out)
    group = submitted["group"]
    assert len(submitted["jobs"]) == NODES
    assert main(["pool", group]) == 2
    assert f"of {NODES} allocations" in capsys.readouterr().err
    members = jobs(place)
    until(lambda: all(job.exit_code() is not None for job in members))
    lost = members[0]
    for file in lost.home.glob("store.sqlite*"):
        file.unlink()
    assert main(["pool", group, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["comparisons"][0]["within"]) == NODES - 1
    (doubt,) = [one for one in document["doubts"] if one["doubt"] == "allocations without a comparison"]
    assert f"job {lost.record.native} of slurm ended" in doubt["evidence"]


REFUSED = [
    (["compare", "--allocations", "4"], "--allocations is about a job, but there is none"),
    (["compare", "--on", "slurm", "--allocations", "1"], "--allocations is 1, expected a whole number from 2"),
    (
        ["compare", "--on", "slurm", "--allocations", "2", "--export", "csv:a.csv"],
        "--allocations and --export are both given",
    ),
    (["compare", "--on", "slurm", "--allocations", "2", "--resume"], "--allocations and --resume are both given"),
    (["tune", "--on", "slurm", "--allocations", "2"], "there is no option --allocations"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_what_makes_no_sense_is_refused(
    place: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--", "./old", ":::", "./new"]) == 2
    assert told in capsys.readouterr().err
    assert jobs(place) == []
