"""Commands as users write them: words after ``--`` with ``:::`` between commands, or one quoted text for each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.errors import Misuse

SEPARATOR = ":::"
_LONGEST_NAME = 60
_SHELL_SYNTAX = re.compile(r"[|&;<>()$`*?\[\]{}~#\n]|^\s*\w+=")


@dataclass(frozen=True)
class CommandLine:
    """A command: the words that are executed, and the text that names it."""

    words: tuple[str, ...]
    text: str


def from_words(words: Sequence[str]) -> CommandLine:
    """Give the command that these words are."""
    return CommandLine(tuple(words), shlex.join(words))


def from_text(text: str) -> CommandLine:
    """Give the command of a text. A shell runs it only where it has shell syntax: starting one costs a millisecond.

    Raises Misuse for an empty text or an open quote.
    """
    if _SHELL_SYNTAX.search(text):
        return CommandLine(("/bin/sh", "-c", text), text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Misuse(f"command {text!r} cannot be read: {error}") from error
    if not words:
        raise Misuse(f"a command is {text!r}, expected a program and its arguments")
    return CommandLine(tuple(words), text)


def names_of(texts: Sequence[str]) -> list[str]:
    """Give what commands are called: their texts, cut where they are long and told apart where two are the same."""
    names: list[str] = []
    for place, text in enumerate(texts):
        name = text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
        names.append(name if name not in names else f"{name} (command {place + 1})")
    return names


def read_commands(arguments: Sequence[str]) -> list[CommandLine]:
    """Give the commands of a command line's arguments. Raises Misuse."""
    if SEPARATOR not in arguments:
        return [from_text(text) for text in arguments]
    commands: list[list[str]] = [[]]
    for word in arguments:
        if word == SEPARATOR:
            commands.append([])
        else:
            commands[-1].append(word)
    if any(not words for words in commands):
        raise Misuse(f"there is no command on one side of {SEPARATOR}, expected A {SEPARATOR} B")
    return [from_words(words) for words in commands]
