"""Stacks of calls: those that perf samples, merged by thread and by what was called from where.

A stack is folded, as flame graphs take it: the program's name, then its functions from the outermost to the innermost.
Source: B. Gregg, The Flame Graph, CACM 59(6), 2016, and stackcollapse-perf.pl for the names of frames.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

KERNEL = "_[k]"  # behind the name of a function of the kernel
FIELDS = "comm,pid,tid,time,ip,sym,dso"  # of perf script
_LONGEST = 120  # letters of a name; the names of templates have thousands
_SAMPLE = re.compile(r"^\s*(.*?)\s+(\d{1,10})/(\d{1,10})\s+(\d{1,12}\.\d{1,9}):\s*$")
_FRAME = re.compile(r"^\s+([0-9a-f]{1,16}) (.+?) \(([/\[].*)\)\s*$")
_OF_THE_KERNEL = 1 << 63  # its addresses begin here, on x86-64 and AArch64

Stack = tuple[str, ...]


class Place(NamedTuple):
    """The innermost function of a stack outside the kernel, and the file that it is in."""

    function: str
    file: str


@dataclass
class ThreadSamples:
    """The samples of one thread: the seconds of its first and last one, and where they are outside the kernel."""

    process: int
    thread: int
    name: str
    first_s: float
    last_s: float
    places: Counter[Place] = field(default_factory=Counter)


@dataclass
class Samples:
    """What perf script prints of a recording. `stacks`: from the outermost function to the innermost."""

    threads: dict[tuple[int, int], ThreadSamples] = field(default_factory=dict)
    stacks: Counter[Stack] = field(default_factory=Counter)


def frame_name(name: str) -> str:
    """Return the name of a function as a frame, in which a semicolon would end it."""
    text = " ".join(name.replace(";", ":").split())
    return sys.intern(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


class _Frame(NamedTuple):
    """A line of a stack."""

    name: str
    file: str
    kernel: bool
    named: bool


@lru_cache(maxsize=1 << 16)  # the same few lines come again and again
def _frame(line: str) -> _Frame | None:
    """Read a line of a stack; None if it is none."""
    if (found := _FRAME.match(line)) is None:
        return None
    address, function, path = found.groups()
    file = path if path.startswith("[") else PurePosixPath(path).name
    kernel, named = int(address, 16) >= _OF_THE_KERNEL, function != "[unknown]"
    name = frame_name(function if named else f"[{file.strip('[]')}]")
    return _Frame(f"{name}{KERNEL}" if kernel else name, file, kernel, named)


@dataclass
class _Open:
    """A sample while its frames are read, from the innermost on."""

    of: ThreadSamples
    names: list[str] = field(default_factory=list)
    place: Place | None = None

    def add(self, line: str) -> None:
        """Add a frame; callers without names in one library are one."""
        if (frame := _frame(line)) is None:
            return
        if not frame.kernel and self.place is None:
            self.place = Place(frame.name, frame.file)
        if frame.named or len(self.names) < 2 or self.names[-1] != frame.name:
            self.names.append(frame.name)

    def close(self, found: Samples) -> None:
        while self.names and self.names[-1].removesuffix(KERNEL) == "[unknown]":
            self.names.pop()  # what was read beyond the end of the stack
        self.of.places[self.place or Place("", "")] += 1
        found.stacks[(frame_name(self.of.name), *reversed(self.names))] += 1


def parse_script(lines: Iterable[str]) -> Samples:
    """Parse what perf script prints with FIELDS. Other lines are left out."""
    found = Samples()
    now: _Open | None = None
    for line in lines:
        if (head := None if line.startswith("\t") else _SAMPLE.match(line)) is None:
            if now is not None:
                now.add(line)
            continue
        if now is not None:
            now.close(found)
        comm, process, thread, at = head.groups()
        key, at_s = (int(process), int(thread)), float(at)
        of = found.threads.setdefault(key, ThreadSamples(*key, comm, at_s, at_s))
        of.name, of.last_s = comm, max(of.last_s, at_s)  # a process becomes another program soon after the fork
        now = _Open(of)
    if now is not None:
        now.close(found)
    return found


def parse_folded(text: str) -> Counter[Stack]:
    """Parse folded stacks, one a line with its samples behind it. Other lines are left out."""
    found: Counter[Stack] = Counter()
    for line in text.splitlines():
        stack, _, samples = line.rpartition(" ")
        if stack and samples.isascii() and samples.isdecimal() and len(samples) < 12:
            found[tuple(frame_name(name) for name in stack.split(";"))] += int(samples)
    return found
