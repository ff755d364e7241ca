"""How a program ended, and the last words on its standard error, on one line."""

from __future__ import annotations

import signal
from typing import IO

from rooftop.launchers import launchers
from rooftop.text.visible import visible

KEPT_BYTES = 16 << 10  # of a stream's end: so much holds what ranks said and all that a launcher remarks on it

_MOST = 300


def last_words(said: bytes) -> str:
    """Return the last 300 characters, each line once, where it was last said; nothing said: an empty text.

    Ranks repeat each other. A launcher's own remarks, which follow what ranks of a failing program say, count only
    where nothing else was said.
    """
    text = said.decode("utf-8", "replace")
    of_ranks = text
    for launcher in launchers():
        of_ranks = launcher.remark.sub("", of_ranks) if launcher.remark is not None else of_ranks
    for told in (of_ranks, text):
        backwards = dict.fromkeys(" ".join(line.split()) for line in reversed(told.splitlines()))
        if words := " ".join(line for line in reversed(backwards) if line):
            return visible(words)[-_MOST:]
    return ""


def said_last(stream: IO[bytes]) -> str:
    """Return the last words in a file, or of one that is still written to."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - KEPT_BYTES))
    return last_words(stream.read())


def it_said(words: str) -> str:
    """Return words as the end of a sentence that tells how a program ended."""
    return f"; it said: {words}" if words else ""


_SHELLS = 128  # and the signal that ended its command is a shell's exit code


def _of_shell(code: int) -> str:
    """Return which signal a shell says by its exit code; nothing where it says none."""
    try:
        return f", which a shell gives for signal {code - _SHELLS} ({signal.Signals(code - _SHELLS).name})"
    except ValueError:
        return ""


def ending(code: int | None) -> str:
    """Return how a process ended from its exit code, or minus the signal that ended it; None: it has not."""
    if code is None:
        return "is still running"
    if code >= 0:
        return f"exited with code {code}" + _of_shell(code)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "?"
    hint = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
    return f"was killed by signal {-code} ({name}{hint})"
