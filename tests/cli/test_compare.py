"""``rooftop compare`` on real commands: what it prints, its exit codes, and that nothing of it stays."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main

FEW = ["--max-pairs", "6", "--budget", "60s"]


pytestmark = pytest.mark.usefixtures("scratch")


def document(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["compare", "--json", *FEW, *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/compare/1"
    return content


def test_a_sleep_many_times_as_long_is_slower(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["sleep 0.02", "sleep 0.3"], capsys)
    assert content["verdict"] in ("slower", "not resolved")  # a busy machine may halt one of six for as long
    assert content["commands"][1]["median"] >= 0.3
    assert content["pairs"] == 6
    assert {"ratio", "lo", "hi", "floor"} <= content.keys()


def test_words_after_the_separator(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["--", "sleep", "0.3", ":::", "sleep", "0.02"], capsys)
    assert content["verdict"] in ("faster", "not resolved")
    assert [command["name"] for command in content["commands"]] == ["sleep 0.3", "sleep 0.02"]


def test_a_figure_of_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    rate = ["--metric-regex", r"GFLOP/s = ([\d.]+)", "--better", "higher"]
    content = document([*rate, "echo GFLOP/s = 20", "echo GFLOP/s = 40"], capsys)
    assert (content["verdict"], content["ratio"]) == ("faster", pytest.approx(2.0))


def test_a_wrong_answer_has_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["--expect-same-output=1e-6", "echo sum 1.0", "echo sum 1.5"], capsys, code=1)
    first, second = content["commands"]
    assert first["outcome"] == "ok"
    assert (second["outcome"], second["median"]) == ("wrong", None)
    assert (
        second["reason"] == "its output differs from the first correct output: line 1 is 'sum 1.5', expected 'sum 1.0'"
    )


def test_an_answer_that_goes_wrong_later_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # The shell's last line differs from its third run on, amid the timing.
    log = tmp_path / "log"
    later = f"echo >> {log}; test $(wc -l < {log}) -lt 3 && echo sum 1.0 || echo sum 2.0"
    content = document(["--expect-same-output", "echo sum 1.0", later], capsys, code=1)
    assert [command["outcome"] for command in content["commands"]] == ["ok", "wrong"]
    assert "differs from the first correct output" in content["commands"][1]["reason"]


def test_a_failing_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *FEW, "true", "sh -c 'echo no >&2; exit 4'"]) == 1
    seen = capsys.readouterr()
    assert "failed: exited with code 4; it said: no" in seen.out


def test_setup_prepare_and_cleanup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    steps = [f"--setup=echo setup >> {log}", f"--prepare=echo prepare >> {log}", f"--cleanup=echo cleanup >> {log}"]
    document([*steps, f"echo a >> {log}", f"echo b >> {log}"], capsys)
    lines = log.read_text(encoding="utf-8").split()
    assert lines.count("setup") == lines.count("cleanup") == 2
    assert lines.count("prepare") == lines.count("a") + lines.count("b")
    assert lines[0] == "setup"
    assert lines[-1] == "cleanup"
    assert all(before == "prepare" for before, line in pairwise(lines) if line in "ab")


def test_a_cleanup_that_fails_is_told_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *FEW, "--cleanup", "false", "sleep 0.01", "sleep 0.03"]) == 0
    seen = capsys.readouterr()
    assert "sleep 0.03" in seen.out
    assert "--cleanup 'false' exited with code 1" in seen.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["true"], "1 command to compare"),
        ([], "0 commands to compare"),
        (["--", "true", ":::"], "on one side of :::"),
        (["--metric", "joules", "true", "true"], "--metric is 'joules'"),
        (["--expect-same-output=loose", "true", "true"], "--expect-same-output is 'loose'"),
        (["--budget", "soon", "true", "true"], "--budget is 'soon'"),
        (["--timeout", "soon", "true", "true"], "--timeout is 'soon'"),
        (["--memory-limit", "much", "true", "true"], "--memory-limit is 'much'"),
        (["--max-pairs", "0", "true", "true"], "--max-pairs is 0"),
        (["--export", "xml:x", "true", "true"], "--export is 'xml:x'"),
        (["--export", "hyperfine:/nowhere/x.json", "true", "true"], "/nowhere/x.json cannot be written"),
        (["--check", "no-such-program", "true", "true"], "--check: 'no-such-program' cannot be found"),
        (["--metric-regex", r"(\d+) (\d+)", "true", "true"], "has 2 groups, expected one"),
        (["--google-benchmark", "--metric", "user", "true", "true"], "--metric is 'user', expected wall or cpu"),
        (["--warmup", "-1", "true", "true"], "--warmup is -1"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *words]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    assert expected in seen.err
    assert not (tmp_path / "home").exists()


@pytest.mark.case("commands.C4.bytes", "commands.E2.name", "commands.D5.line")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--memory-limit", "9" * 400, "true", "true"], "--memory-limit is '99"),
        (["--export", "hyperfine:" + "a" * 3000, "true", "true"], "cannot be written"),
        (["A=1 true", "--metric", "x", "true"], "--metric is 'x'"),
    ],
)
def test_odd_values_are_one_line_too(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *words]) == 2
    seen = capsys.readouterr().err
    assert expected in seen
    assert seen.count("\n") == 1
