"""Campaigns in jobs of psij's local executor: submitted, awaited, collected, interrupted and gone on with."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from halting import Halting
from job_stores import samples, until

from rooftop.cli.app import main
from rooftop.machine.lock import machine_alone
from rooftop.schedulers.job import Job, jobs, new_job
from rooftop.settings import Settings

pytest.importorskip("psij", reason="psij-python is not installed")

QUICK = ["--budget", "3s", "--max-pairs", "6"]
LONG = ["--budget", "5m", "--pairs", "20", "--max-pairs", "20"]
COMMANDS = ["--", "sleep", "0.02", ":::", "sleep", "0.03"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def only(home: Path) -> Job:
    (job,) = jobs(home)
    return job


def process_of(job: Job) -> psutil.Process:
    """Return the process that measures."""

    def found() -> psutil.Process | None:
        for one in psutil.Process().children(recursive=True):
            try:
                if "rooftop" in one.cmdline() and one.environ().get("ROOFTOP_HOME") == str(job.home):
                    return one
            except psutil.Error:
                continue
        return None

    process = until(found)
    assert process is not None
    return process


@pytest.fixture(name="halting")
def halting_fixture(tmp_path: Path) -> Halting:
    return Halting(tmp_path)


def campaigns(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["list", "--campaigns", "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["campaigns"]
    return found


def test_document_is_that_of_the_job(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--on", "local", *QUICK, "--json", "--export", "csv:out.csv", *COMMANDS]) == 0
    document = json.loads(capsys.readouterr().out)
    job = only(place)
    assert document == json.loads(job.output.read_text(encoding="utf-8"))
    assert len(document["commands"][0]["samples"]) >= 6
    assert Path("out.csv").is_file()
    assert job.record.collected is not None
    (campaign,) = campaigns(capsys)
    assert (campaign["id"], campaign["state"]) == (document["campaign"], "finished")


@pytest.mark.parametrize(
    "words", [["tune", "--param", "N=0.01,0.02", *QUICK, "--", "sleep", "{N}"], ["gate", *QUICK, *COMMANDS]]
)
def test_other_kinds_run_in_jobs_too(words: list[str], place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([words[0], "--on", "local", "--json", *words[1:]]) in (0, 6, 7)
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(only(place).output.read_text(encoding="utf-8"))


def test_submit_only_then_status_then_collect(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--on", "local", "--submit-only", "--json", *QUICK, *COMMANDS]) == 0
    record = json.loads(capsys.readouterr().out)
    job = only(place)
    assert record["id"] == job.record.id
    assert record["native"] is not None
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["jobs"][0]["state"] in ("running", "ended")
    until(lambda: job.exit_code() is not None)
    assert main(["collect", record["id"], "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["collected"]
    assert [one["state"] for one in row["campaigns"]] == ["finished"]
    assert main(["collect"]) == 0
    assert "nothing to collect" in capsys.readouterr().err
    assert main(["status"]) == 0
    assert "collected" in capsys.readouterr().out
    assert main(["report", row["campaigns"][0]["id"], "--out", "page.html"]) == 0
    assert main(["collect", "nosuch"]) == 2
    assert "there is no job 'nosuch'" in capsys.readouterr().err


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("after", [1, 12])
def test_a_stopped_campaign_goes_on_in_another_job(
    signal_number: signal.Signals, after: int, place: Path, halting: Halting, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "--on", "local", "--submit-only", *LONG, *halting.words]) == 0
    job = only(place)
    until(lambda: len(samples(job.store)) >= after)
    process_of(job).send_signal(signal_number)
    until(lambda: job.exit_code() is not None)
    assert job.exit_code() == (130 if signal_number == signal.SIGTERM else 137)
    before = samples(job.store)
    assert main(["collect"]) == 0
    (campaign,) = campaigns(capsys)
    assert (campaign["state"], campaign["samples"]) == ("interrupted", len(before))
    halting.let_on()
    assert main(["compare", "--resume", campaign["id"], "--on", "local", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["campaign"] == campaign["id"]
    assert main(["collect", *(one.record.id for one in jobs(place))]) == 0
    after_all = samples(place / "store.sqlite")
    assert len(set(after_all)) == len(after_all) == campaigns(capsys)[0]["samples"]
    assert {taken for _, taken in before} <= {taken for _, taken in after_all}
    assert document["pairs"] in (19, 20)  # of the pair that was broken off one side may be missing


def test_what_the_command_in_the_job_refuses_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with machine_alone(Settings().locks, lambda remark: None):
        assert main(["compare", "--on", "local", *QUICK, *COMMANDS]) == 5
    assert "measured nothing: another campaign is running on this machine" in capsys.readouterr().err
    assert campaigns(capsys) == []


def test_an_interrupted_wait_leaves_the_job(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(job: Job) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

    monkeypatch.setattr("rooftop.schedulers.run.state_of", interrupted)
    assert main(["compare", "--on", "local", *QUICK, *COMMANDS]) == 130
    job = only(place)
    assert f"'rooftop collect {job.record.id}'" in capsys.readouterr().err
    until(lambda: job.exit_code() is not None)
    assert job.exit_code() == 0


def test_a_campaign_that_a_job_measures_is_not_gone_on_with_elsewhere(
    place: Path, halting: Halting, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "--on", "local", "--submit-only", *LONG, *halting.words]) == 0
    first = only(place)
    until(lambda: samples(first.store))
    process_of(first).send_signal(signal.SIGTERM)
    until(lambda: first.exit_code() is not None)
    assert main(["collect"]) == 0
    (campaign,) = campaigns(capsys)
    other = new_job(place, "slurm", "compare", [], "compare", resumed=campaign["id"])
    assert main(["compare", "--resume"]) == 2
    assert "is measured by job None of slurm, which is not submitted: wait" in capsys.readouterr().err
    shutil.rmtree(other.folder)
    assert main(["compare", "--resume", "--on", "local", "--submit-only"]) == 0
    second = next(job for job in jobs(place) if job.record.id != first.record.id)
    capsys.readouterr()
    assert main(["compare", "--resume", "--on", "local", "--submit-only"]) == 2
    told = capsys.readouterr().err
    assert f"is measured by job {second.record.native} of local, which is running: wait for its end" in told
    assert len(jobs(place)) == 2
    halting.let_on()
    until(lambda: second.exit_code() is not None)


def test_jobs_of_one_second_stand_in_their_order(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"20261130-111200-{digits}" for digits in ("ffffffff", "00000000", "77777777")]
    monkeypatch.setattr("rooftop.store.campaign_store.new_name", iter(names).__next__)
    made = [new_job(place, "local", "compare", [], "") for _ in names]
    assert [one.record.id for one in jobs(place)] == [one.record.id for one in made] == names
