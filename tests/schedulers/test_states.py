"""The states of jobs, also where a scheduler cannot be asked, or was never told of them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from asked_schedulers import asked_for_one_test
from growing_store import Growing
from job_stores import until

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.schedulers import queue
from rooftop.schedulers.job import Job, jobs, new_job
from rooftop.schedulers.options import JobOptions
from rooftop.schedulers.run import awaited, in_no_job
from rooftop.store.database import opened_database
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow

pytest.importorskip("psij", reason="psij-python is not installed")

NOT_HERE = ("unknown", "there is no such scheduler on this machine")


@pytest.fixture(name="home")
def home_fixture(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))  # no scheduler
    (tmp_path / "bin").mkdir()
    with asked_for_one_test(monkeypatch):
        yield tmp_path / "home"


def submitted(home: Path, **known: Any) -> Job:
    """Return a job as it is after its submission."""
    job = new_job(home, known.pop("on", "slurm"), "compare", [], "compare", **known)
    job.keep(native=known.get("native", "77"))
    return job


def says(folder: Path, program: str, text: str) -> None:
    file = folder / "bin" / program
    file.write_text(f"#!/bin/sh\necho '{text}'\n", encoding="ascii")
    file.chmod(0o755)


def state(job: Job) -> tuple[str, str]:
    return queue.states([job])[job.record.id]


def test_where_there_is_no_slurm_a_job_has_not_ended(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = submitted(home)
    assert state(job) == NOT_HERE
    assert main(["collect"]) == 0
    told = capsys.readouterr()
    expected = "is unknown (there is no such scheduler on this machine): it is collected when it has ended"
    assert told.err == f"{job.record.id} {expected}\n"
    assert [one.record.collected for one in jobs(home)] == [None]
    assert main(["status"]) == 0
    assert "there is no such scheduler on this machine" in capsys.readouterr().out
    assert main(["status", "--watch"]) == 0  # nobody here hears of its end


def test_who_waits_asks_again(home: Path, tmp_path: Path) -> None:
    job = submitted(home)
    seen: list[tuple[str, str]] = []

    def watch(state: str, word: str) -> None:
        if (state, word) not in seen[-1:]:
            seen.append((state, word))
        if state == "unknown":
            says(tmp_path, "squeue", "77 R RUNNING None")
            says(tmp_path, "scontrol", "ClusterName = here")
        elif state == "running":
            (job.folder / "exit").write_text("0", encoding="ascii")

    assert awaited(job, watch) == ""
    assert seen == [NOT_HERE, ("running", "running"), ("ended", "")]


def test_a_number_that_another_process_has_now_is_not_the_job_s(home: Path) -> None:
    from rooftop.schedulers.executors.local import started_at

    job = submitted(home, on="local")
    own = started_at(str(os.getpid()))
    assert own is not None
    job.keep(native=str(os.getpid()), started_s=own)
    assert state(job)[0] == "running"
    job.keep(started_s=own - 3600)
    assert state(job) == ("ended", "")


def test_a_job_that_never_came_to_the_scheduler(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = new_job(home, "slurm", "compare", [], "compare", resumed="first")
    row = CampaignRow("first", "2026-01-01T00:00:00Z", "0", {}, {}, {})
    with pytest.raises(Misuse, match="is measured by job None of slurm, which is not submitted: wait"):
        in_no_job(home)(row)
    job.keep(submitted=(datetime.now(UTC) - timedelta(hours=1)).isoformat(timespec="seconds"))
    in_no_job(home)(row)
    assert main(["status"]) == 0
    assert "never submitted" in capsys.readouterr().out
    assert main(["collect"]) == 0
    assert f"was never submitted: unless slurm has it all the same, remove {job.folder}" in capsys.readouterr().err
    (job.folder / "exit").write_text("0", encoding="ascii")  # it was accepted, and has run
    assert state(job) == ("ended", "")


def test_an_interrupt_while_a_job_is_accepted_comes_when_it_is_known(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import psij

    class Accepting:
        def submit(self, job: psij.Job) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            job._native_id = "78"

    monkeypatch.setattr(queue, "_executor", lambda *_: Accepting())
    assert main(["compare", "--on", "slurm", "--", "/bin/true", ":::", "/bin/true"]) == 130
    (job,) = jobs(home)
    assert job.record.native == "78"
    assert f"job 78 of slurm goes on; after its end 'rooftop collect {job.record.id}'" in capsys.readouterr().err


def test_a_submission_that_is_cut_short_leaves_the_script_to_the_scheduler(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import psij

    class CutShort:
        def submit(self, job: psij.Job) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            raise psij.SubmitException("sbatch died of the interrupt, too")

    monkeypatch.setattr(queue, "_executor", lambda *_: CutShort())
    assert main(["compare", "--on", "slurm", "--", "/bin/true", ":::", "/bin/true"]) == 130
    (job,) = jobs(home)
    assert job.record.native is None
    assert job.script.is_file()
    assert "whether slurm has the job is not known" in capsys.readouterr().err


def test_a_local_job_has_a_session_of_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    job = new_job(home, "local", "compare", [], "compare")
    job.script.write_text('exec "$1" -c "import os; print(os.getsid(0))"\n'.replace('"$1"', sys.executable), "utf-8")
    queue.submit(job, JobOptions(on="local"), 60)
    until(lambda: state(job)[0] == "ended")
    assert int(job.output.read_text(encoding="ascii")) == int(str(job.record.native)) != os.getsid(0)
    assert job.record.started_s is not None


def test_one_job_that_cannot_be_collected_does_not_keep_others(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = [submitted(home, native=str(number)) for number in range(3)]
    for number, job in enumerate(made):
        (job.folder / "exit").write_text("0", encoding="ascii")
        with opened_database(job.store) as store:
            campaign = Growing(store, f"campaign {number}")
            campaign.measure()
            campaign.finish()
    made[1].store.write_bytes(b"no store" * 1000)
    assert main(["collect"]) == 1
    told = capsys.readouterr()
    assert f"{made[1].record.id}  not collected: the store {made[1].store} cannot be read" in told.err
    assert told.out.count("finished") == 2
    assert [one.record.collected is None for one in jobs(home)].count(True) == 1
    with opened_database(home / "store.sqlite") as store:
        assert {row.id for row in select(store, CampaignRow, "")} == {"campaign 0", "campaign 2"}
    assert main(["collect", "--json"]) == 1
