"""What is asked of a scheduler: bad input is one line, before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE, Misuse
from rooftop.schedulers.job import Job, jobs, new_job
from rooftop.schedulers.options import read_job_time, read_name

pytest.importorskip("psij", reason="psij-python is not installed")

REFUSED = [
    ("--on nosuch", "--on is 'nosuch', expected one of cobalt, flux, local, lsf, pbs"),
    ("--nodes 2", "--nodes is about a job, but there is none: give --on SCHEDULER"),
    ("--submit-only", "--submit-only is about a job"),
    ("--on slurm --nodes 0", "--nodes is 0, expected a whole number from 1"),
    ("--on slurm --ntasks-per-node -1", "--ntasks-per-node is -1"),
    ("--on slurm --account a;b", "--account is 'a;b', expected a name"),
    ('--on slurm --partition a"b', "--partition is 'a\"b', expected a name"),
    ("--on slurm --time 30", "--time is '30', expected a time with its unit"),
    ("--on slurm --time 00:00:00", "--time is '00:00:00', expected a time"),
    ("--on slurm --time soon", "--time is 'soon', expected a time"),
    ("--on slurm --template nosuch", "--template nosuch cannot be read: No such file or directory"),
    ("--on slurm --template empty", "--template empty does not contain psij.launch_command"),
    ("--on slurm --template binary", "--template binary is not UTF-8"),
    ("--on slurm --template .", "--template . cannot be read: Is a directory"),
    ("--on local --template empty", "--template is given with --on local, which has no batch script"),
    ("--on local --resume 20200101", "--resume 20200101: there is no such campaign"),
]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").write_text("#!/bin/sh\n", encoding="ascii")
    Path("binary").write_bytes(b"\xff\xfe")


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_misuse(options: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *options.split(), "--", "true", ":::", "false"]) == MISUSE
    told = capsys.readouterr()
    assert says in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert not list((tmp_path / "home").glob("jobs/2*"))


def test_misuse_of_the_command_itself_is_told_without_a_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--on", "local", "true"]) == MISUSE
    assert "1 command to compare" in capsys.readouterr().err
    assert not list((tmp_path / "home").glob("jobs/2*"))


@pytest.mark.parametrize("alone", ["-i", "--ignore-failure", "--expect-same-output", "-N", "--show-output", "-iN"])
def test_what_follows_an_option_that_stands_alone_is_not_its_value(
    alone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def submit(job: Job, options: object, limit_s: float) -> None:
        job.keep(native="1")

    monkeypatch.setattr("rooftop.schedulers.run.submit", submit)
    for own in (["--on", "local", "--store", "s"], ["--store", "sqlite:///secret", "--on", "local"]):
        assert main(["compare", alone, *own, "--submit-only", "--", "true", ":::", "false"]) == 0
    for job in jobs(tmp_path / "home"):
        assert job.script.read_text("utf-8").count(f"rooftop compare {alone} -- true ::: false") == 1
        assert job.record.subject == f"compare {alone} -- true ::: false"


def test_a_job_does_not_submit_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    job = new_job(tmp_path / "home", "slurm", "compare", [], "compare")
    monkeypatch.setenv("ROOFTOP_HOME", str(job.home))
    assert main(["compare", "--on", "local", "--", "true", ":::", "false"]) == MISUSE
    assert capsys.readouterr().err == (
        f"rooftop: --on local is given in job {job.record.id}, whose campaign is measured here: leave it out\n"
    )
    assert list(job.home.iterdir()) == []


def test_scheduler_that_is_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["compare", "--on", "lsf", "--", "/bin/true", ":::", "/bin/true"]) == MISUSE
    told = capsys.readouterr().err
    assert told == "rooftop: --on lsf: there is no program bsub on this machine\n"


def test_commands_that_do_not_run_campaigns_in_jobs_do_not_take_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "--on", "local", "--", "true"]) == MISUSE
    assert "--on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "seconds"), [("2h", 7200), ("90s", 90), ("00:10:00", 600), ("1-02:00:01", 93601), ("1h30m", 5400)]
)
def test_times(said: str, seconds: float) -> None:
    assert read_job_time("--time", said) == seconds


@pytest.mark.parametrize("said", ["", " ", "10:00", "1", "1.5", "-1h", "1:2:3:4", "\n", "01:60:00"])
def test_times_that_schedulers_read_differently_are_refused(said: str) -> None:
    with pytest.raises(Misuse, match="--time is"):
        read_job_time("--time", said)


@pytest.mark.parametrize("said", ["", "-x", "a b", "a\nb", "a'b", "a$b", "a`b", "é", "a" * 300, "\x1b[2J"])
def test_names_that_headers_cannot_hold(said: str) -> None:
    with pytest.raises(Misuse) as refused:
        read_name("--account", said)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("said", ["all", "m1234_g", "project-1.a", "gpu,cpu", "q@host"])
def test_names(said: str) -> None:
    assert read_name("--account", said) == said
