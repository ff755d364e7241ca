"""Reasons why a program cannot be started, where the system only says "No such file".

For a missing interpreter, loader or working folder, execve(2) fails with ENOENT, as it does for a missing program. A
shell builtin is not a file at all.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rooftop.launchers import launchers
from rooftop.launchers.nodes import NODES

_HEAD_BYTES = 4096
_SHOWN = 80
_SHELL = "/bin/sh"
_NOT_FOUND = re.compile(r"(\S*/[^\s:]+): (?:not found|cannot execute|No such file)")
_LOADER = re.compile(rb"/[\w./+-]*/ld[\w.+-]*\.so[\w.]*(?=\0)")  # what PT_INTERP names; it stands at a file's beginning


@cache
def known_to(shell: str, word: str) -> bool:
    """Return whether a word is a builtin or a reserved word of a shell."""
    if not re.fullmatch(r"[\w.:!{}\[\]-]+", word):
        return False
    asked = [shell, "-c", 'command -v -- "$1"', shell, word]
    try:
        done = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and done.stdout.decode("utf-8", "replace").strip() == word


def only_in_shell(word: str) -> bool:
    """Return whether a word is a builtin or a reserved word of /bin/sh and not a program."""
    return "/" not in word and shutil.which(word) is None and known_to(_SHELL, word)


def not_started(
    words: Sequence[str],
    error: OSError,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Return a sentence on why a command could not be started in a folder and an environment."""
    said = f"{_shown(words[0])} cannot be started: {error.strerror or error}"
    reason = why_not(words[0], folder, environment)
    if reason is None and error.errno == errno.E2BIG:
        reason = f"its arguments and its environment together are too long; it has {len(words)} words"
    return f"{said}: {reason}" if reason is not None else said


def why_not(word: str, folder: Path | None = None, environment: Mapping[str, str] | None = None) -> str | None:
    """Return why a program cannot be started; None if no reason is found."""
    try:
        place = folder if folder is not None else Path.cwd()
    except OSError:
        return "the current folder was removed"
    if not place.is_dir():
        return f"its working folder {place} does not exist"
    if "/" in word:
        return _of_file(place / word, place)
    found = shutil.which(word, path=(os.environ if environment is None else environment).get("PATH"))
    if found is not None:
        return _of_file(place / found, place)
    if known_to(_SHELL, word):
        return "it is a shell builtin and not a program: quote the whole command, so that the shell runs it"
    if (bash := shutil.which("bash")) and known_to(bash, word):
        return f"it is a bash builtin and not a program: use bash -c '{word} …'"
    return "no program of this name is on PATH; aliases and functions of an interactive shell cannot be used"


def why_not_within(words: Sequence[str], said: str, folder: Path | None = None) -> str | None:
    """Return why a shell or an interpreter could not start a program; None if no reason is found.

    The program is the one that standard error names as not found, or else the first word.
    """
    named = _NOT_FOUND.search(said)
    word = named[1] if named is not None else words[0]
    reason = why_not(word, folder)
    return f"{_shown(word)} cannot be started: {reason}" if reason is not None else None


def why_not_launched(said: str, folder: Path | None = None) -> str | None:
    """Return why a launcher could not start a program, by its messages; None if they say no such thing.

    said  standard error of the launcher
    """
    found = (one.not_found.search(said) for one in launchers() if one.not_found is not None)
    word = next((match[1] for match in found if match is not None), None)
    if word is None:
        return _too_few(said)
    return f"{_shown(word)} cannot be started: {why_not(word, folder) or 'the launcher does not find it'}"


def _too_few(said: str) -> str | None:
    """Return which option of this job a launcher needs, by its messages; None if they say no such thing."""
    if NODES not in os.environ:
        return None
    found = ((one.title, one.too_few.search(said)) for one in launchers() if one.too_few is not None)
    for title, match in found:
        if match is not None:
            return f"the job has too few tasks for {title} to start {match[1]} ranks: give --ntasks-per-node {match[1]}"
    return None


def _of_file(file: Path, folder: Path) -> str | None:
    """Return why a file cannot be executed; None if no reason is found."""
    try:
        mode = file.stat().st_mode
    except OSError as error:
        return None if error.errno == errno.ENOENT else error.strerror
    if stat.S_ISDIR(mode):
        return "it is a folder, expected a program"
    if not stat.S_ISREG(mode):
        return "it is not a regular file, expected a program"
    if not mode & 0o111:
        return f"it is not executable: chmod +x {_shown(str(file))}"
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD_BYTES)
    except OSError:
        return None  # what may be executed need not be readable
    if head.startswith(b"#!"):
        return _of_interpreter(head[2:].split(b"\n", 1)[0], folder)
    if head.startswith(b"\x7fELF"):
        return _of_loader(head)
    if not head:
        return "the file is empty"
    if b"\0" not in head:
        return "it is a script without a #! line: begin it with #!/bin/sh, or put sh before its name"
    return None


def _of_interpreter(line: bytes, folder: Path) -> str | None:
    """Return what is wrong with a script's first line, without its ``#!``."""
    words = line.split()
    name = os.fsdecode(words[0]) if words else ""
    if line.endswith(b"\r"):
        name = os.fsdecode(b" ".join(words)) if name.endswith("/env") else name
        return f"its first line names the interpreter {_shown(name)!r} and ends with CR LF, expected LF alone"
    if not name:
        return "its first line names no interpreter"
    interpreter = folder / name
    if not interpreter.is_file():
        return f"its interpreter {_shown(name)!r} does not exist"
    return None if os.access(interpreter, os.X_OK) else f"its interpreter {_shown(name)!r} is not executable"


def loader_of(head: bytes) -> str | None:
    """Return the loader named in the first bytes of a binary; None without one."""
    found = _LOADER.search(head)
    return os.fsdecode(found[0]) if found is not None else None


def _of_loader(head: bytes) -> str | None:
    """Return what is wrong with the loader that a binary names."""
    loader = loader_of(head)
    if loader is None or Path(loader).exists():
        return None
    return f"its loader {loader} does not exist: it was built for another C library or another machine"


def _shown(text: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
