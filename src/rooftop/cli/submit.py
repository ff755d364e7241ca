"""Submit the campaigns of many command lines, each in a job of its own, from a file with one line for each."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from rooftop import errors
from rooftop.command.option import spelled
from rooftop.errors import Misuse
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.jobs import ASKED
from rooftop.terminal.measuring import with_job_options
from rooftop.terminal.output import VerboseCommand, messages, say

GROUP = YOUR_PROGRAMS
NAME = "submit"


def _text(file: str) -> str:
    """Return what a file holds, or standard input. Raises Misuse."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise Misuse(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise Misuse(f"{file} is not UTF-8: {error.reason}") from error


class _Words(shlex.shlex):
    """Splits a line as the shell does: # begins a comment only where a word could begin."""

    def __init__(self, line: str) -> None:
        super().__init__(line, posix=True, punctuation_chars=False)
        self.whitespace_split = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "state":
            self.commenters = "#" if value == " " else ""
        super().__setattr__(name, value)


def _lines(file: str) -> list[tuple[int, list[str]]]:
    """Return the words of each command line, with the number of its line. Raises Misuse."""
    found = []
    for number, line in enumerate(_text(file).split("\n"), 1):
        try:
            words = list(_Words(line))
        except ValueError as error:
            raise Misuse(f"{file}: line {number} is no command line: {error}") from error
        if words[:1] == ["rooftop"]:
            words = words[1:]
        if words[:1] == [NAME]:
            raise Misuse(f"{file}: line {number} is '{NAME}', expected a campaign such as compare ./old ./new")
        if words:
            found.append((number, words))
    if not found:
        raise Misuse(f"{file} has no lines, expected command lines such as compare --budget 20s ./old ./new")
    return found


class _Commands:
    """The commands by their names: to make one takes longer than to submit a job."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def run(self, words: Sequence[str], more: Sequence[str]) -> None:
        """Run a command line with more options, which it may set otherwise. Raises what the command does."""
        from rooftop.cli.app import build_app

        name = words[0]
        if name not in self._made:
            self._made[name] = typer.main.get_command(build_app(name))
        code = self._made[name].main([name, *more, *words[1:]], prog_name="rooftop", standalone_mode=False)
        if code == errors.INTERRUPTED:
            raise KeyboardInterrupt
        if code:
            raise typer.Exit(code)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(NAME, cls=VerboseCommand, help=__doc__, rich_help_panel=GROUP)
    @with_job_options
    def submit(
        context: typer.Context,
        file: Annotated[
            str,
            typer.Argument(
                metavar="FILE",
                help="Command lines such as compare --budget 20s ./old ./new, one a line; - reads standard input.",
            ),
        ],
    ) -> None:
        asked = context.meta.get(ASKED)
        more = [*(spelled(asked, without=["submit_only"]) if asked is not None else ()), "--submit-only"]
        commands = _Commands()
        lines = _lines(file)
        for done, (number, words) in enumerate(lines):
            try:
                commands.run(words, more)
            except BaseException:
                told = f"{done} of {len(lines)} command lines are submitted, those before line {number} of {file}"
                say(messages(), told)
                raise
