"""Many command lines are submitted by one command, each in a job of its own."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE
from rooftop.schedulers.job import Job, jobs
from rooftop.schedulers.options import JobOptions
from rooftop.settings import Settings
from rooftop.store.place import place_of

pytest.importorskip("psij", reason="psij-python is not installed")

LINES = """\
# two comparisons, and a sweep
compare --budget 20s -- true ::: false

rooftop compare --time 5m --store other.sqlite -- 'true' "a b" 'c''d#e' f#g "#h" \\#i ::: true#j # k
tune --param 'N=1,2' --budget 5s -- sleep '{N}'   # of the second
"""


@pytest.fixture(autouse=True, name="asked")
def asked_fixture(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> list[JobOptions]:
    """Submit nothing; return what was asked for."""
    asked: list[JobOptions] = []

    def submit(job: Job, options: JobOptions, limit_s: float) -> None:
        asked.append(options)
        job.keep(native=str(len(asked)))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rooftop.schedulers.run.submit", submit)
    monkeypatch.setattr("rooftop.schedulers.run.require_scheduler", lambda *_: None)
    return asked


def test_each_line_is_a_job(asked: list[JobOptions], tmp_path: Path) -> None:
    Path("lines.txt").write_text(LINES, encoding="utf-8")
    assert main(["submit", "--on", "slurm", "--partition", "all", "--time", "1h", "lines.txt"]) == 0
    assert [(one.on, one.partition, one.time_s, one.submit_only) for one in asked] == [
        ("slurm", "all", 3600.0, True),
        ("slurm", "all", 300.0, True),
        ("slurm", "all", 3600.0, True),
    ]
    assert [job.record.subject for job in sorted(jobs(tmp_path / "home"), key=lambda job: str(job.record.native))] == [
        "compare --budget 20s -- true ::: false",
        "compare -- true 'a b' 'cd#e' 'f#g' '#h' '#i' ::: 'true#j'",
        "tune --param N=1,2 --budget 5s -- sleep '{N}'",
    ]


def test_the_store_of_a_line_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[str] = []

    def submit(job: Job, options: JobOptions, limit_s: float) -> None:
        places.append(Path(str(place_of(Settings()))).name)
        job.keep(native="1")

    monkeypatch.setattr("rooftop.schedulers.run.submit", submit)
    Path("lines.txt").write_text(LINES, encoding="utf-8")
    assert main(["submit", "--on", "slurm", "lines.txt"]) == 0
    assert places == ["store.sqlite", "other.sqlite", "store.sqlite"]


def test_what_is_submitted_alone_is_the_same(asked: list[JobOptions], tmp_path: Path) -> None:
    words = [
        "compare",
        "--on",
        "slurm",
        "--nodes",
        "2",
        "--submit-only",
        "--budget",
        "3s",
        "--",
        "true",
        ":::",
        "false",
    ]
    assert main(words) == 0
    Path("lines.txt").write_text("compare --budget 3s -- true ::: false\n", encoding="utf-8")
    assert main(["submit", "--on", "slurm", "--nodes", "2", "lines.txt"]) == 0
    alone, in_file = sorted(jobs(tmp_path / "home"), key=lambda job: str(job.record.native))
    assert asked[0] == asked[1]
    script = alone.script.read_text(encoding="utf-8").replace(alone.record.id, in_file.record.id)
    assert in_file.script.read_text(encoding="utf-8") == script


def test_standard_input_is_read(asked: list[JobOptions], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("compare --on pjm -- true ::: false\n"))
    assert main(["submit", "-"]) == 0
    assert asked[0].on == "pjm"


REFUSED = [
    ("compare -- true ::: false\ncompare true\n", "1 command to compare", 1),
    ("compare -- true ::: false\nlist\n", "there is no option --on", 1),
    ("compare -- true ::: false\nnosuch 1\n", "No such command 'nosuch'", 1),
    ("compare -- true ::: false\ncompare --time 3 -- true ::: false\n", "--time is '3', expected a time", 1),
    ("compare -- true ::: false\ncompare 'true\n", "line 2 is no command line: No closing quotation", 0),
    ("compare -- true ::: false\nrooftop submit lines.txt\n", "line 2 is 'submit', expected a campaign", 0),
    ("# none\n\n", "lines.txt has no lines, expected command lines", 0),
]


@pytest.mark.parametrize(("text", "told", "count"), REFUSED)
def test_a_line_that_is_wrong_ends_it(
    text: str, told: str, count: int, asked: list[JobOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lines.txt").write_text(text, encoding="utf-8")
    assert main(["submit", "--on", "slurm", "lines.txt"]) == MISUSE
    err = capsys.readouterr().err
    assert told in err
    assert len(asked) == count
    if count:
        assert "1 of 2 command lines are submitted, those before line 2 of lines.txt" in err


def test_without_a_scheduler_nothing_is_measured_here(
    asked: list[JobOptions], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lines.txt").write_text("compare -- true ::: false\n", encoding="utf-8")
    assert main(["submit", "lines.txt"]) == MISUSE
    assert "--submit-only is about a job, but there is none: give --on SCHEDULER" in capsys.readouterr().err
    assert asked == []
    assert main(["submit", "--on", "slurm", "nosuch.txt"]) == MISUSE
    assert "nosuch.txt cannot be read: No such file or directory" in capsys.readouterr().err
