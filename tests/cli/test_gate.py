"""``rooftop gate`` on real commands and a real repository: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from rooftop.cli.app import main

FEW = ["--max-pairs", "12", "--budget", "120s", "--threshold", "40%"]
# Benchmarks say how long they took: a machine that is busy with other tests cannot change a verdict.
TOLD = ["--metric-regex", "took ([0-9.]+)"]
SCRIPT = "#!/bin/sh\nsleep 0.01\necho took {seconds}\necho {answer}\n"

pytestmark = pytest.mark.usefixtures("scratch")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, seconds: float, answer: str = "42", **more: str) -> None:
    """Commit a benchmark that takes so long and prints an answer, and other files."""
    files = {"bench.in": SCRIPT.format(seconds=seconds, answer=answer), **more}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", f"{seconds} {answer}")
    git(folder, "tag", f"s{seconds}-{answer}")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a quick commit, a slow one, a wrong one and one with a benchmark more."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@localhost")
    commit(folder, 0.005)
    commit(folder, 0.05)
    commit(folder, 0.005, "43")
    commit(folder, 0.005, "44", more="took 1\n")
    monkeypatch.chdir(folder)
    return folder


BUILD = ["--build", "cp bench.in bench && chmod +x bench"]


def gate(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["gate", "--json", *FEW, *TOLD, *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/gate/1"
    return content


def test_a_slower_revision_is_a_regression(here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit, markdown = tmp_path / "j.xml", tmp_path / "out" / "s.md"
    words = [
        "s0.005-42",
        "s0.05-42",
        *BUILD,
        "--junit",
        str(junit),
        "--markdown",
        str(markdown),
        "--",
        "./bench",
        "a|b",
    ]
    content = gate(words, capsys, code=6)
    only = content["benchmarks"][0]
    assert (only["outcome"], only["name"]) == ("regression", "./bench 'a|b'")
    assert only["confirmation"]["ratio"] < 0.5
    (suite,) = JUnitXml.fromfile(str(junit))
    (case,) = suite
    assert (suite.failures, suite.errors, suite.skipped) == (1, 0, 0)
    assert isinstance(case.result[0], Failure)
    text = markdown.read_text(encoding="utf-8")
    assert text.startswith("## ❌ regression: 1 regressed")
    assert "./bench 'a\\|b'" in text
    assert content["reproduce"] in text
    # The same again, from the other side: faster, and nothing is built.
    assert main(["gate", *FEW, *TOLD, "s0.05-42", "s0.005-42", *BUILD, "--", "./bench"]) == 0
    seen = capsys.readouterr()
    assert seen.err.count("using the build of an earlier gate") == 2
    assert "faster: ./bench: speed" in seen.out
    status = subprocess.run(["git", "status", "--porcelain"], cwd=here, capture_output=True, text=True, check=True)
    assert status.stdout == ""


def test_a_wrong_result_is_told_from_a_regression(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    junit = tmp_path / "j.xml"
    same = ["--expect-same-output", "--junit", str(junit)]
    content = gate(["s0.005-42", "s0.005-43", *BUILD, *same, "--", "./bench"], capsys, code=1)
    assert content["outcome"] == "wrong"
    assert "line 2 is '43', expected '42'" in content["benchmarks"][0]["told"]
    (case,) = next(iter(JUnitXml.fromfile(str(junit))))
    assert isinstance(case.result[0], Error)


def test_a_benchmark_of_one_revision_only(here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit = tmp_path / "j.xml"
    words = ["s0.005-43", "s0.005-44", "--junit", str(junit), "--", "cat", "more"]
    assert gate(words, capsys, code=7)["benchmarks"][0]["told"].startswith("nothing to compare with: at the base")
    (case,) = next(iter(JUnitXml.fromfile(str(junit))))
    assert isinstance(case.result[0], Skipped)
    assert gate(["--allow-unresolved", *words], capsys)["outcome"] == "not resolved"
    gone = gate(["s0.005-44", "s0.005-43", "--", "cat", "more"], capsys, code=1)
    assert gone["outcome"] == "failed"


def test_the_working_tree(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bench.in").write_text(SCRIPT.format(seconds=0.06, answer=44), encoding="utf-8")
    assert gate(["HEAD", ".", *BUILD, "--", "./bench"], capsys, code=6)["outcome"] == "regression"
    assert not (here / "bench").exists()


def test_a_failing_build_is_4(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "HEAD~1", "HEAD", "--build", "echo bench.c:1: error: no; exit 2", "--", "./bench"]) == 4
    seen = capsys.readouterr()
    assert "  bench.c:1: error: no" in seen.err
    assert "exited with code 2: its output is in" in seen.err
    assert main(["gate", "--resume"]) == 2  # nothing is left to go on with


@pytest.mark.case("commands.E1", "commands.E1.json")
def test_failing_build_is_reported(here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit, markdown = tmp_path / "j.xml", tmp_path / "s.md"
    for file in (junit, markdown):
        file.write_text("fine", encoding="utf-8")
    words = ["HEAD~1", "HEAD", "--build", "exit 2", "--junit", str(junit), "--markdown", str(markdown), "--", "./bench"]
    content = gate(words, capsys, code=4)
    assert (content["outcome"], content["benchmarks"][0]["outcome"]) == ("failed", "failed")
    assert "with 'exit 2' exited with code 2" in content["error"]
    (suite,) = JUnitXml.fromfile(str(junit))
    (case,) = suite
    assert (suite.errors, suite.failures) == (1, 0)
    assert isinstance(case.result[0], Error)
    assert content["error"] in str(case.result[0].message)
    assert markdown.read_text(encoding="utf-8").startswith("fine\n\n## ❌ failed: 1 failed")  # it is added to


def test_two_plain_commands_and_the_history(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--history"]) == 3
    assert "no gate has measured anything" in capsys.readouterr().err
    content = gate(["--", "echo", "took", "1", ":::", "echo", "took", "2"], capsys, code=6)
    assert content["base"] is None
    assert main(["gate", "--history"]) == 0
    assert "echo took 2, took ([0-9.]+), on" in capsys.readouterr().out
    assert main(["gate", "--history", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "rooftop/gate-history/1"
    assert [series["analysed"] for series in told["series"]] == [False]


def test_wall_time_is_compared_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--json", *FEW, "--", "true", ":::", "true"]) in (0, 6, 7)  # whatever the clock says
    only = json.loads(capsys.readouterr().out)["benchmarks"][0]
    assert (only["metric"], only["unit"], only["better"]) == ("wall", "s", "lower")
    assert all(0 < side["median"] < 60 for side in (only["base"], only["head"]))


def test_benchmarks_of_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "gate.toml").write_text(
        """base = "s0.005-42"
