"""Variables of MPI libraries that may cure: which messages are sent at once, how a collective works, and yielding."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.diagnose.facts import MpiCall, RankFacts
from rooftop.launchers import launcher_of
from rooftop.launchers.mpi_settings import MPI_SETTINGS, MpiSettings

EAGER_BYTES = 65536
_LONG_BYTES = 32768  # of a rank's part of one collective


def _settings(word: str) -> list[MpiSettings]:
    """Return the settings of the MPI libraries whose programs the first word of a command may start."""
    launcher = launcher_of(word)
    libraries = launcher.mpi if launcher is not None else ()
    return [MPI_SETTINGS[library] for library in libraries if library in MPI_SETTINGS]


def yield_variables(word: str) -> dict[str, str]:
    """Return the variables by which waiting ranks give up their core. A script may start programs of any library."""
    known = _settings(word) if launcher_of(word) is not None else MPI_SETTINGS.values()
    return {name: value for one in known for name, value in one.yields.items()}


def eager_variables(word: str) -> dict[str, str]:
    """Return the variables by which messages up to EAGER_BYTES are sent at once; none where no launcher is known."""
    return dict.fromkeys((name for one in _settings(word) for name in one.eager), str(EAGER_BYTES))


def dearest_collective(ranks: Sequence[RankFacts]) -> tuple[str, MpiCall] | None:
    """Return the collective with algorithms to choose from that most time goes to, with its calls by all ranks."""
    found: dict[str, MpiCall] = {}
    for name in dict.fromkeys(name for one in MPI_SETTINGS.values() for name in one.algorithms):
        calls = [rank.by_name[name] for rank in ranks if name in rank.by_name]
        if calls:
            found[name] = MpiCall(
                calls=sum(one.calls for one in calls),
                inside_s=sum(one.inside_s for one in calls),
                sent_bytes=sum(one.sent_bytes for one in calls),
            )
    return max(found.items(), key=lambda one: one[1].inside_s, default=None)


def algorithm_variables(word: str, ranks: Sequence[RankFacts]) -> dict[str, str]:
    """Return the variables that choose another algorithm for the dearest collective; none where there is no choice."""
    dearest = dearest_collective(ranks)
    if dearest is None:
        return {}
    name, call = dearest
    long = call.sent_bytes > _LONG_BYTES * call.calls
    found: dict[str, str] = {}
    for one in _settings(word):
        if name in one.algorithms:
            variable = one.algorithm.format(lower=name.lower(), upper=name.upper())
            found |= {**one.chooses, variable: one.algorithms[name][long]}
    return found
