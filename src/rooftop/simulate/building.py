"""Building a user's sources before they are recorded, with the compilers of the MPI whose calls are recorded.

Nothing special is compiled or linked: the library that records is loaded before the program.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from rooftop.command.check import Check, failure
from rooftop.command.line import filled, from_text
from rooftop.command.not_started import not_started
from rooftop.command.process import Limits, run
from rooftop.errors import Misuse
from rooftop.launchers import launcher_of
from rooftop.simulate.record import library

_LIMITS = Limits(timeout_s=3600.0)
_COMPILERS = {"cc": "mpicc", "cxx": "mpicxx", "fc": "mpifort"}


def compilers(words: Sequence[str]) -> dict[str, str]:
    """Return the compilers of the MPI of a command, by the names that stand for them in a build."""
    launcher = launcher_of(words[0]) if words else None
    loaded = library(launcher) if launcher is not None else None
    mpi = f".{loaded.stem.rpartition('_')[2]}" if loaded is not None else ""
    return {name: full if shutil.which(full := f"{plain}{mpi}") else plain for name, plain in _COMPILERS.items()}


def build(text: str, words: Sequence[str]) -> None:
    """Run the command that builds the program of the command `words`, here. Raises Misuse."""
    command = from_text(filled(text, compilers(words)))
    try:
        ended = run(command.words, _LIMITS)
    except OSError as error:
        raise Misuse(f"--build: {not_started(command.words, error, None)}") from error
    if why := failure(ended, Check(), _LIMITS):
        raise Misuse(f"--build: {command.text!r} {why}")
