"""Commands as users write them: words after ``--`` with ``:::`` between commands, or one quoted text for each.

One argument is a text wherever it stands; several are the words of a command. In a text, ``{name}`` is replaced by a
value, once, whatever the value holds; ``${name}`` is a variable of the shell.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rooftop.command.not_started import only_in_shell
from rooftop.errors import Misuse
from rooftop.text.visible import visible

SEPARATOR = ":::"
_LONGEST_NAME = 60
_PLACE = re.compile(r"\{\w+\}")  # where a parameter's value goes: no syntax of the shell's
_WITHIN_TEXT = re.compile(r"[^\s;|&<>()'\"`]+")
_SHELL_SYNTAX = re.compile(r"[|&;<>()$`*?\[\]{}~#\n]|^\s*\w+=")
NO_SHELL = "none"
SHELL = ("/bin/sh", "-c")
_DEFAULT = "default"


@dataclass(frozen=True)
class CommandLine:
    """A command: the words to execute, its text as shown, and whether a shell runs it."""

    words: tuple[str, ...]
    text: str
    by_shell: bool = False

    @property
    def all_words(self) -> list[str]:
        """The words, and those in the text that a shell runs."""
        return list(dict.fromkeys((*self.words, *_WITHIN_TEXT.findall(self.words[-1] if by_shell(self.words) else ""))))


def from_words(words: Sequence[str]) -> CommandLine:
    """Return the command with these words. Raises Misuse if they cannot be passed to a program."""
    return CommandLine(_checked(words), shlex.join(words))


def from_text(text: str, shell: str | None = None) -> CommandLine:
    """Return the command of a text. A shell runs it only if needed: starting one costs a millisecond.

    A shell is needed for shell syntax, and if the first word is a shell builtin and not a program, such as ``cd``.

    shell  named by the user: it runs every text; with ``none``, no shell is used

    Raises Misuse for an empty text, an unclosed quote, a null character, or a shell that does not exist.
    """
    if shell not in (None, NO_SHELL):
        return _in_shell(text, shell)
    if shell is None and _SHELL_SYNTAX.search(_PLACE.sub("", text)):
        return _in_shell(text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Misuse(f"command {text!r} cannot be read: {error}") from error
    if not words:
        raise Misuse(f"a command is {text!r}, expected a program and its arguments")
    needed = shell is None and only_in_shell(words[0])
    return _in_shell(text) if needed else CommandLine(_checked(words), text)


def _in_shell(text: str, shell: str | None = None) -> CommandLine:
    if not text.strip():
        raise Misuse(f"a command is {text!r}, expected a program and its arguments")
    before = SHELL if shell is None else shell_words(shell)
    return CommandLine(_checked((*before, text)), text, by_shell=True)


def _checked(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words. Raises Misuse if they cannot be passed to a program."""
    if not words or not words[0]:
        raise Misuse(f"a command begins with {shlex.join(words[:1])!r}, expected a program and its arguments")
    if any("\0" in word for word in words):
        raise Misuse(f"the command {shlex.join(words)!r} has a null character, which no program can be given")
    return tuple(words)


def from_arguments(arguments: Sequence[str], shell: str | None = None) -> CommandLine:
    """Return the command of arguments: a single one is a text unless it is the name of a program.

    shell  named by the user, see `from_text`; it also runs several words

    Raises Misuse.
    """
    if len(arguments) == 1 and shutil.which(arguments[0]) is None:
        return from_text(arguments[0], shell)
    command = from_words(arguments)
    return command if shell in (None, NO_SHELL) else _in_shell(command.text, shell)


def started_alike(commands: Sequence[CommandLine]) -> list[CommandLine]:
    """Return commands to compare. If one of them needs a shell, the shell starts all of them.

    Otherwise only one side would pay for starting the shell.
    """
    if not any(one.by_shell for one in commands):
        return list(commands)
    return [one if one.by_shell else _in_shell(one.text) for one in commands]


def names_of(texts: Sequence[str]) -> list[str]:
    """Return the names of commands: their texts, cut if long and numbered if equal."""
    names: list[str] = []
    for place, text in enumerate(map(visible, texts)):
        name = text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
        while name in names:  # a text may itself be what another is told apart by
            name = f"{name} (command {place + 1})"
        names.append(name)
    return names


def read_commands(arguments: Sequence[str], shell: str | None = None, *, words: bool = False) -> list[CommandLine]:
    """Return the commands of a command line's arguments. Raises Misuse.

    shell  named by the user, see `from_text`
    words  the arguments follow ``--``; without a separator they are the words of one command
    """
    if SEPARATOR not in arguments:
        if words and arguments and not _quoted(arguments):
            return [from_arguments(arguments, shell)]
        return [from_text(text, shell) for text in arguments]
    commands: list[list[str]] = [[]]
    for word in arguments:
        if word == SEPARATOR:
            commands.append([])
        else:
            commands[-1].append(word)
    if any(not words for words in commands):
        raise Misuse(f"there is no command on one side of {SEPARATOR}, expected A {SEPARATOR} B")
    return [from_arguments(words, shell) for words in commands]


def _quoted(arguments: Sequence[str]) -> bool:
    """Return whether each argument is a quoted command: all have several words, and the first is not a program."""
    return shutil.which(arguments[0]) is None and all(" " in text.strip() for text in arguments)


def shell_words(named: str) -> tuple[str, ...]:
    """Return the words that make this shell run the text after them. Raises Misuse if the shell is not found."""
    if named == _DEFAULT:
        return SHELL
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise Misuse(f"--shell is {named!r}, which cannot be read: {error}") from error
    if not words or shutil.which(words[0]) is None:
        raise Misuse(f"--shell is {named!r}, which cannot be found, expected a shell, {_DEFAULT!r} or {NO_SHELL!r}")
    return (*words, "-c")


def by_shell(words: tuple[str, ...]) -> bool:
    """Return whether the last of these words is a text for a shell."""
    return words[-2:-1] == ("-c",)


_NAMED_PLACE = re.compile(r"(?<!\$)\{([A-Za-z_]\w*)\}")


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return a text with each {name} that has a value replaced. Other braces stay."""
    return _NAMED_PLACE.sub(lambda place: str(values[place[1]]) if place[1] in values else place[0], text)


def substituted(texts: Sequence[str], values: Mapping[str, object]) -> tuple[str, ...]:
    """Return texts, each of them `filled`."""
    return tuple(filled(text, values) for text in texts)


def places(texts: Iterable[str]) -> list[str]:
    """Return the names in braces in texts, in order and without duplicates."""
    return list(dict.fromkeys(name for text in texts for name in _NAMED_PLACE.findall(text)))


def require_place(option: str, name: str, texts: Sequence[str], known: Iterable[str]) -> None:
    """Raise Misuse if {name} occurs in none of these texts, so that its value has no effect.

    known  all names that have values
    """
    found = places(texts)
    if name in found:
        return
    unknown = [other for other in found if other not in set(known)]
    beside = f"; it has {{{unknown[0]}}}, which is not set" if unknown else ""
    raise Misuse(f"{option} sets {name!r}, expected {{{name}}} in the command{beside}")


def remarks(texts: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return a line for each {name} that has no value and stays unchanged."""
    unknown = [name for name in places(texts) if name not in set(known)]
    return [f"{{{name}}} in the command has no value: it is left unchanged" for name in unknown]
