"""A launcher started a program built with another MPI library: every process is rank 0 of 1."""

from collections.abc import Iterator

from rooftop.command.doubts import Samples
from rooftop.command.mpi_library import of_another_library
from rooftop.documents import Doubt
from rooftop.text.plural import some

ORDER = 1


def find(samples: Samples) -> Iterator[Doubt]:
    told = [reason for words in samples.commands.values() if (reason := of_another_library(words)) is not None]
    if told:
        yield other_library(some(list(dict.fromkeys(told)), "; "))


def other_library(evidence: str) -> Doubt:
    """Return the doubt about a program started by the launcher of another MPI library."""
    return Doubt(
        doubt="The launcher belongs to another MPI library than the program: each process may be rank 0 of 1",
        evidence=evidence,
        remedy="Start it with the launcher of its own library; --launcher names it where Rooftop starts the program",
    )
