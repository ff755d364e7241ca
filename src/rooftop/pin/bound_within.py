"""Find bindings within a command: in its words, in the text of a shell, or in a script. Nothing is run.

They override any binding set outside. Options: taskset(1), numactl(8), hwloc-bind(1).
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash")
_BEFORE = re.compile(r"(?:.*/)?(?:env|nice|nohup|time|exec|command|setsid|stdbuf|then|do|else|if|while|until|!|\{)")
_SET_OR_OPTION = re.compile(r"[A-Za-z_]\w*=.*|-.*|\d+", re.DOTALL)
_TO_CPUS = re.compile(r"-[CN].*|--(?:physcpubind|cpunodebind|cpubind)(?:=.*)?")
_OF_MEMORY = ("-i", "--interleave", "-m", "--membind", "-p", "--preferred", "-w", "--weighted-interleave")
_SHELL_COMMAND = re.compile(r"-\w*c")
_SCRIPT = re.compile(rb"#!.*?(?:/|\s)(?:%s)\b" % "|".join(_SHELLS).encode())
_TEXT_BYTES = 1 << 20  # longer scripts are not read
_DEEPEST = 4  # levels of scripts that start scripts


def bound_within(words: Sequence[str], depth: int = 0) -> str | None:
    """Return the name of the program that binds within a command; None if none is found."""
    start = 0
    while start < len(words) and (_BEFORE.fullmatch(words[start]) or _SET_OR_OPTION.fullmatch(words[start])):
        start += 1
    words = words[start:]
    if not words or depth > _DEEPEST:
        return None
    name = Path(words[0]).name
    if name in ("taskset", "hwloc-bind"):
        return name
    if name == "numactl":
        return name if _to_cpus(words[1:]) else None
    text = _shell_text(name, words)
    return next(filter(None, (bound_within(one, depth + 1) for one in _commands(text))), None) if text else None


def _to_cpus(words: Sequence[str]) -> bool:
    """Return whether numactl's options (followed by the program) bind to CPUs, not only to memory."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        if _TO_CPUS.fullmatch(words[place]):
            return True
        place += 2 if words[place] in _OF_MEMORY else 1
    return False


def _shell_text(name: str, words: Sequence[str]) -> str | None:
    """Return the text that a shell runs, given with -c or as a script; None if no shell runs."""
    if name not in _SHELLS:
        return _read(shutil.which(words[0]), script=True)
    for place, word in enumerate(words[1:], 1):
        if _SHELL_COMMAND.fullmatch(word):
            return words[place + 1] if place + 1 < len(words) else None
        if not word.startswith("-"):
            return _read(word)
    return None


def _read(name: str | None, *, script: bool = False) -> str | None:
    """Return a file's text. With `script`, only if its first line names a shell. None if it cannot be read."""
    try:
        if name is None or not (file := Path(name)).is_file() or file.stat().st_size > _TEXT_BYTES:
            return None
        content = file.read_bytes()
    except OSError:
        return None
    return content.decode("utf-8", "replace") if not script or _SCRIPT.match(content) else None


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each simple command in a shell's text; lines that cannot be parsed are skipped."""
    for line in text.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        command: list[str] = []
        try:
            for token in lexer:
                if set(token) <= set("();&|"):
                    yield command
                    command = []
                else:
                    command.append(token)
        except ValueError:
            continue
        yield command
