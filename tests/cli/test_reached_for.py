"""What users of hyperfine, Kernel Tuner and Optuna reach for: it works, or one line says where to go."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from still_machine import StillMachine

import rooftop
from rooftop.cli.app import main
from rooftop.doubts import about_the_machine
from rooftop.errors import Misuse
from rooftop.terminal import foreign_options
from rooftop.tune.strategies import KNOWN_AS, names, own_name

ONE = ["--max-pairs", "1", "--budget", "60s"]

pytestmark = pytest.mark.usefixtures("scratch")

Out = pytest.CaptureFixture[str]


def compared(words: list[str], capsys: Out, code: int = 0) -> dict[str, Any]:
    assert main(["compare", "--json", *ONE, *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


def refused(words: list[str], capsys: Out) -> str:
    """Return the line of a misuse."""
    assert main(words) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    return seen.err


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --- what is loaded ---------------------------------------------------------------------------------------------------

LOADED = "import sys; from rooftop.cli.app import main; main(sys.argv[1:]); print('', *sys.modules, file=sys.stderr)"
HEAVY = {"scipy", "matplotlib", "plotly", "jinja2", "optuna", "alembic", "sqlalchemy", "numpy"}


@pytest.mark.case("commands.F1")
@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["--help"], HEAVY | {"pydantic", "psutil"}),
        (["compare", *ONE, "true", "true x"], HEAVY),
    ],
)
def test_nothing_is_loaded_that_is_not_used(words: list[str], unused: set[str]) -> None:
    for _ in range(2):  # only the first has to make the store
        done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    assert unused & set(done.stderr.split()) == set()


# --- how a command is run ---------------------------------------------------------------------------------------------


@pytest.mark.case("commands.F4")
def test_a_shell_of_the_users_starts_all_commands(capsys: Out) -> None:
    content = compared(["--shell", "sh -e", "true", "false | true", "--setup", "a=1; exit 0"], capsys)
    assert [one["command"] for one in content["commands"]] == [
        ["sh", "-e", "-c", "true"],
        ["sh", "-e", "-c", "false | true"],
    ]
    by_default = compared(["-S", "default", "true", "true x"], capsys)
    assert by_default["commands"][0]["command"] == ["/bin/sh", "-c", "true"]
    words = compared(["-S", "sh", "--", "echo", "a b", ":::", "true"], capsys)
    assert words["commands"][0]["command"] == ["sh", "-c", "echo 'a b'"]


@pytest.mark.case("commands.F4")
def test_without_a_shell_its_syntax_is_words(capsys: Out) -> None:
    content = compared(["-N", "--expect-regex", "^a > b$", "echo a > b", "echo  a '>' b"], capsys)
    assert content["commands"][0]["command"] == ["echo", "a", ">", "b"]


@pytest.mark.case("commands.F4")
def test_a_shell_that_does_not_exist_is_misuse(capsys: Out) -> None:
    assert "--shell is 'no-such-shell', which cannot be found" in refused(
        ["compare", "-S", "no-such-shell", "true", "true"], capsys
    )


@pytest.mark.case("commands.F5")
def test_every_run_gets_the_input_from_its_beginning(tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "data").write_text("all of it\n", encoding="utf-8")
    words = ["--input", str(tmp_path / "data"), "--warmup", "2", "--expect-regex", "^all of it$", "cat", "head -n 1"]
    assert [one["outcome"] for one in compared(words, capsys)["commands"]] == ["ok", "ok"]
    nothing = compared(["--input", "null", "--expect-regex", "^0$", "wc -c", "wc  -c"], capsys)
    assert [one["outcome"] for one in nothing["commands"]] == ["ok", "ok"]
    missing = compared(["--input", str(tmp_path / "none"), "cat", "cat -"], capsys, code=1)
    assert missing["commands"][0]["reason"] == f"--input {tmp_path / 'none'}: No such file or directory"


@pytest.mark.case("commands.F5")
@pytest.mark.parametrize(
    "command",
    [
        ["gate", "--allow-unresolved", "--", "cat", ":::", "head"],
        ["tune", "--env", "N=1,2", "--", "cat"],
        ["scale", "--threads", "1", "--", "cat"],
    ],
)
def test_every_kind_has_the_input(command: list[str], tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "data").write_text("all of it\n", encoding="utf-8")
    options = ["--input", str(tmp_path / "data"), "--expect-regex", "^all of it$", "--json", *ONE]
    assert main([command[0], *options, *command[1:]]) == 0
    assert '"wrong"' not in capsys.readouterr().out


@pytest.mark.case("commands.F6", "commands.F23")
def test_programs_write_to_null_unless_a_pipe_is_asked_for(tmp_path: Path, capsys: Out) -> None:
    tell = f"readlink /proc/self/fd/3 3>&1 > {tmp_path}/out; seq 100000"
    for output, expected in (
        ("null", "/dev/null"),
        ("pipe", "pipe:"),
        (str(tmp_path / "file"), str(tmp_path / "file")),
    ):
        compared(["--output", output, tell, "true"], capsys)
        assert (tmp_path / "out").read_text(encoding="utf-8").startswith(expected)
    assert (tmp_path / "file").exists()


@pytest.mark.case("commands.F6")
def test_shown_output_is_the_programs_own(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *ONE, "--show-output", "echo to you", "echo and you >&2"]) == 0
    seen = capfd.readouterr()
    assert seen.out.count("to you\n") >= 2
    assert seen.err.count("and you\n") >= 2


@pytest.mark.case("commands.F6")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--show-output", "--json"], "--output inherit and --json both print on standard output"),
        (["--show-output", "--expect-regex", "x"], "--output is 'inherit', and --expect-regex needs to read"),
        (["--output", "file", "--metric-regex", "x"], "--output is 'file', and --metric-regex needs to read"),
    ],
)
def test_output_that_is_read_goes_nowhere_else(words: list[str], told: str, capsys: Out) -> None:
    assert told in refused(["compare", *words, "true", "true"], capsys)


@pytest.mark.case("commands.F12")
def test_exit_codes_that_are_accepted(capsys: Out) -> None:
    content = compared(["-i=3,4", "exit 3", "exit 5"], capsys, code=1)
    assert [one["outcome"] for one in content["commands"]] == ["ok", "failed"]
    assert [one["outcome"] for one in compared(["-i", "exit 3", "exit 5"], capsys)["commands"]] == ["ok", "ok"]


# --- which commands are compared --------------------------------------------------------------------------------------


@pytest.mark.case("commands.F7", "commands.F10")
def test_names_and_the_reference(capsys: Out) -> None:
    content = compared(["--reference", "true", "-n", "one", "sh -c :", "true  "], capsys)
    assert [one["name"] for one in content["commands"]] == ["true", "one", "true  "]
    assert content["comparisons"][0]["against"] == "true"
    assert "--command-name is given 3 times" in refused(["compare", *["-n", "x"] * 3, "true", "false"], capsys)


@pytest.mark.case("commands.F8")
def test_commands_with_each_value_of_parameters(tmp_path: Path, capsys: Out) -> None:
    words = ["-L", "a", r"x,y\,z", "-P", "n", "1", "2", "--prepare", f"echo {{a}} {{n}} >> {tmp_path}/log"]
    content = compared([*words, "echo {a}{n}"], capsys)
    assert [one["name"] for one in content["commands"]] == ["echo x1", "echo x2", "echo y,z1", "echo y,z2"]
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert {"x 1", "y,z 2"} <= set(log.splitlines())
    named = compared(["-P", "n", "0.1", "0.3", "-D", "0.2", "-n", "n = {n}", "echo {n}"], capsys)
    assert [one["name"] for one in named["commands"]] == ["n = 0.1", "n = 0.3"]


@pytest.mark.case("commands.F8")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-L", "n", "1,2", "true"], "sets 'n', expected {n} in the command"),
        (["-L", "n", "1,2", "-L", "n", "3", "echo {n}"], "the parameter 'n' is given twice"),
        (["-P", "n", "0.1", "0.3", "echo {n}"], "expected a step in a range of decimals"),
        (["-D", "2", "true"], "--parameter-step-size is given without --parameter-scan"),
        (["-P", "n", "1", "200", "echo {n}"], "more than 100 commands"),
        (["-L", "n"], "-L has one value, 'n', expected NAME and a,b"),
    ],
)
def test_parameters_that_cannot_be(words: list[str], told: str, capsys: Out) -> None:
    assert told in refused(["compare", *words], capsys)


@pytest.mark.case("commands.F26")
@pytest.mark.parametrize("words", [["sleep", "0.01"], ["true", "true"]])
def test_words_after_the_separator_are_one_command(words: list[str], capsys: Out) -> None:
    told = refused(["compare", "--", *words], capsys)
    assert f"1 command to compare ({' '.join(words)}), expected two" in told


@pytest.mark.case("commands.F26")
def test_quoted_texts_after_the_separator_are_commands(capsys: Out) -> None:
    assert [one["name"] for one in compared(["--", "echo a", "echo b"], capsys)["commands"]] == ["echo a", "echo b"]


# --- exports ----------------------------------------------------------------------------------------------------------


@pytest.mark.case("commands.F9")
def test_exports_by_hyperfines_names(tmp_path: Path, capsys: Out) -> None:
    files = {form: tmp_path / form for form in ("json", "csv", "markdown")}
    options = [word for form, file in files.items() for word in (f"--export-{form}", str(file))]
    assert main(["compare", *ONE, *options, "-n", "a|b", "true", "sh -c :"]) == 0
    times = json.loads(files["json"].read_text(encoding="utf-8"))["results"]
    told = rows(files["csv"].read_text(encoding="utf-8"))
    assert list(told[0]) == ["command", "mean", "stddev", "median", "user", "system", "min", "max"]
    assert [one["command"] for one in told] == ["a|b", "sh -c :"]
    assert [float(one["mean"]) for one in told] == [one["mean"] for one in times]
    table = files["markdown"].read_text(encoding="utf-8").splitlines()
    assert table[0] == "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |"
    assert table[2].startswith("| `a\\|b` | ")
    assert any(line.endswith("| 1.00 |") for line in table[2:])


@pytest.mark.case("commands.F9")
def test_an_export_on_standard_output_has_it_to_itself(capsys: Out) -> None:
    assert main(["compare", *ONE, "--export", "csv:-", "true", "sh -c :"]) == 0
    seen = capsys.readouterr()
    assert [one["command"] for one in rows(seen.out)] == ["true", "sh -c :"]
    assert "not resolved" in seen.err
    both = refused(["compare", "--export", "csv:-", "--json", "true", "true"], capsys)
    assert "--export csv:- and --json all print on standard output, expected one of them" in both


# --- what there is under other names, or elsewhere --------------------------------------------------------------------


@pytest.mark.case("commands.F19")
def test_help_and_version_as_others_spell_them(capsys: Out) -> None:
    for words, spelled in ((["help"], ["--help"]), (["help", "compare"], ["compare", "--help"])):
        assert main(words) == main(spelled) == 0
        told = capsys.readouterr().out
        assert told[: len(told) // 2] == told[len(told) // 2 :]
    assert main(["-V"]) == 0
    assert capsys.readouterr().out == f"rooftop {rooftop.__version__}\n"


@pytest.mark.case("commands.F3", "commands.F11", "commands.F17", "commands.F39")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["compare", "-r", "10"],
            "there is no -r here: Rooftop measures pairs, one run of each command: give --pairs N",
        ),
        (["scale", "--min-runs", "10"], "give --pairs N (see rooftop scale --help)"),
        (["tune", "--max-runs=10"], "give --max-pairs N"),
        (["compare", "--sort", "mean-time"], "results stand in the order in which the commands are given"),
        (["compare", "-u", "second"], "--json and --export csv:FILE give seconds"),
        (["tune", "-L", "n", "1,2"], "give --param NAME=a,b"),
        (["gate", "--google-benchmark"], "use 'rooftop compare --google-benchmark'"),
        (["gate", "--export-json", "x"], "--json has every sample"),
        (["compare", "--n-trials", "3"], "it is an option of 'rooftop tune'"),
        (["compare", "--wramup", "3"], "there is no option --wramup, perhaps --warmup (see rooftop compare --help)"),
        (["tune", "--tasks", "3"], "there is no option --tasks (see rooftop tune --help)"),
        (["solve", "ft", "--nought"], "there is no option --nought (see rooftop solve ft --help)"),
        (["--nought"], "there is no option --nought (see rooftop --help)"),
    ],
)
def test_what_is_not_here_says_where_to_go(words: list[str], told: str, capsys: Out) -> None:
    assert told in refused(words, capsys)


def test_what_is_refused_is_not_there(capsys: Out) -> None:
    for command in ("compare", "tune", "scale", "gate"):
        for option in [*foreign_options._EVERYWHERE, *foreign_options._SAME, *foreign_options._IN_COMMAND[command]]:
            if foreign_options.refusal(command, option) is not None:
                told = refused([command, option, "1"], capsys)
                assert f"there is no {option} here" in told, (command, option)


@pytest.mark.case("commands.F13")
def test_strategies_by_the_names_of_other_tools() -> None:
    assert {own_name(name) for name in KNOWN_AS} == set(names())
    assert [own_name(name) for name in ("auto", "tpe", "genetic")] == ["auto", "tpe", "genetic"]


@pytest.mark.case("commands.F13", "commands.F14", "commands.F18")
def test_a_tuning_in_the_words_of_other_tuners(tmp_path: Path, capsys: Out) -> None:
    words = ["--strategy", "random_sample", "--restrictions", "N < 5", "--n-trials", "2", "--direction", "maximize"]
    words += ["--metric-regex", "rate ([0-9]+)", "--setup", f"echo set {{N}} >> {tmp_path}/log"]
    words += ["--cleanup", f"echo gone {{N}} >> {tmp_path}/log", "--param", "N=1,2,3,4,5,6"]
    assert main(["tune", "--json", "--budget", "60s", "--max-pairs", "6", *words, "--", "echo", "rate", "{N}"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["strategy"], content["configurations"], content["better"]) == ("shuffled", 4, "higher")
    assert len(content["tried"]) == 2
    assert content["tried"][0]["parameters"] == {"N": 1}
    log = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert log.count("set 1") == log.count("gone 1") > 0


@pytest.mark.case("commands.F13")
def test_a_strategy_of_another_tool_is_refused_by_name(capsys: Out) -> None:
    told = refused(["tune", "--strategy", "genetic_algorithm", "--param", "N=1,2", "--", "echo", "{N}"], capsys)
    assert "--strategy is 'genetic_algorithm', expected auto, shuffled, tpe, or a name of these in Kernel Tuner" in told


@pytest.mark.case("commands.F15")
def test_chosen_benchmarks_of_a_gate(tmp_path: Path, capsys: Out) -> None:
    entries = "".join(f'[[benchmark]]\nname = "{name}"\ncommand = "true"\n' for name in ("fast-a", "fast-b", "slow"))
    (tmp_path / "gate.toml").write_text(entries, encoding="utf-8")
    words = ["--file", str(tmp_path / "gate.toml"), *ONE, "--json", "--allow-unresolved", "--benchmark"]
    assert main(["gate", *words, "fast-*"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in content["benchmarks"]] == ["fast-a", "fast-b"]
    assert "--benchmark 'fast-*'" in content["reproduce"]
    told = refused(["gate", *words, "none"], capsys)
    assert "--benchmark is 'none', which matches no benchmark; there are 'fast-a', 'fast-b', 'slow'" in told


@pytest.mark.case("commands.F16")
def test_a_threshold_may_be_above_100_percent(capsys: Out) -> None:
    words = ["gate", *ONE, "--threshold", "150%", "--allow-unresolved", "--json", "--", "true", ":::", "sh -c :"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["threshold"] == 1.5


def test_pairs_that_are_asked_for_are_taken(capsys: Out) -> None:
    words = ["--pairs", "9", "--max-pairs", "9", "--metric-regex", "([0-9]+)", "echo 1", "echo 2"]
    assert main(["compare", "--json", *words]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 9
    assert "--pairs is 9, expected at most --max-pairs, which is 3" in refused(
        ["compare", "--pairs", "9", "--max-pairs", "3", "true", "true"], capsys
    )


# --- what is told of a run --------------------------------------------------------------------------------------------


@pytest.mark.case("commands.F35", "commands.F37", "commands.F38")
def test_words_about_runs(capsys: Out) -> None:
    assert main(["compare", *ONE, "sleep 0.2", "exit 139", "exit 3"]) == 1
    out = capsys.readouterr().out
    assert "1 sample\n" in out
    assert "exited with code 139, which a shell gives for signal 11 (SIGSEGV)" in out
    assert "exited with code 3\n" in out
    for option in ("prepare", "setup"):
        content = compared([f"--{option}", "false", "true", "true x"], capsys, code=1)
        assert content["commands"][0]["reason"] == f"--{option} 'false' exited with code 1"


@pytest.mark.case("commands.F34")
def test_a_high_floor_is_told_of_commands(capsys: Out) -> None:
    small = StillMachine().machine(1).model_copy(update={"cores": 1})
    (told,) = about_the_machine(small, [{"load": [3.0]}], None)
    assert told.evidence == "load average 3.00 on 1 core when the campaign began"
    (told,) = about_the_machine(small, [], 0.05)
    assert told.name == "Runs of the same command differ"
    assert told.remedy.endswith("or give the commands more work")


def test_a_refusal_is_nothing_but_misuse() -> None:
    assert foreign_options.explained(Misuse("x")) is None


@pytest.mark.case("commands.I8")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["scale", "--threads", "1-2", "--", "true"],
            "--threads has '1-2', expected whole numbers from 1, such as 1..2",
        ),
        (["scale", "--ranks", "1:4", "--", "true"], "such as 1..4"),
        (["tune", "--threads", "1-8", "--", "true"], "such as 1..8"),
        (["scale", "--threads", "1-x", "--", "true"], "such as 1,2,4 or 1..8"),
    ],
)
def test_ranges_as_others_write_them_have_a_hint(words: list[str], told: str, capsys: Out) -> None:
    assert told in refused(words, capsys)


@pytest.mark.case("commands.I8.memory")
@pytest.mark.parametrize(("limit", "shown"), [("1", "1 byte"), ("3MiB", "3145728 bytes")])
def test_a_limit_of_memory_is_named_where_a_run_fails_under_it(limit: str, shown: str, capsys: Out) -> None:
    hungry = [sys.executable, "-c", "x = b'1' * 100_000_000"]
    told = compared(["--memory-limit", limit, "--", *hungry, ":::", *hungry], capsys, code=1)["commands"][0]["reason"]
    assert f"under --memory-limit, which is {shown}" in told
