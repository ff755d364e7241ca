"""What ranks spend inside MPI, told by a library that is loaded before the program: see native/mpi_times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rooftop.command.preload import preloaded
from rooftop.launchers import named

_TIMES = "ROOFTOP_MPI_TIMES"


@dataclass(frozen=True)
class RankTimes:
    """One rank's nanoseconds between MPI_Init and MPI_Finalize, those of them inside MPI, and its calls of MPI."""

    whole_ns: int
    inside_ns: int
    calls: int


def library(build_folder: Path, launcher: str) -> Path:
    """Return the library for the MPI of a launcher's programs: the first that is built, or the likeliest of all."""
    libraries = [build_folder / "native" / f"libmpi_times_{mpi}.so" for mpi in named(launcher).mpi]
    return next((one for one in libraries if one.is_file()), libraries[0])


def missing(build_folder: Path, launcher: str) -> str | None:
    """Return the reason why MPI calls cannot be timed; None where they can."""
    wanted = library(build_folder, launcher)
    if wanted.is_file():
        return None
    return f"{wanted} is not built: install lib{named(launcher).mpi[0]}-dev, then 'make build'"


def variables(library: Path, times: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables."""
    return {**preloaded([library], environment), _TIMES: str(times)}


def read_times(text: str, ranks: int | None = None) -> list[RankTimes]:
    """Read what the library wrote. `ranks`: how many there must be. Raises ValueError telling what is wrong with it."""
    found: list[RankTimes] = []
    for line in text.splitlines():
        rank, *figures = (int(word) for word in line.split())
        if rank != len(found) or len(figures) != 3 or not 0 <= figures[1] <= figures[0]:
            expected = f"expected '{len(found)} TOTAL IN_MPI CALLS', with IN_MPI at most TOTAL"
            raise ValueError(f"the times of rank {len(found)} are {line!r}, {expected}")
        found.append(RankTimes(*figures))
    if ranks is not None and len(found) != ranks:
        raise ValueError(f"{len(found)} rank{'' if len(found) == 1 else 's'} gave times, expected {ranks}")
    if len(found) > 1 and not any(one.calls for one in found):
        raise ValueError("no MPI call was seen: calls through Fortran's mpi_f08 and static libraries cannot be timed")
    return found
