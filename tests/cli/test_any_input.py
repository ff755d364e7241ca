"""Command-line values of every kind, through the real parsing: one line and exit code 2, or a request to measure.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

import pytest
import typer
from any_input import argument, examples
from hypothesis import given
from hypothesis import strategies as st

from rooftop.campaign.bench import Bench
from rooftop.cli import app
from rooftop.errors import Busy

pytestmark = pytest.mark.usefixtures("scratch")

HOW = ["--metric", "--metric-regex", "--better", "--check", "--expect-regex", "--warmup", "--budget", "--max-pairs"]
HOW += ["--timeout", "--memory-limit", "--seed", "--prepare", "--expect-same-output"]
TUNED = ["--threads", "--bind", "--schedule", "--malloc", "--env", "--param", "--where", "--default", "--strategy"]
OPTIONS = {
    "tune": [*HOW, *TUNED, "--launcher"],
    "compare": [*HOW, "--setup", "--cleanup", "--export"],
    "scale": [*HOW, "--threads", "--bind", "--size", "--weak", "--serial"],
    "gate": [*HOW, "--threshold", "--correction"],
}
BASE = {
    "tune": ["--threads", "1,2"],
    "compare": [],
    "scale": ["--threads", "1,2"],
    "gate": [],
}


@cache
def command(name: str | None) -> Any:
    return typer.main.get_command(BUILD(name))


BUILD = app.build_app


def enough(*_: object) -> NoReturn:
    raise Busy("it would be measured now")


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a request end where it would begin to measure, and keep the parser."""
    monkeypatch.setattr(app, "build_app", command)
    monkeypatch.setattr(Bench, "held", enough)
    # The words of a shell: asking one for every word would take a millisecond each.
    monkeypatch.setattr("rooftop.command.not_started.known_to", lambda _, word: word in (".", "cd"))
    yield


def asked(name: str) -> st.SearchStrategy[list[str]]:
    option = st.tuples(st.sampled_from(OPTIONS[name]), argument()).map(list)
    joined = option.map(lambda pair: [f"{pair[0]}={pair[1]}"])
    options = st.lists(option | joined, max_size=3).map(lambda found: [word for pair in found for word in pair])
    words = st.lists(argument() | st.sampled_from(["true", "sleep 0.01", ":::", "{N}", "{threads}"]), max_size=4)
    tail = st.tuples(st.sampled_from([[], ["--"]]), words).map(lambda both: both[0] + both[1])
    return st.tuples(st.sampled_from([BASE[name], []]), options, tail).map(
        lambda three: [word for one in three for word in one]
    )


def check(words: list[str]) -> None:
    """Run a command line; it is refused with one line, or would be measured."""
    said, printed = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(printed):
        code = app.main(words)
    lines = said.getvalue()
    if code == 5:
        assert "it would be measured now" in lines
        return
    assert code in (0, 2), (code, lines)
    if code == 2 and len(words) > 1:
        assert lines.count("\n") == 1, lines
        assert lines.startswith("rooftop: ")
        assert "internal error" not in lines


@given(asked("tune"))
@examples(150)
def test_any_input_of_tune(unmeasured: None, words: list[str]) -> None:
    check(["tune", *words])


@given(asked("compare"))
@examples(150)
def test_any_input_of_compare(unmeasured: None, words: list[str]) -> None:
    check(["compare", *words])


@given(asked("scale"))
@examples(100)
def test_any_input_of_scale(unmeasured: None, words: list[str]) -> None:
    check(["scale", *words])


@given(asked("gate"))
@examples(100)
def test_any_input_of_gate(unmeasured: None, words: list[str]) -> None:
    check(["gate", *words])
