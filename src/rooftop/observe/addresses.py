"""Resolve addresses in programs and libraries to functions and source lines, by addr2line."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

_WAIT_S = 30.0
# What compilers append to the name of a function for the body of a region in it: gcc, and its demangler; clang.
_BODY = re.compile(r"(?: \[clone \._omp_fn\.|\._omp_fn\.|\.?\.omp_outlined|\.omp_outlined)(\d*).*\Z", re.ASCII)


@dataclass(frozen=True)
class Place:
    """A place in a program. Empty or 0: not known, as without symbols or without -g.

    body  which of the function's bodies of regions it is, in the order of the source: gcc numbers them
    """

    function: str = ""
    source: str = ""
    line: int = 0
    body: int = 0

    def __str__(self) -> str:
        at = f"{PurePath(self.source).name}:{self.line}" if self.line else ""
        return f"{self.function} ({at})" if self.function and at else self.function or at


def _body_number(function: str) -> int:
    match = _BODY.search(function)
    return int(match[1]) if match is not None and 0 < len(match[1]) < 10 else 0


def parse_places(text: str) -> list[Place]:
    """Parse what addr2line -f prints: a line with the function and one with the source, for each address."""
    lines = text.splitlines()
    found = []
    for function, source in zip(lines[::2], lines[1::2], strict=False):
        file, _, line = source.partition(" (discriminator")[0].rpartition(":")
        is_known = file != "??" and line.isascii() and line.isdecimal() and int(line) > 0
        name = "" if function == "??" else _BODY.sub("", function)
        body = _body_number(function)
        found.append(Place(name, file, int(line), body) if is_known else Place(name, body=body))
    return found


def places(file: str, offsets: Sequence[int]) -> list[Place]:
    """Return the place of each address of a file; what is not known is empty."""
    nowhere = [Place()] * len(offsets)
    program = shutil.which("addr2line")
    if program is None or not offsets:
        return nowhere
    words = (program, "-f", "-C", "-e", file, *(f"{offset:#x}" for offset in offsets))
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_WAIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return nowhere
    found = parse_places(done.stdout.decode("utf-8", "replace"))
    return found if len(found) == len(offsets) else nowhere
