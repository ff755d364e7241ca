"""One argument after ``--`` is a text in every command that measures commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.command.line import CommandLine
from rooftop.compare.run import Comparing
from rooftop.errors import Misuse
from rooftop.gate.run import Gating
from rooftop.pin.run import Pinning
from rooftop.scale.run import Scaling
from rooftop.tune.run import Tuning

pytestmark = pytest.mark.usefixtures("scratch")

PIPE = "sleep 0.02 | cat"


def words_of(asked: Any) -> Iterator[tuple[str, ...]]:
    """Return the words of all commands that were asked for."""
    if isinstance(asked, CommandLine) or hasattr(asked, "words"):
        yield asked.words
    else:
        for words, _ in getattr(asked, "commands", None) or asked.listed:
            yield words


@pytest.mark.case("commands.D5.tune", "commands.D5.scale", "commands.D5.gate", "commands.D5.compare", "commands.D5.pin")
@pytest.mark.parametrize(
    "arguments",
    [
        ["tune", "--threads", "1,2", "--", PIPE],
        ["scale", "--threads", "1,2", "--", PIPE],
        ["gate", "--", PIPE, ":::", "c"],
        ["compare", "--", PIPE, ":::", "c"],
        ["pin", "--", PIPE],
    ],
)
def test_a_pipe_runs_through_a_shell(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def ask(_: object, options: object, *__: object, **___: object) -> None:
        seen.append(options)
        raise Misuse("enough was seen")

    for kind, method in (
        (Tuning, "tune"),
        (Scaling, "scale"),
        (Gating, "gate"),
        (Comparing, "compare"),
        (Pinning, "look"),
    ):
        monkeypatch.setattr(kind, method, ask)
    assert main(arguments) == 2
    assert next(words_of(seen[0])) == ("/bin/sh", "-c", PIPE)
