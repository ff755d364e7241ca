"""Campaigns in jobs of a real Grid Engine, which runs on this host."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_grid
from asked_schedulers import asked_for_one_test
from halting import Halting
from job_stores import samples, until

from rooftop.cli.app import main
from rooftop.schedulers.job import Job, jobs
from rooftop.schedulers.queue import states

pytest.importorskip("psij", reason="psij-python is not installed")

LONG = ["--budget", "5m", "--pairs", "16", "--max-pairs", "16"]
ON = ["--on", "sge", "--partition", small_grid.QUEUE]


@pytest.fixture(scope="module", name="grid")
def grid_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Start it; return its variables."""
    if (reason := small_grid.missing()) is not None:
        pytest.skip(reason)
    with small_grid.small_grid(tmp_path_factory.mktemp("grid") / "root") as own:
        yield own


@pytest.fixture(autouse=True, name="place")
def place_fixture(
    grid: dict[str, str], tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Return the home."""
    for name, value in grid.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    with asked_for_one_test(monkeypatch):
        yield tmp_path / "home"


def only(home: Path) -> Job:
    (job,) = jobs(home)
    return job


def state(job: Job) -> tuple[str, str]:
    return states([job])[job.record.id]


def test_a_deleted_job_is_collected_and_gone_on_with(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    halting = Halting(tmp_path)
    assert main(["compare", *ON, "--time", "10m", "--submit-only", *LONG, *halting.words]) == 0
    job = only(place)
    assert job.record.cluster == "localhost"
    until(lambda: len(samples(job.store)) > 5)
    until(lambda: state(job) == ("running", "running (r)"))
    subprocess.run(["qdel", str(job.record.native)], check=True, capture_output=True)
    until(lambda: state(job)[0] == "ended")
    capsys.readouterr()
    assert main(["collect", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["collected"]
    (campaign,) = row["campaigns"]
    assert campaign["state"] == "interrupted"
    halting.let_on()
    assert main(["compare", "--resume", campaign["id"], *ON, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["campaign"], document["stopped"]) == (campaign["id"], "blocks")
    taken = samples(place / "store.sqlite")
    assert len(set(taken)) == len(taken)
    assert set(samples(job.store)) <= set(taken)


def test_a_job_that_waits_has_not_failed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["qmod", "-d", small_grid.QUEUE], check=True, capture_output=True)
    try:
        assert main(["compare", *ON, "--submit-only", "--", "true", ":::", "true"]) == 0
        job = only(place)
        until(lambda: state(job) == ("queued", "pending (qw)"))
        subprocess.run(["qhold", str(job.record.native)], check=True, capture_output=True)
        until(lambda: state(job) == ("queued", "pending (hqw)"))
        subprocess.run(["qdel", str(job.record.native)], check=True, capture_output=True)
        until(lambda: state(job)[0] == "ended")
        assert main(["collect"]) == 0
        assert "measured nothing" in capsys.readouterr().out
    finally:
        subprocess.run(["qmod", "-e", small_grid.QUEUE], check=True, capture_output=True)


def test_a_job_that_is_refused_leaves_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--on", "sge", "--partition", "nosuch", "--", "true", ":::", "true"]) == 2
    told = capsys.readouterr().err
    assert "--on sge: the job was refused: " in told
    assert "nosuch" in told
    assert jobs(place) == []
