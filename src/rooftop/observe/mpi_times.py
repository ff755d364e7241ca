"""What ranks spend inside MPI, told by a library that is loaded before the program: see native/mpi_times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from rooftop.command.preload import preloaded
from rooftop.launchers import named

_TIMES = "ROOFTOP_MPI_TIMES"
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class RankTimes:
    """One rank's nanoseconds between MPI_Init and MPI_Finalize, those of them inside MPI, and its calls of MPI.

    What is inside is told of the thread that initialised MPI, and the calls are those of all threads.
    """

    whole_ns: int
    inside_ns: int
    calls: int


@dataclass(frozen=True)
class CallFigures:
    """The calls of one name: how many, the nanoseconds inside, and the bytes that they gave to MPI to be sent."""

    calls: int
    inside_ns: int
    sent_bytes: int


@dataclass(frozen=True)
class Traffic:
    """What one rank sent to another from point to point."""

    messages: int
    sent_bytes: int


@dataclass
class RankCalls:
    """One rank's calls of MPI.

    by_name  of the thread that initialised MPI, by the name in C
    threads  how many other threads called MPI
    others   the calls of those together, by name
    to       by the receiver's rank in MPI_COMM_WORLD; what was sent to a rank outside it is not told
    """

    times: RankTimes
    by_name: dict[str, CallFigures] = field(default_factory=dict)
    threads: int = 0
    others: dict[str, CallFigures] = field(default_factory=dict)
    to: dict[int, Traffic] = field(default_factory=dict)


def library(build_folder: Path, launcher: str) -> Path:
    """Return the library for the MPI of a launcher's programs: the first that is built, or the likeliest of all."""
    libraries = [build_folder / "native" / f"libmpi_times_{mpi}.so" for mpi in named(launcher).mpi]
    return next((one for one in libraries if one.is_file()), libraries[0])


def missing(build_folder: Path, launcher: str) -> str | None:
    """Return the reason why MPI calls cannot be timed; None where they can."""
    wanted = library(build_folder, launcher)
    if wanted.is_file():
        return None
    return f"{wanted} is not built: install lib{named(launcher).mpi[0]}-dev, then 'rooftop build'"


def variables(library: Path, times: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables."""
    return {**preloaded([library], environment), _TIMES: str(times)}


def read_times(text: str, ranks: int | None = None) -> list[RankTimes]:
    """Read the times out of what the library wrote; see read_calls.

    Raises ValueError too where the times say nothing: the thread that initialised MPI made no call on any rank.
    """
    found = read_calls(text, ranks)
    if len(found) > 1 and all(one.times.calls == sum(call.calls for call in one.others.values()) for one in found):
        raise ValueError(
            "only threads other than the one that initialised MPI called it: a rank's time in MPI is not known"
        )
    return [one.times for one in found]


def read_calls(text: str, ranks: int | None = None) -> list[RankCalls]:
    """Read what the library wrote. `ranks`: how many there must be. Raises ValueError telling what is wrong with it."""
    found: list[RankCalls] = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in _MORE:
            if not found:
                raise ValueError(f"{line!r} comes before the times of any rank")
            _add_line(found[-1], len(found) - 1, line)
        else:
            found.append(RankCalls(_times_of(line, len(found))))
    if ranks is not None and len(found) != ranks:
        raise ValueError(f"{len(found)} rank{'' if len(found) == 1 else 's'} gave times, expected {ranks}")
    if len(found) > 1 and not any(one.times.calls for one in found):
        raise ValueError("no MPI call was seen: those of a program that is linked statically cannot be timed")
    for rank, one in enumerate(found):
        if any(peer >= len(found) for peer in one.to):
            raise ValueError(f"rank {rank} sent to rank {max(one.to)}, and there are {len(found)}")
    return found


# What may follow a rank's times, as native/mpi_times/tally.c describes it.
_MORE = {
    "call": "call RANK NAME CALLS NS BYTES",
    "threads": "threads RANK THREADS",
    "others": "others RANK NAME CALLS NS BYTES",
    "to": "to RANK PEER MESSAGES BYTES",
}
_DIGITS = 19  # of the largest number that the library can write


def _numbers(words: list[str]) -> list[int] | None:
    """Return the words as numbers, None if one is none."""
    good = all(word.isascii() and word.isdecimal() and len(word) <= _DIGITS for word in words)
    return [int(word) for word in words] if good else None


def _times_of(line: str, rank: int) -> RankTimes:
    """Read the first line of a rank."""
    figures = _numbers(line.split())
    if figures is None or len(figures) != 4 or figures[0] != rank or figures[2] > figures[1]:
        expected = f"expected '{rank} TOTAL IN_MPI CALLS', with IN_MPI at most TOTAL"
        raise ValueError(f"the times of rank {rank} are {line!r}, {expected}")
    return RankTimes(*figures[1:])


def _add_line(one: RankCalls, rank: int, line: str) -> None:
    """Add a further line of a rank to what is known of it."""
    kind, *words = line.split()
    named = kind in ("call", "others")
    name = words.pop(1) if named and len(words) > 1 else ""
    figures = _numbers(words)
    if figures is None or len(figures) != len(_MORE[kind].split()) - (2 if named else 1) or figures[0] != rank:
        raise ValueError(f"{line!r} follows the times of rank {rank}, expected {_MORE[kind]!r}")
    if kind == "threads":
        one.threads = figures[1]
    elif kind == "to":
        _put(one.to, figures[1], Traffic(*figures[2:]), line)
    else:
        _put(one.by_name if kind == "call" else one.others, name, CallFigures(*figures[1:]), line)


def _put(table: dict[_Key, _Value], key: _Key, value: _Value, line: str) -> None:
    """Add what a line tells, which no line before may have told."""
    if key in table:
        raise ValueError(f"{line!r} repeats an earlier line")
    table[key] = value
