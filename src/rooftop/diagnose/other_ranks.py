"""Suggest another number of ranks. It is not tried unasked: a program's work may depend on the number of its ranks."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rooftop.diagnose.facts import Facts
from rooftop.launchers import launcher_of
from rooftop.pin.launched import Unclear, taken_apart


def with_ranks(words: Sequence[str], ranks: int) -> tuple[str, ...] | None:
    """Return a launcher's command line with another number of ranks; None where it has none, or cannot be parsed."""
    launcher = launcher_of(words[0])
    if launcher is None:
        return None
    try:
        launched = taken_apart(words, launcher)
    except Unclear:
        return None
    if launched.ranks in (None, ranks):
        return None
    return (launched.head, "-n", str(ranks), *launched.kept, *launched.program)


def suggestion(words: Sequence[str], facts: Facts) -> str | None:
    """Return the option that tries fewer ranks where there are more than cores; None where that cannot be said."""
    if facts.ranks <= facts.cpus:
        return None
    fewer = with_ranks(words, facts.cpus)
    return f"--try-command {shlex.quote(shlex.join(fewer))}" if fewer is not None else None
