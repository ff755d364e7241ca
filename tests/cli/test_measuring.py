"""The options of Measurement: said on a command line, in a gate's file, and in the line that measures again."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from rooftop.command.measurement import Measurement
from rooftop.command.option import declared, spelled
from rooftop.command.request import MeasuredCommand
from rooftop.errors import Misuse
from rooftop.gate.file import Entry
from rooftop.terminal.campaigns import stored_places
from rooftop.terminal.measuring import Given, MeasuringCommand, measuring

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda text: text != "--")
TIMES = st.one_of(st.integers(1, 30 * 86400), st.floats(1e-3, 30 * 86400.0)).map(float)
SEVERAL = st.lists(TEXTS, max_size=3).map(tuple)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "metric": TEXTS,
    "metric_regex": st.none() | TEXTS,
    "better": st.sampled_from(["lower", "higher"]),
    "check": st.none() | TEXTS,
    "expect_regex": st.none() | TEXTS,
    "same_output": st.none() | st.floats(0, 1, exclude_max=True),
    "ignore_failure": st.booleans() | st.lists(st.integers(1, 255), min_size=1, unique=True).map(tuple),
    "shell": st.none() | TEXTS,
    "input": st.none() | TEXTS,
    "output": TEXTS,
    "setups": SEVERAL,
    "prepares": SEVERAL,
    "cleanups": SEVERAL,
    "warmup": st.integers(0, 1000),
    "memory_bytes": st.none() | st.integers(1, 1 << 50),
    "size": st.none() | st.sampled_from(["quick", "M"]),
    "cases": st.lists(st.sampled_from(["one", "n=1024", "a, b"]), max_size=2).map(tuple),
    "workers": st.none() | st.integers(1, 1024),
    "ranks": st.none() | st.integers(1, 1024),
    "experiments": st.none() | st.just("/tmp"),
    "budget_s": TIMES,
    "pairs": st.none() | st.integers(1, 10**6),
    "max_pairs": st.integers(1, 10**6),
    "timeout_s": TIMES,
    "seed": st.none() | st.integers(0, 2**63 - 1),
}


def said(*words: str) -> Measurement:
    """Return what a command line asks for. Raises what it raises."""
    app, found = typer.Typer(), []

    @app.command(cls=MeasuringCommand)
    @measuring(MeasuredCommand)
    def command(*, given: Given[MeasuredCommand]) -> None:
        found.append(given.how)

    result = CliRunner().invoke(app, list(words))
    if isinstance(result.exception, Misuse):
        raise result.exception
    assert result.exit_code == 0, result.output
    return found[0]


def test_every_field_is_an_option() -> None:
    assert [one.field for one in declared(Measurement)] == [one.name for one in fields(Measurement)] == list(VALUES)
    assert set(stored_places(MeasuredCommand)) == set(VALUES) - {"budget_s"}


def test_without_options_the_defaults_hold() -> None:
    assert said() == Measurement()


@given(st.fixed_dictionaries(VALUES))
def test_the_line_that_measures_again_says_the_same(values: dict[str, Any]) -> None:
    how = Measurement(**values)
    again = said(*spelled(how))
    # Times are spelled with twelve digits.
    assert again.budget_s == pytest.approx(how.budget_s, rel=1e-11)
    assert again.timeout_s == pytest.approx(how.timeout_s, rel=1e-11)
    assert replace(again, budget_s=how.budget_s, timeout_s=how.timeout_s) == how


@given(st.fixed_dictionaries(VALUES))
def test_what_is_stored_is_read_again(values: dict[str, Any]) -> None:
    how = Measurement(**values)
    assert Measurement.from_stored(how.stored() | {"kind": "tune"}) == how


@pytest.mark.parametrize(
    ("word", "expected"), [("--expect-same-output", 0.0), ("--expect-same-output=1e-6", 1e-6), ("--warmup=3", None)]
)
def test_a_tolerance_need_not_be_said(word: str, expected: float | None) -> None:
    assert said(word).same_output == expected


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--memory-limit", "2 apples"], "--memory-limit is '2 apples', expected a size"),
        (["--expect-same-output=2"], "--expect-same-output is '2', expected a relative tolerance"),
        (["--timeout", "soon"], "--timeout is 'soon', expected a time"),
        (["--warmup", "-1"], "--warmup is -1, expected a whole number from 0"),
        (["--max-pairs", "0"], "--max-pairs is 0, expected a whole number from 1"),
        (["--seed", "-1"], "--seed is -1, expected a whole number from 0"),
        (["--better", "more"], "--better is 'more', expected lower, higher, minimize or maximize"),
        (["--ignore-failure=0"], "--ignore-failure is '0', expected exit codes from 1 to 255"),
        (["-i=1,x"], "--ignore-failure is '1,x', expected exit codes from 1 to 255"),
    ],
)
def test_misuse_names_the_option_and_the_value(words: list[str], told: str) -> None:
    with pytest.raises(Misuse, match=told):
        said(*words)


@pytest.mark.case("commands.F2")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-w", "3"], {"warmup": 3}),
        (["-i"], {"ignore_failure": True}),
        (["--ignore-failure=all-non-zero"], {"ignore_failure": True}),
        (["-i=1,2"], {"ignore_failure": (1, 2)}),
        (["-S", "bash --norc"], {"shell": "bash --norc"}),
        (["-N"], {"shell": "none"}),
        (["-Ni"], {"shell": "none", "ignore_failure": True}),
        (["--input", "data.txt"], {"input": "data.txt"}),
        (["--output=pipe"], {"output": "pipe"}),
        (["--show-output"], {"output": "inherit"}),
        (
            ["-s", "make", "-p", "sync", "-c", "rm x"],
            {"setups": ("make",), "prepares": ("sync",), "cleanups": ("rm x",)},
        ),
        (["--direction", "maximize", "--metric-regex", "x"], {"better": "higher", "metric_regex": "x"}),
        (["--check", "-N", "--prepare", "-i"], {"check": "-N", "prepares": ("-i",)}),
    ],
)
def test_what_other_tools_call_it(words: list[str], expected: dict[str, Any]) -> None:
    assert said(*words) == replace(Measurement(), **expected)


def test_a_benchmark_of_a_file_takes_every_option_but_those_of_the_whole_gate() -> None:
    entry = Entry(command="./a", memory_limit="2GiB", timeout="5m", setup="make", expect_same_output=True, warmup=2)
    how = entry.how(Measurement(metric_regex="([0-9]+)", better="higher"), "benchmark 1")
    assert (how.memory_bytes, how.timeout_s, how.setups) == (2 << 30, 300.0, ("make",))
    assert (how.same_output, how.warmup, how.better) == (0.0, 2, "higher")
    codes = Entry(command="./a", ignore_failure=[1, 2], shell="bash", output="pipe").how(how, "benchmark 1")
    assert (codes.ignore_failure, codes.shell, codes.output) == ((1, 2), "bash", "pipe")
    assert Entry(command="./a", metric="user").how(how, "benchmark 1").metric_regex is None
    assert Entry(command="./a", expect_same_output=False).how(how, "benchmark 1").same_output is None
    with pytest.raises(Misuse, match="benchmark 1: memory_limit is 'much'"):
        Entry(command="./a", memory_limit="much").how(how, "benchmark 1")
