"""The parallel regions of OpenMP programs: told by native/openmp_regions, loaded before them.

Each process writes a file when it ends by itself or is replaced by another program (exec). Seen are programs whose
calls reach libgomp by the dynamic linker, as gcc compiles them, and those whose OpenMP library has the interface for
tools (OMPT), as LLVM's does. Not seen are libgomp linked statically, OMP_TOOL=disabled, and GPUs.

A thread that waits at a barrier carries out tasks meanwhile: of regions with tasks, waits and imbalance say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from rooftop.command.preload import telling
from rooftop.settings import built

_FOLDER = "ROOFTOP_OPENMP_REGIONS"
_LARGEST = 2**64 - 1

STATIC, DYNAMIC, GUIDED, RUNTIME, LOOP, SECTIONS, SINGLE, TASKS = (
    "static",
    "dynamic",
    "guided",
    "runtime",
    "loop",
    "sections",
    "single",
    "tasks",
)
# By their bits, as native/openmp_regions/regions.h has them. loop: of a schedule that the library does not tell.
USES = (STATIC, DYNAMIC, GUIDED, RUNTIME, LOOP, SECTIONS, SINGLE, TASKS)


@dataclass(frozen=True, order=True)
class Site:
    """Where a region is: its body (gcc) or its call, as the symbols of the file have it."""

    file: str
    offset: int


@dataclass(frozen=True)
class Figures:
    """What was seen of the regions at one site.

    calls         regions
    outer_calls   those of several threads that are in no other region
    most_threads  of a region
    threads       of all regions together
    uses          bits, see USES; gcc's static loops are not seen
    chunk         of the last loop whose chunk is known; 0: none
    barriers      arrivals of threads at barriers within regions
    locks         of threads at critical sections, ordered ones and locks
    wall_ns       of the thread that met the region, from its begin to its end
    outer_wall_ns the same of those that outer_calls counts
    most_ns       in the body, by the thread that was longest in it; summed over regions
    mean_ns       in the body, on average over its threads; summed over regions
    barrier_ns    at barriers within regions, of all threads together
    lock_ns       for locks, of all threads together
    """

    calls: int = 0
    outer_calls: int = 0
    most_threads: int = 0
    threads: int = 0
    uses: int = 0
    chunk: int = 0
    barriers: int = 0
    locks: int = 0
    wall_ns: int = 0
    outer_wall_ns: int = 0
    most_ns: int = 0
    mean_ns: int = 0
    barrier_ns: int = 0
    lock_ns: int = 0

    def __add__(self, other: Figures) -> Figures:
        sums = {name: getattr(self, name) + getattr(other, name) for name in _NAMES}
        sums["most_threads"] = max(self.most_threads, other.most_threads)
        sums["uses"] = self.uses | other.uses
        sums["chunk"] = other.chunk or self.chunk
        return Figures(**sums)

    def has(self, use: str) -> bool:
        """Return whether a region was seen to use something."""
        return bool(self.uses >> USES.index(use) & 1)


_NAMES = tuple(field.name for field in fields(Figures))


@dataclass(frozen=True)
class Regions:
    """What processes told.

    of        figures by site
    lost      regions of sites for which the library had no room
    began_ns  the begin of the first region that outer_calls counts, by a clock that all processes share
    ended_ns  the end of the last one; both are 0 where there was none
    """

    of: Mapping[Site, Figures]
    lost: int = 0
    began_ns: int = 0
    ended_ns: int = 0

    def __add__(self, other: Regions) -> Regions:
        nothing = Figures()
        sites = [*self.of, *(site for site in other.of if site not in self.of)]
        of = {site: self.of.get(site, nothing) + other.of.get(site, nothing) for site in sites}
        began_ns = min((one.began_ns for one in (self, other) if one.ended_ns), default=0)
        return Regions(of, self.lost + other.lost, began_ns, max(self.ended_ns, other.ended_ns))


def library(build_folder: Path) -> Path:
    """Return where the library is built."""
    return built(build_folder, "native/libopenmp_regions.so")


def missing(build_folder: Path) -> str | None:
    """Return the reason why regions cannot be seen; None where they can."""
    wanted = library(build_folder)
    return None if wanted.is_file() else f"{wanted} is not built: 'rooftop build', on Linux with glibc"


def variables(library: Path, folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables.

    folder  that of the files; it exists
    """
    return telling(library, _FOLDER, folder, environment)


def _numbers(words: Iterable[str], line: str) -> list[int]:
    """Return words as numbers. Raises ValueError naming the line."""
    found = [int(word) if word.isascii() and word.isdecimal() and len(word) <= 20 else -1 for word in words]
    if any(not 0 <= number <= _LARGEST for number in found):
        raise ValueError(f"the line of regions {line!r}: expected numbers from 0 to {_LARGEST}")
    return found


def read_process(text: str) -> Regions:
    """Read what one process wrote. Raises ValueError telling what is wrong with it."""
    files: list[str] = []
    of: dict[Site, Figures] = {}
    lost, times = 0, [0, 0]
    ended = False
    for line in text.split("\n")[:-1]:
        kind, _, rest = line.partition(" ")
        words = rest.split(" ")
        if ended:
            raise ValueError(f"the line of regions {line!r} follows the end")
        if kind == "object" and len(words) > 1 and words[0] == str(len(files)):
            files.append(rest.partition(" ")[2])
        elif kind == "region" and len(words) == 2 + len(_NAMES):
            file, offset, *figures = _numbers(words, line)
            if file >= len(files) or (site := Site(files[file], offset)) in of:
                raise ValueError(f"the line of regions {line!r}: expected an object named before, and a new site")
            of[site] = Figures(*figures)
        elif kind == "lost" and len(words) == 1 and not lost:
            (lost,) = _numbers(words, line)
        elif kind == "end" and len(words) == 2:
            times, ended = _numbers(words, line), True
            if times[0] > times[1]:
                raise ValueError(f"the line of regions {line!r}: expected a begin before the end")
        else:
            raise ValueError(f"the line of regions {line!r}: expected 'object', 'region', 'lost' or 'end'")
    if not ended or not text.endswith("\n"):
        raise ValueError("the text of regions has no end: it was cut short")
    return Regions(of, lost, *times)


def read_regions(folder: Path) -> list[Regions]:
    """Read what all processes wrote: one for each that met a region.

    Raises ValueError where no process wrote anything, and for a file that is wrong. One that is empty belongs to a
    process that was killed as it ended.
    """
    found: list[Regions] = []
    texts = {file.name: file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.glob("*.txt"))}
    if not any(texts.values()):
        raise ValueError("no process recorded regions: the program is static or setuid, or a signal ended it")
    for name, text in texts.items():
        try:
            found += [read_process(text)] if text else []
        except ValueError as reason:
            raise ValueError(f"{name}: {reason}") from None
    return [one for one in found if one.of or one.lost]


def total(processes: Iterable[Regions]) -> Regions:
    """Return the sum over processes."""
    return sum(processes, Regions({}))
