"""Benchmarks that a file or a command line declares, and the line that gates them again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rooftop.command.measurement import Measurement
from rooftop.command.option import read_toml
from rooftop.gate.command import _options
from rooftop.gate.file import Entry, GateFile
from rooftop.gate.options import Options
from rooftop.terminal.measuring import Given
from rooftop.text.durations import parse_budget


@pytest.mark.case("commands.A1.gate")
def test_a_shell_that_one_side_needs_starts_the_other_too() -> None:
    base, head = Entry(base="./old", head="./new > /dev/null").sides("benchmark 1")
    assert base == (("/bin/sh", "-c", "./old"), "./old")
    assert head == (("/bin/sh", "-c", "./new > /dev/null"), "./new > /dev/null")
    assert Entry(base="./old", head="./new").sides("benchmark 1") == ((("./old",), "./old"), (("./new",), "./new"))


@pytest.mark.case("commands.F32")
def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text('\ufeffbase = "a"\nhead = "b"\n', encoding="utf-8")
    assert read_toml(tmp_path / "gate.toml", GateFile).base == "a"


@pytest.mark.case("commands.F4")
def test_a_shell_of_the_users_is_said_again_once() -> None:
    options = listed("a", ":::", "c", "d", how=Measurement(shell="bash"))
    assert options.benchmarks[0].base[0] == ("bash", "-c", "a")
    words = shlex.split(options.reproduced())
    assert words[words.index("--shell") + 1 :][:1] == ["bash"]
    assert words[words.index("--") :] == ["--", "a", ":::", "c d"]
    entry = Entry(command="./a", shell="bash")
    assert entry.sides("benchmark 1", "bash")[0] == (("bash", "-c", "./a"), "./a")


def listed(*words: str, threshold: float = 0.02, how: Measurement | None = None) -> Options:
    given = Given(Options, {"threshold": threshold}, how or Measurement())
    return _options(given, [], list(words), Path())


@pytest.mark.case("commands.A1.gate", "commands.A1.reproduce")
def test_commands_of_a_line_are_started_alike_again() -> None:
    options = listed("a | b", ":::", "c", "d e")
    (only,) = options.benchmarks
    assert (only.base[0], only.head[0]) == (("/bin/sh", "-c", "a | b"), ("/bin/sh", "-c", "c 'd e'"))
    words = shlex.split(options.reproduced())
    assert listed(*words[words.index("--") + 1 :]).benchmarks[0].head[0] == only.head[0]


@pytest.mark.case("commands.A3.gate")
def test_values_of_the_line_that_gates_again_are_whole() -> None:
    how = Measurement(timeout_s=90.5, memory_bytes=512 << 20, same_output=1.23456789e-6)
    words = shlex.split(listed("a", ":::", "b", threshold=0.33333333, how=how).reproduced())
    assert words[words.index("--threshold") + 1] == "33.333333%"
    assert words[words.index("--memory-limit") + 1] == str(512 << 20)
    assert parse_budget(words[words.index("--timeout") + 1]) == 90.5
    assert "--expect-same-output=1.23456789e-06" in words
