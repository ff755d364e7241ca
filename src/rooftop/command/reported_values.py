"""Conversion of option values from and to text: bytes, tolerances, exit codes, times and commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rooftop.command.option import RUNNING, Option
from rooftop.errors import Misuse
from rooftop.launchers import names
from rooftop.launchers.nodes import read_hosts
from rooftop.text.durations import parse_budget

_MOST_BYTES = 1 << 50
_BETTER = {"lower": "lower", "higher": "higher", "minimize": "lower", "maximize": "higher"}
LAUNCHER = Option(
    "--launcher", f"MPI launcher: {', '.join(names())} (default: the first that is installed).", panel=RUNNING
)
HOSTS = Option(
    "--hosts",
    "Hosts to spread ranks over without a scheduler, such as a,b,c; the launcher must reach them.",
    metavar="HOST,…",
    panel=RUNNING,
    said=str,
    read=read_hosts,
    part=",".join,
)
ALL_CODES = "all-non-zero"
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def read_bytes(called: str, said: str) -> int:
    """Return the number of bytes in "512M" or "2GiB". Raises Misuse."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", said.lower())
    found = float(match[1]) * _BYTES[match[2]] if match is not None else 0.0
    if not 1 <= found <= _MOST_BYTES:
        raise Misuse(f"{called} is {said!r}, expected a size such as 512M or 2GiB, at most {_MOST_BYTES >> 40}T")
    return int(found)


def read_tolerance(called: str, said: str | float | bool) -> float | None:
    """Return a relative tolerance; True means 0, False none. Raises Misuse."""
    if said is False:
        return None
    try:
        value = 0.0 if said is True else float(said)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise Misuse(f"{called} is {said!r}, expected a relative tolerance from 0 to below 1")
    return value


def read_codes(called: str, said: str | bool | list[int]) -> bool | tuple[int, ...]:
    """Return the accepted exit codes other than 0; True for all. Raises Misuse."""
    if isinstance(said, bool) or said == ALL_CODES:
        return bool(said)
    codes = said if isinstance(said, list) else [int(one) if one.isdecimal() else -1 for one in said.split(",")]
    if not codes or not all(0 < one < 256 for one in codes):
        shown = said if isinstance(said, str) else ",".join(map(str, said))
        raise Misuse(f"{called} is {shown!r}, expected exit codes from 1 to 255, such as {called}=1,2, or no value")
    return tuple(dict.fromkeys(codes))


def codes_text(accepted: bool | tuple[int, ...]) -> str:
    """Return accepted exit codes as text."""
    return ALL_CODES if isinstance(accepted, bool) else ",".join(map(str, accepted))


def read_better(called: str, said: str) -> str:
    """Return "lower" or "higher", also from "minimize" or "maximize". Raises Misuse."""
    found = _BETTER.get(said)
    if found is None:
        raise Misuse(f"{called} is {said!r}, expected lower, higher, minimize or maximize")
    return found


def read_time(called: str, said: str) -> float:
    """Return the seconds in "90s" or "1h30m". Raises Misuse."""
    return parse_budget(said, called)


def read_texts(called: str, said: str | list[str]) -> tuple[str, ...]:
    """Return a tuple of one or several texts."""
    return (said,) if isinstance(said, str) else tuple(said)


def read_from(least: int) -> Any:
    """Return a reader that raises Misuse for numbers below `least`."""

    def read(called: str, said: int) -> int:
        if said < least:
            raise Misuse(f"{called} is {said}, expected a whole number from {least}")
        return said

    return read


def read_seed(called: str, said: int) -> int:
    """Return a seed. Raises Misuse."""
    if not 0 <= said < 2**63:
        raise Misuse(f"{called} is {said}, expected a whole number from 0 to 2^63 - 1")
    return said


def read_folder(called: str, said: str) -> str:
    """Return the absolute path of a folder."""
    return str(Path(said).expanduser().resolve())


def time_text(seconds: float) -> str:
    """Return seconds in the form that `read_time` reads."""
    for unit, length in (("h", 3600), ("m", 60)):
        if seconds >= length and seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.12g}s"


def command_option(name: str, help_: str, short: str) -> Option:
    """Return the option for a setup, prepare or cleanup command, which can be repeated."""
    return Option(name, help_, short, metavar="CMD", panel=RUNNING, said=list[str], filed=str, read=read_texts)
