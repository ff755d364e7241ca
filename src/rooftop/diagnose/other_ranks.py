"""Suggest another number of ranks. It is not tried unasked: a program's work may depend on the number of its ranks."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rooftop.diagnose.facts import Facts
from rooftop.diagnose.messages import MESSAGES
from rooftop.diagnose.suspicion import CROWDED
from rooftop.launchers import launcher_of
from rooftop.pin.launched import Unclear, taken_apart

_MOST_TIME = 0.5  # of a rank's time, inside MPI: more, and two ranks work less than one could alone


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


def suggestion(words: Sequence[str], facts: Facts, finding: str) -> str | None:
    """Return the option that tries another number of ranks where a finding asks for it; None where none does.

    As many as there are cores where there are more; half of them, at most one for each core, where all wait for
    messages most of the time. An imbalance asks for another division of the work, which no number is known to give.
    """
    told = facts.mpi or []
    if finding == CROWDED and facts.ranks > facts.cpus:
        ranks = facts.cpus
    elif finding in MESSAGES and len(told) > 1 and all(one.inside_s > _MOST_TIME * one.seconds for one in told):
        ranks = min(len(told) // 2, facts.cpus)
    else:
        return None
    fewer = with_ranks(words, ranks)
    return f"--try-command {shlex.quote(shlex.join(fewer))}" if fewer is not None else None
