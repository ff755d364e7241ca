"""One argument after ``--`` is a text in every command that measures commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.command.line import CommandLine
from rooftop.errors import Misuse
from rooftop.pin.run import Pinning

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

    def ask(*given: object, **_: object) -> None:
        seen.append(given[-1])
        raise Misuse("enough was seen")

    def look(_: object, command: object, *__: object, **___: object) -> None:
        ask(command)

    monkeypatch.setattr("rooftop.campaign.run.run_campaign", ask)
    monkeypatch.setattr(Pinning, "look", look)
    assert main(arguments) == 2
    assert next(words_of(seen[0])) == ("/bin/sh", "-c", PIPE)
