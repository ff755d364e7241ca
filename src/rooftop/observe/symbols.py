"""Name the functions of programs and libraries as perf does: by their symbols, those of C++ without parameters.

Functions of several names, such as constructors of C++, have all of them; overloads share one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_WAIT_S = 60.0
_LINE = re.compile(r"([0-9a-f]{8,16}) (?:([0-9a-f]{8,16}) )?[tTwWiu] (\S+)", re.ASCII)


@dataclass(frozen=True)
class Function:
    """A function of a file. `size`: 0 where it is not known; `names`: as symbols have them."""

    address: int
    size: int
    names: tuple[str, ...]


def parse_functions(text: str) -> list[Function]:
    """Parse what nm -S prints; return functions by address. Other lines are left out."""
    names: dict[int, dict[str, None]] = {}
    sizes: dict[int, int] = {}
    for line in text.splitlines():
        if (match := _LINE.fullmatch(line)) is not None:
            address = int(match[1], 16)
            names.setdefault(address, {})[match[3].partition("@")[0]] = None
            sizes[address] = max(sizes.get(address, 0), int(match[2] or "0", 16))
    return [Function(address, sizes[address], tuple(names[address])) for address in sorted(names)]


def function_at(functions: Sequence[Function], address: int) -> Function | None:
    """Return the function that an address is in; None where there is none. `functions`: by address."""
    place = bisect_right(functions, address, key=lambda one: one.address) - 1
    if place < 0:
        return None
    found = functions[place]
    return found if not found.size or address < found.address + found.size else None


def said(words: Sequence[str], given: str = "") -> str:
    """Return what a program of binutils prints; nothing where it fails or is missing."""
    program = shutil.which(words[0])
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *words[1:]], input=given.encode(), capture_output=True, timeout=_WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")


def without_parameters(names: Sequence[str]) -> list[str]:
    """Return symbols as perf prints them: demangled, without parameters and return types."""
    lines = said(("c++filt", "-p"), "".join(f"{name}\n" for name in names)).splitlines()
    return lines if len(lines) == len(names) else list(names)


def names_at(file: str, addresses: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the names of the function at each address of a file; none where it has no symbols there."""
    functions = parse_functions(said(("nm", "-S", "--defined-only", file)))
    functions = functions or parse_functions(said(("nm", "-S", "-D", "--defined-only", file)))
    found = [function_at(functions, address) for address in addresses]
    raw = list(dict.fromkeys(name for one in found if one is not None for name in one.names))
    shown = dict(zip(raw, without_parameters(raw), strict=True))
    return [tuple(dict.fromkeys(shown[name] for name in one.names)) if one is not None else () for one in found]
