"""A job's script says what the user said, whatever letters that has."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.schedulers.job import job_named, jobs, new_job
from rooftop.terminal.jobs import without_job

ECHO = """#!/bin/sh
exec {python} -c 'import json, os, sys
print(json.dumps([sys.argv[1:], os.getcwd(), os.environ["ROOFTOP_HOME"]]))
sys.exit(7)' "$@"
"""
AWKWARD = "a b'\"\n$(touch planted)`touch planted`\\;&|*é"
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@pytest.fixture(name="echo")
def echo_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the script start a program that prints its words, in a folder with an awkward name."""
    program = tmp_path / "echo.sh"
    program.write_text(ECHO.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    place = tmp_path / AWKWARD.replace("/", "")
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr("rooftop.schedulers.job.sys.executable", str(program))
    return tmp_path


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS | st.just(AWKWARD), max_size=4))
def test_words_arrive_as_they_were_said(echo: Path, words: list[str]) -> None:
    job = new_job(echo / "home", "local", "compare", words, "subject")
    ended = subprocess.run(["/bin/sh", job.script], cwd="/", capture_output=True, text=True, check=False)
    said, place, home = json.loads(ended.stdout)
    assert said == ["-P", "-m", "rooftop", "compare", *words]
    assert (place, home) == (str(Path.cwd()), str(job.home))
    assert (ended.returncode, job.exit_code()) == (7, 7)
    assert not list(echo.rglob("planted"))


def test_a_job_that_runs_again_has_not_ended(echo: Path) -> None:
    job = new_job(echo / "home", "slurm", "compare", [], "subject")
    subprocess.run(["/bin/sh", job.script], stdout=subprocess.DEVNULL, check=False)
    assert job.exit_code() == 7
    (echo / "echo.sh").write_text("#!/bin/sh\nkill -9 $PPID\n", encoding="ascii")
    subprocess.run(["/bin/sh", job.script], check=False)
    assert job.exit_code() is None


def test_home_that_batch_scripts_cannot_name_is_refused(tmp_path: Path) -> None:
    for name in ("a b", 'a"b', "a'b", "a\nb", "a$(b)", "é"):
        with pytest.raises(Misuse, match="set ROOFTOP_HOME"):
            new_job(tmp_path / name, "slurm", "compare", [], "")
        assert not (tmp_path / name).exists()


def test_jobs_are_found_by_the_beginning_of_an_id(tmp_path: Path) -> None:
    made = [new_job(tmp_path, "local", "compare", [str(one)], str(one)) for one in range(3)]
    made[1].keep(native="77")
    (tmp_path / "jobs" / "broken").mkdir()
    (tmp_path / "jobs" / "broken" / "job.json").write_text("{", encoding="ascii")
    assert {job.record.id for job in jobs(tmp_path)} == {job.record.id for job in made}
    assert job_named(tmp_path, "77").record == made[1].record
    assert job_named(tmp_path, made[2].record.id).record == made[2].record
    with pytest.raises(Misuse, match="there is no job 'x'"):
        job_named(tmp_path, "x")
    with pytest.raises(Misuse, match="matches 3 jobs"):
        job_named(tmp_path, made[0].record.id[:4])


@pytest.mark.parametrize(
    ("said", "resumed", "expected"),
    [
        ("--on slurm --budget 3s -- a --on b", None, "--budget 3s -- a --on b"),
        ("--on=slurm --time 2h -n --on A --nodes=2 B --submit-only", None, "-n --on A B"),
        ("--resume 20260101-000000-abcd --on slurm", "ID", "--resume=ID"),
        ("--resume --on slurm a", "ID", "--resume=ID a"),
        ("--resume=2026 --account x --partition y --template z", None, ""),
        ("--ntasks-per-node 4 --on local", None, ""),
        ("--on local --check", None, "--check"),
        ("--store postgresql://me@there/team --on local a", None, "a"),
        ("-n -- --on slurm a -- --on b", None, "-n -- a -- --on b"),
    ],
)
def test_options_of_the_job_are_left_out_of_its_words(said: str, resumed: str | None, expected: str) -> None:
    own = ("--on", "--time", "--nodes", "--ntasks-per-node", "--account", "--partition", "--template")
    taking = dict.fromkeys([*own, "--store", "-n", "--budget", "--check"], 1)
    assert without_job(said.split(), taking, resumed) == expected.split()
