"""A job that is started again goes on with its campaign."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from job_stores import samples, until

from rooftop.cli.app import main
from rooftop.schedulers.job import Job, new_job
from rooftop.store.database import opened_database
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow

WORDS = ["compare", "--budget", "5m", "--pairs", "8", "--max-pairs", "8", "--json"]
_SCRIPT = """#!/bin/sh
echo >> {runs}
[ "$(wc -l < {runs})" = 12 ] && kill -INT {pid} && sleep 1
exit 0
"""


@pytest.fixture(name="job")
def job_fixture(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Job:
    """Return a job in whose home commands are run from now on."""
    monkeypatch.chdir(tmp_path)
    job = new_job(tmp_path / "home", "slurm", "compare", WORDS, "compare")
    monkeypatch.setenv("ROOFTOP_HOME", str(job.home))
    return job


@pytest.fixture(name="commands")
def commands_fixture(tmp_path: Path) -> list[str]:
    """Return commands of which the twelfth run interrupts the bench."""
    program = tmp_path / "program.sh"
    program.write_text(_SCRIPT.format(runs=tmp_path / "runs", pid=os.getpid()), encoding="utf-8")
    program.chmod(0o755)
    return ["--", str(program), "1", ":::", str(program), "2"]


def only(job: Job) -> CampaignRow:
    with opened_database(job.store) as store:
        (row,) = select(store, CampaignRow, "")
    return row


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_its_own_campaign_is_resumed(job: Job, commands: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, *commands]) == 130
    begun, before = only(job), samples(job.store)
    assert begun.finished is None
    assert before
    capsys.readouterr()
    assert main([*WORDS, *commands]) in (0, 6, 7)
    assert only(job).id == begun.id == document(capsys)["campaign"]
    assert samples(job.store)[: len(before)] == before
    assert len(set(samples(job.store))) == len(samples(job.store)) > len(before)


def test_a_finished_one_is_not_measured_again(job: Job, capsys: pytest.CaptureFixture[str]) -> None:
    commands = ["--", "true", ":::", "true"]
    code = main([*WORDS, *commands])
    first, taken = document(capsys), samples(job.store)
    assert main([*WORDS, *commands]) == code
    assert document(capsys) == first
    assert samples(job.store) == taken
    assert main(["compare", f"--resume={first['campaign']}", "--json"]) == code  # as a job that resumes says it
    assert document(capsys) == first


OTHERS = [
    ["tune", "--param", "N=0.01,0.02", "--budget", "3s", "--max-pairs", "6", "--", "sleep", "{N}"],
    ["scale", "--threads", "1,2", "--budget", "3s", "--max-pairs", "6", "--no-factors", "--", "sleep", "0.01"],
    ["gate", "--threshold", "500%", "--budget", "3s", "--max-pairs", "6", "--", "true", ":::", "true"],
    ["compare", "--budget", "3s", "--max-pairs", "6", "-n", "a", "-n", "b", "-w", "1", "sleep 0.01", "sleep 0.01"],
]


@pytest.mark.parametrize("words", OTHERS, ids=[words[0] for words in OTHERS])
def test_other_kinds_are_not_measured_again_either(
    words: list[str], job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    line = [words[0], "--json", *words[1:]]
    code = main(line)
    first, taken = document(capsys), samples(job.store)
    assert main(line) == code
    assert document(capsys) == first
    assert samples(job.store) == taken


def test_other_commands_in_the_home_of_a_job_are_refused(job: Job, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "--", "true", ":::", "true"]) in (0, 6, 7)
    taken = samples(job.store)
    capsys.readouterr()
    assert main([*WORDS, "--", "true", ":::", "false"]) == 2
    assert "was started with the commands 'true ::: true', but 'true ::: false' is given" in capsys.readouterr().err
    assert samples(job.store) == taken


def test_a_collected_one_goes_on_elsewhere(job: Job, commands: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, *commands]) == 130
    job.keep(collected="now")
    before = samples(job.store)
    capsys.readouterr()
    assert main([*WORDS, *commands]) == 2
    assert f"was started again after campaign {only(job).id} was collected from it" in capsys.readouterr().err
    assert samples(job.store) == before


def test_the_end_of_an_earlier_start_is_waited_for(job: Job, capsys: pytest.CaptureFixture[str]) -> None:
    with (job.home / "climb.lock").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        codes: list[int] = []
        waiting = threading.Thread(target=lambda: codes.append(main([*WORDS, "--", "true", ":::", "true"])))
        waiting.start()
        until(lambda: "still measures: waiting for its end" in capsys.readouterr().err)
        time.sleep(0.2)
        assert not job.store.exists()
    waiting.join()
    assert codes[0] in (0, 6, 7)
    assert only(job).finished is not None


def test_only_the_end_of_the_last_start_counts(job: Job) -> None:
    lines = job.script.read_text(encoding="utf-8").splitlines()
    for started, exit_file in (("true", True), (f"echo another > {job.folder / 'started'}", False)):
        script = "\n".join([*lines[:-2], started, lines[-1]])
        assert subprocess.run(["sh", "-c", script], check=False).returncode == 0
        assert (job.folder / "exit").is_file() == exit_file
