"""What a program does on each rank: pieces of work and exchanges, counted for any number of ranks.

A program is one module of ``programs/``, and its name is the file's::

    PARAMETERS = {"n": 1024}

    def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
        return [Phase("sweep", work=Work(flops=..., bytes=...), exchange=Halo(...), times=...)]

It counts; it knows no platform.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, cast

from rooftop.errors import Misuse
from rooftop.simulate import programs
from rooftop.text.nearest import nearest

Collective = Literal["alltoall", "bcast", "allreduce"]


@dataclass(frozen=True)
class Schedule:
    """How the threads of a rank share out a loop of equal pieces.

    pieces   of the rank that has most: rows of a static schedule, chunks of a dynamic one
    dynamic  a thread that is free takes the next piece; otherwise all have equal parts of whole pieces
    fetch_s  that it takes to get a piece; threads get theirs one after the other
    """

    pieces: float
    dynamic: bool = False
    fetch_s: float = 0.0


@dataclass(frozen=True)
class Work:
    """Work of one rank, once.

    flops, bytes  of the rank that has most; bytes are those to and from memory
    mean          of all ranks, as a part of that: 1 where all have the same
    kind          of a platform's rates, such as "fft"
    slowdown      how many times longer it takes than the platform's figures say, such as for a contended lock
    schedule      of the rank's threads; None: they share it evenly, whatever each of them has
    """

    flops: float = 0.0
    bytes: float = 0.0
    mean: float = 1.0
    kind: str = ""
    slowdown: float = 1.0
    schedule: Schedule | None = None


@dataclass(frozen=True)
class Call:
    """A collective: `bytes` is the block for each rank of an all-to-all, else the array."""

    collective: Collective
    bytes: float
    calls: int = 1


@dataclass(frozen=True)
class Halo:
    """Messages to neighbours that are so many ranks away, on either side; all are under way at once."""

    sides: tuple[tuple[int, float], ...]  # distance, bytes; two neighbours at a distance are two sides


Exchange = Call | Halo


@dataclass(frozen=True)
class Phase:
    """Work, then exchanges; or exchanges during the work, as far as the platform lets them proceed.

    times    how often all of it is done
    overlap  exchanges are begun before the work and awaited after it
    master   with overlap and a dynamic schedule: the first thread awaits them and then joins the others
    """

    name: str
    work: Work
    exchanges: tuple[Exchange, ...] = ()
    times: float = 1.0
    overlap: bool = False
    master: bool = False


@dataclass(frozen=True)
class Program:
    """A program by its name.

    title       in a line
    parameters  with their usual values
    phases      of so many ranks and threads; raises Misuse where it cannot have these
    """

    name: str
    title: str
    parameters: Mapping[str, float]
    phases: Callable[[int, int, Mapping[str, float]], list[Phase]]

    def given(self, said: Mapping[str, float]) -> dict[str, float]:
        """Return all parameters, those that were said in place of the usual ones. Raises Misuse."""
        for name, value in said.items():
            if name not in self.parameters:
                raise Misuse(f"{self.name} has no parameter {name!r}; {nearest(name, self.parameters)}")
            usual = self.parameters[name]
            if isinstance(usual, int) and value != int(value):
                raise Misuse(f"{name} is {value:g}, expected a whole number")
            if not (0 <= value <= 1e9) or (usual >= 1 and value < 1):
                raise Misuse(f"{name} is {value:g}, expected {'1' if usual >= 1 else '0'} to 1e9")
        return dict(self.parameters) | {name: type(self.parameters[name])(value) for name, value in said.items()}


def program_names() -> list[str]:
    """Return the names of all programs, without importing them."""
    return sorted(one.name for one in iter_modules(programs.__path__))


def program_named(name: str) -> Program:
    """Return a program. Raises Misuse where there is none of that name."""
    names = program_names()
    if name not in names:
        raise Misuse(f"there is no model of {name!r}; {nearest(name, names)}")
    module = import_module(f"{programs.__name__}.{name}")
    title = (sys.modules[module.__name__].__doc__ or "").strip().splitlines()[0].rstrip(".")
    parameters = cast(Mapping[str, float], module.PARAMETERS)
    return Program(name, title, parameters, module.phases)
