"""What would be written over what is read is misuse, and nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.command.process import Limits, run
from rooftop.errors import Misuse
from rooftop.files.atomic import refuse_overwriting

pytestmark = pytest.mark.usefixtures("scratch")

GRID = "NAME: t\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 1\n3 1 0\nEOF\n"


@pytest.fixture(name="io")
def io_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "io.txt").write_text("mine\n", encoding="utf-8")
    (tmp_path / "link").symlink_to("io.txt")
    (tmp_path / "hard").hardlink_to("io.txt")
    (tmp_path / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "run.sh").chmod(0o755)
    return tmp_path / "io.txt"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    return seen.err


@pytest.mark.case("commands.G8")
@pytest.mark.parametrize("output", ["io.txt", "./io.txt", "link", "hard"])
def test_output_of_a_comparison_is_not_its_input(output: str, io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(["compare", "--input", "io.txt", "--output", output, "cat", "cat"], capsys)
    assert f"--output is {Path(output)}, which --input reads" in told
    assert io.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.case("commands.G8.kinds")
@pytest.mark.parametrize(
    "words",
    [
        ["tune", "--param", "N=1,2", "--", "head", "-n", "{N}"],
        ["scale", "--threads", "1,2", "--", "cat"],
        ["gate", "--", "cat", ":::", "cat"],
        ["pin", "--", "cat"],
    ],
)
def test_output_of_any_kind_is_not_its_input(words: list[str], io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = words.index("--")
    both = ["--input", "io.txt", "--output", "io.txt"]
    refused([*words[:at], *both, *words[at:]], capsys)
    assert io.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.case("commands.G8.place")
def test_value_that_makes_the_input_the_output(io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", "--param", "F=run.sh,io.txt", "--input", "{F}", "--output", "io.txt", "--", "cat"]
    assert "which --input reads" in refused(words, capsys)
    assert io.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.case("commands.G8.command")
@pytest.mark.parametrize(
    ("output", "command"), [("io.txt", "cat io.txt"), ("io.txt", "cat <io.txt"), ("run.sh", "./run.sh")]
)
def test_output_is_not_what_a_command_names(
    output: str, command: str, io: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(output).read_text(encoding="utf-8")
    assert f"which the command {command!r} reads" in refused(["compare", "--output", output, "true", command], capsys)
    assert Path(output).read_text(encoding="utf-8") == before
    assert io.is_file()


@pytest.mark.case("commands.G8.later")
def test_input_that_becomes_the_output_later_is_not_emptied(io: Path) -> None:
    with pytest.raises(OSError, match="would be overwritten"):
        run(["cat"], Limits(), given=io, output=Path("link"))
    assert io.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.case("commands.G8.export")
@pytest.mark.parametrize("export", [["--export", "csv:io.txt"], ["--export-json", "link"]])
def test_export_is_not_the_input(export: list[str], io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "which --input reads" in refused(["compare", "--input", "io.txt", *export, "cat", "cat"], capsys)
    assert io.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.case("commands.G8.solve")
def test_result_of_a_solver_is_not_its_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "grid.tsp"
    file.write_text(GRID, encoding="utf-8")
    assert "which the command reads" in refused(["solve", "tsp", str(file), "--out", str(file)], capsys)
    assert file.read_text(encoding="utf-8") == GRID
    (tmp_path / "town").mkdir()
    table = tmp_path / "town" / "link.csv"
    table.write_text("a\n", encoding="utf-8")
    assert "which the command reads" in refused(["solve", "network", str(table.parent), "--out", str(table)], capsys)
    assert table.read_text(encoding="utf-8") == "a\n"


@pytest.mark.case("commands.G8.pin")
def test_command_that_is_looked_at_has_its_input_and_output(io: Path) -> None:
    assert main(["pin", "--no-cost", "--input", "io.txt", "--output", "seen", "--", "cat"]) == 0
    assert Path("seen").read_text(encoding="utf-8") == io.read_text(encoding="utf-8")


@pytest.mark.case("commands.H3")
@pytest.mark.parametrize(
    "words", [["compare", "cat", "cat"], ["tune", "--env", "F=1", "--", "cat"], ["pin", "--", "cat"]]
)
def test_pipe_is_no_input(words: list[str], io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(io.parent / "pipe")
    told = refused([words[0], "--input", "pipe", "--timeout", "1s", *words[1:]], capsys)
    assert "--input is pipe, a pipe: expected a file" in told
    with pytest.raises(OSError, match="it is a pipe"):
        run(["cat"], Limits(), given=io.parent / "pipe")


@pytest.mark.case("commands.H3.output")
def test_pipe_that_nobody_reads_is_no_output(io: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(io.parent / "pipe2")
    assert main(["compare", "--max-pairs", "1", "--output", "./pipe2", "--budget", "60s", "echo hi", "echo ho"]) == 1
    assert "--output pipe2: No such device or address" in capsys.readouterr().out
    reader = os.open("pipe2", os.O_RDONLY | os.O_NONBLOCK)
    assert run(["echo", "hi"], Limits(), output=Path("pipe2")).status == 0
    assert os.read(reader, 10) == b"hi\n"
    os.close(reader)


@pytest.mark.case("commands.H5")
@pytest.mark.parametrize("export", [["--export-json", "-"], ["--export", "csv:-"], ["--export-csv", "/dev/stdout"]])
def test_output_of_commands_is_not_mixed_with_an_export(export: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(["compare", *export, "--show-output", "echo hi", "true"], capsys)
    assert "both print there, expected one of them" in told


def test_devices_and_other_files_may_be_read_and_written(tmp_path: Path) -> None:
    refuse_overwriting("--output", Path("/dev/null"), [("--input", Path("/dev/null"))])
    refuse_overwriting("--output", tmp_path / "new", [("--input", tmp_path / "other"), ("--file", None)])
    refuse_overwriting("--output", None, [("--input", tmp_path / "other")])
    with pytest.raises(Misuse, match="it would be written over"):
        refuse_overwriting("--output", tmp_path / "new", [("--input", tmp_path / "none" / ".." / "new")])
