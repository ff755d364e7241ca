"""How often each function is called: told by native/function_calls, loaded before programs that were built for it.

Compilers make each function tell of itself where they are asked to: gcc, gfortran and clang with -pg (mcount), with
-pg -mfentry (__fentry__) or with -finstrument-functions (__cyg_profile_func_enter). Functions that are inlined are
counted in the last case only. Each process writes a file when it ends by itself or is replaced by another program
(exec). Not seen are programs that bring these functions themselves.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.command.files import ELF
from rooftop.command.preload import telling
from rooftop.observe.symbols import said
from rooftop.settings import built

_FOLDER = "ROOFTOP_FUNCTION_CALLS"
_LARGEST = 2**64 - 1
_NUMBER = re.compile(r"\d{1,20}", re.ASCII)
_TELLING = re.compile(r"(.*):\s+U (?:_?mcount|__fentry__|__cyg_profile_func_enter)(?:@.*)?")
# Of perf's names: what functions call, and what the C library's calls in turn.
COUNTING = re.compile(r"_*(mcount|mcount_internal|fentry__|cyg_profile_func_(enter|exit))(@.*)?\Z")
_PATCHED = "__patchable_function_entries"


@dataclass(frozen=True)
class FunctionCalls:
    """What processes told.

    of         calls by file and by an address in the function, as the file's symbols have it
    lost       calls of functions for which the library had no room, or whose library was unloaded
    processes  that called any
    """

    of: Mapping[tuple[str, int], int] = field(default_factory=dict)
    lost: int = 0
    processes: int = 0

    def __add__(self, other: FunctionCalls) -> FunctionCalls:
        places = [*self.of, *(place for place in other.of if place not in self.of)]
        of = {place: self.of.get(place, 0) + other.of.get(place, 0) for place in places}
        return FunctionCalls(of, self.lost + other.lost, self.processes + other.processes)


def library(build_folder: Path) -> Path:
    """Return where the library is built."""
    return built(build_folder, "native/libfunction_calls.so")


def missing(build_folder: Path) -> str | None:
    """Return the reason why calls of functions cannot be counted; None where they can."""
    wanted = library(build_folder)
    return None if wanted.is_file() else f"{wanted} is not built: 'rooftop build', on Linux with glibc"


def variables(library: Path, folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables.

    folder  that of the files; it exists
    """
    return telling(library, _FOLDER, folder, environment)


def parse_telling(text: str) -> list[str]:
    """Parse what nm -A -D --undefined-only prints; return the files whose functions can be counted, each once."""
    return list(dict.fromkeys(match[1] for line in text.splitlines() if (match := _TELLING.fullmatch(line))))


def _programs(files: Iterable[Path]) -> list[str]:
    """Return those of files that are programs or libraries."""
    found = []
    for file in files:
        try:
            with file.open("rb") as opened:
                found += [str(file)] if opened.read(len(ELF)) == ELF else []
        except OSError:  # it may be executed and not read
            continue
    return found


def why_not(files: Iterable[Path]) -> str | None:
    """Return why no function of the files can be counted; None where one can."""
    if shutil.which("nm") is None:
        return "nm is not installed, which tells what a program was built for (Debian: apt install binutils)"
    programs = _programs(files)
    if programs and parse_telling(said(("nm", "-A", "-D", "--undefined-only", *programs))):
        return None
    if programs and _PATCHED in said(("readelf", "-SW", *programs)):
        return "it was built with -fpatchable-function-entry, whose entries call nothing of their own: use -pg"
    return "the program was not built for it: compile with -pg"


def _numbers(words: Sequence[str], count: int, line: str) -> list[int]:
    """Return words as so many numbers. Raises ValueError naming the line."""
    found = [int(word) if _NUMBER.fullmatch(word) else -1 for word in words]
    if len(found) != count or any(not 0 <= number <= _LARGEST for number in found):
        raise ValueError(f"the line of functions {line!r}: expected {count} numbers from 0 to {_LARGEST}")
    return found


def read_process(text: str) -> FunctionCalls:
    """Read what one process wrote. Raises ValueError telling what is wrong with it."""
    files: list[str] = []
    of: dict[tuple[str, int], int] = {}
    lost = 0
    *lines, last = text.split("\n")
    if last or not lines or lines.pop() != "end":
        raise ValueError("the text of functions has no end: it was cut short")
    for line in lines:
        kind, _, rest = line.partition(" ")
        number, blank, path = rest.partition(" ")
        if kind == "object" and blank and number == str(len(files)):
            files.append(path)
        elif kind == "function":
            file, offset, calls = _numbers(rest.split(" "), 3, line)
            if file >= len(files) or (files[file], offset) in of:
                raise ValueError(f"the line of functions {line!r}: expected an object named before, and a new address")
            of[files[file], offset] = calls
        elif kind == "lost" and not lost:
            (lost,) = _numbers(rest.split(" "), 1, line)
        else:
            raise ValueError(f"the line of functions {line!r}: expected 'object', 'function', 'lost' or 'end'")
    return FunctionCalls(of, lost, 1 if of or lost else 0)


def read_calls(folder: Path) -> FunctionCalls:
    """Read what all processes wrote, added up.

    Raises ValueError where no process called anything, and for a file that is wrong. One that is empty belongs to a
    process that was killed as it ended.
    """
    found = FunctionCalls()
    for file in sorted(folder.glob("*.txt")):
        try:
            if text := file.read_text(encoding="utf-8", errors="replace"):
                found += read_process(text)
        except ValueError as reason:
            raise ValueError(f"{file.name}: {reason}") from None
    if not found.processes:
        raise ValueError(
            "no process told its calls: the program is static or setuid, a signal ended it, or it brings a profiler of "
            "its own"
        )
    return found
