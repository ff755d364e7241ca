"""The shell that starts commands: /bin/sh where they need one, another that the user names, or none at all."""

from __future__ import annotations

import shlex
import shutil

from rooftop.errors import Misuse

NO_SHELL = "none"
SHELL = ("/bin/sh", "-c")
_DEFAULT = "default"


def shell_words(named: str) -> tuple[str, ...]:
    """Return the words before a text that this shell runs. Raises Misuse where there is no such shell."""
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
    """Whether a shell runs the last of these words as a text."""
    return words[-2:-1] == ("-c",)
