"""Schedulers are asked once in a while, by whatever process, and only about jobs that they may know."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from asked_schedulers import asked_for_one_test

from rooftop.cli.app import main
from rooftop.schedulers import queue
from rooftop.schedulers.asking import Answer
from rooftop.schedulers.job import Job, jobs, new_job

pytest.importorskip("psij", reason="psij-python is not installed")


class Fake:
    """A squeue and a scontrol that say what they are told, and count how often squeue is started."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, folder / "count"
        folder.mkdir()
        self.cluster("here")
        self.says("")

    def says(self, text: str, code: int = 0) -> None:
        self._program("squeue", f"echo >> {self._count}\nprintf '{text}'\nexit {code}")

    def cluster(self, name: str) -> None:
        self._program("scontrol", f"echo 'ClusterName             = {name}'")

    @property
    def asked(self) -> int:
        return len(self._count.read_text(encoding="ascii")) if self._count.is_file() else 0

    def _program(self, name: str, lines: str) -> None:
        new = self._folder / f".{name}"
        new.write_text(f"#!/bin/sh\n{lines}\n", encoding="ascii")
        new.chmod(0o755)
        new.replace(self._folder / name)


@pytest.fixture(name="slurm")
def slurm_fixture(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with asked_for_one_test(monkeypatch):
        monkeypatch.setattr(queue, "POLL_S", 3600.0)
        yield Fake(tmp_path / "bin")


@pytest.fixture(name="home")
def home_fixture(tmp_path: Path) -> Path:
    return tmp_path / "home"


def submitted(home: Path, native: str, **known: str) -> Job:
    job = new_job(home, "slurm", "compare", [], "compare")
    job.keep(native=native, **known)
    return job


def state(job: Job) -> tuple[str, str]:
    return queue.states([job])[job.record.id]


def later(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last answer be too old."""
    asked = next((home / "jobs" / "asked").glob("*.json"))
    answer = Answer.model_validate_json(asked.read_bytes())
    asked.write_text(answer.model_copy(update={"asked_s": time.time() - 7200}).model_dump_json(), encoding="utf-8")


def test_however_many_want_to_know_it_is_asked_once(home: Path, slurm: Fake) -> None:
    made = [submitted(home, str(number)) for number in range(30)]
    slurm.says("".join(f"{number} R RUNNING None\\n" for number in range(29)))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(state, made))
    assert found == [("running", "running")] * 29 + [("ended", "")]
    assert main(["status"]) == main(["collect"]) == 0
    assert slurm.asked == 1


def test_a_scheduler_that_does_not_answer_is_not_asked_again_at_once(home: Path, slurm: Fake) -> None:
    job = submitted(home, "7")
    slurm.says("slurm_load_jobs error: Unable to contact slurm controller", code=1)
    assert [state(job) for _ in range(3)] == [("unknown", "the scheduler cannot be asked")] * 3
    assert slurm.asked == 1


@pytest.mark.parametrize("text", ["7 R\\n", "\\n\\n", "CLUSTER: here\\n7 R RUNNING None\\n"])
def test_output_that_is_not_understood_ends_no_job(text: str, home: Path, slurm: Fake) -> None:
    job = submitted(home, "7")
    slurm.says(text)
    assert state(job)[0] == "unknown"


def test_a_job_that_was_submitted_since_has_not_ended(home: Path, slurm: Fake) -> None:
    first = submitted(home, "7")
    assert state(first) == ("ended", "")
    assert state(submitted(home, "8")) == ("queued", "")
    assert slurm.asked == 1


def test_a_file_with_another_text_is_no_answer(home: Path, slurm: Fake) -> None:
    job = submitted(home, "7")
    slurm.says("7 PD PENDING Resources\\n")
    assert state(job) == ("queued", "pending (Resources)")
    next((home / "jobs" / "asked").glob("*.json")).write_text('{"asked_s": ', encoding="utf-8")
    assert state(job) == ("queued", "pending (Resources)")
    assert slurm.asked == 2


@pytest.mark.parametrize("code", [130, 137, 143])
def test_an_interrupted_job_may_be_started_again(
    code: int, home: Path, slurm: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submitted(home, "7")
    (job.folder / "exit").write_text(f"{code}\n", encoding="ascii")
    slurm.says("7 PD PENDING BeginTime\\n")
    assert state(job) == ("queued", "pending (BeginTime)")
    assert main(["collect"]) == 0
    assert jobs(home)[0].record.collected is None
    later(home, monkeypatch)
    slurm.says("7 TO TIMEOUT TimeLimit\\n")
    assert state(job) == ("ended", "timeout (TimeLimit)")
    (job.folder / "exit").write_text("6\n", encoding="ascii")
    assert state(job) == ("ended", "")
    assert slurm.asked == 2


def test_a_job_of_another_cluster_has_not_ended(home: Path, slurm: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    mine, others, older = (
        submitted(home, "7", cluster="here"),
        submitted(home, "8", cluster="north"),
        submitted(home, "9"),
    )
    assert state(mine) == state(older) == ("ended", "")
    assert state(others) == ("unknown", "submitted to north")
    assert main(["status"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if others.record.id in line]
    assert "  unknown: submitted to north  " in line
    assert main(["collect"]) == 0
    assert f"{others.record.id} is unknown (submitted to north): it is collected" in capsys.readouterr().err


def test_a_local_job_of_another_machine_has_not_ended(home: Path, slurm: Fake) -> None:
    job = new_job(home, "local", "compare", [], "compare")
    job.keep(native="1", started_s=1.0, cluster="elsewhere")
    assert state(job) == ("unknown", "submitted to elsewhere")


@pytest.mark.parametrize(("told", "cluster"), [("17", "here"), ("17;north", "north")])
def test_the_record_has_the_cluster(told: str, cluster: str, home: Path, slurm: Fake) -> None:
    slurm._program("sbatch", f"echo '{told}'")
    assert main(["compare", "--on", "slurm", "--submit-only", "--", "true", ":::", "true"]) == 0
    (job,) = jobs(home)
    assert (job.record.native, job.record.cluster) == ("17", cluster)


def test_status_is_watched_until_all_have_ended(
    home: Path, slurm: Fake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    job = submitted(home, "7", cluster="here")
    submitted(home, "8", cluster="north")
    new_job(home, "local", "compare", [], "compare").keep(native="1", started_s=1.0, cluster="elsewhere")
    slurm.says("7 R RUNNING None\\n")
    looked: list[float] = []

    def passing(seconds: float) -> None:
        looked.append(seconds)
        if len(looked) == 2:
            (job.folder / "exit").write_text("0\n", encoding="ascii")

    monkeypatch.setattr("rooftop.cli.status.sleep", passing)
    monkeypatch.setenv("FORCE_COLOR", "1")  # taken for a terminal
    assert main(["status", "--watch"]) == 0
    assert len(looked) == 2
    told = capsys.readouterr().out
    assert "3 jobs: 1 running, 2 unknown" in told
    assert [one for one in told.splitlines() if job.record.id in one][-1].split()[3] == "ended"
    assert main(["status", "--watch", "--json"]) == 2