head = "s0.05-42"
build = "cp bench.in bench && chmod +x bench"
[[benchmark]]
name = "strict"
command = "./bench"
[[benchmark]]
name = "lenient"
command = "./bench"
threshold = "99%"
[[benchmark]]
name = "figure"
base = "echo rate 20"
head = "echo rate 10"
metric_regex = "rate ([0-9]+)"
better = "higher"
""",
        encoding="utf-8",
    )
    content = gate(["--file", "gate.toml"], capsys, code=6)
    outcomes = {one["name"]: one["outcome"] for one in content["benchmarks"]}
    assert outcomes["strict"] == outcomes["figure"] == "regression"
    assert [one["threshold"] for one in content["benchmarks"]] == [0.4, 0.99, 0.4]


def test_interrupted_at_any_time_it_is_gone_on_with(here: Path, tmp_path: Path) -> None:
    # The benchmark ends the first session itself, at its eighth run.
    program = "echo x >> $ROOFTOP_HOME.runs; test $(wc -l < $ROOFTOP_HOME.runs) -ne 8 || kill -INT $BENCH; ./bench"
    started = "import os, sys; os.environ['BENCH'] = str(os.getpid()); from rooftop.cli.app import main; "
    started += "sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", started, "gate", "--json", *FEW, *TOLD]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    words = ["s0.005-42", "s0.05-42", *BUILD, "--", "sh", "-c", program]
    ended = subprocess.run([*command, *words], env=environment, cwd=here, capture_output=True, check=False)
    assert ended.returncode == 130
    first = json.loads(ended.stdout)
    assert first["interrupted"]
    done = subprocess.run([*command, "--resume"], env=environment, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 6
    assert json.loads(done.stdout)["campaign"] == first["campaign"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "there is no benchmark"),
        (["HEAD", "HEAD"], "there is no benchmark"),
        (["HEAD", "--", "true"], "1 revision before --, expected BASE and HEAD"),
        (["--", "true"], "1 command and no revisions"),
        (["nought", "HEAD", "--", "true"], "there is no revision 'nought'"),
        (["HEAD", "HEAD", "--", "true", ":::"], "on one side of :::"),
        (["--threshold", "much", "HEAD", "HEAD", "--", "true"], "--threshold is 'much'"),
        (["--threshold", "1001%", "HEAD", "HEAD", "--", "true"], "--threshold is '1001%'"),
        (["--threshold", "2", "HEAD", "HEAD", "--", "true"], "--threshold is '2'"),
        (["--threshold", "-1%", "HEAD", "HEAD", "--", "true"], "--threshold is '-1%'"),
        (["--correction", "none", "HEAD", "HEAD", "--", "true"], "--correction"),
        (["--build", "make", "--", "true", ":::", "true"], "--build is given without revisions"),
        (["--file", "nought.toml"], "nought.toml cannot be read"),
        (["--metric", "joules", "HEAD", "HEAD", "--", "true"], "--metric is 'joules'"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], expected: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate", *words]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    assert expected in seen.err
    assert not (tmp_path / "home").exists()


def test_revisions_need_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["gate", "HEAD~1", "HEAD", "--", "true"]) == 2
    assert "is not in a git working tree" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[[benchmark]", "is not TOML"),
        ("other = 1", "gate.toml has 'other', which is not an option; there are: build, threshold"),
        ("[[benchmark]]\ncommand = 3", "benchmark 1 command is 3"),
        ("[[benchmark]]\nname = 'a'", "benchmark 1 needs either a command, or both base and head"),
        ("[[benchmark]]\ncommand = 'a'\nhead = 'b'", "benchmark 1 needs either a command, or both base and head"),
        ("[[benchmark]]\ncommand = 'a'\nthreshold = 'b'", "benchmark 1: threshold is 'b'"),
        ("[[benchmark]]\ncommand = 'a'\ntimeout = 'b'", "benchmark 1: timeout is 'b'"),
        ("[[benchmark]]\ncommand = 'a'\nexpect_same_output = 2", "expect_same_output is 2"),
        ("base = 'a'", "names one revision"),
        ("threshold = 7", "threshold is '7.0'"),
    ],
)
def test_a_file_that_cannot_be(content: str, expected: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "gate.toml").write_text(content, encoding="utf-8")
    assert main(["gate", "--file", "gate.toml"]) == 2
    seen = capsys.readouterr().err
    assert expected in seen
    assert seen.count("\n") == 1
