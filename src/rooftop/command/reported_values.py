"""How the values of options are read and spelled: bytes, tolerances, exit codes, times and commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rooftop.command.option import RUNNING, Option
from rooftop.errors import Misuse
from rooftop.launchers import names
from rooftop.text.durations import parse_budget

_MOST_BYTES = 1 << 50
_BETTER = {"lower": "lower", "higher": "higher", "minimize": "lower", "maximize": "higher"}
LAUNCHER = Option(
    "--launcher", f"MPI launcher: {', '.join(names())} (default: the first that is installed).", panel=RUNNING
)
ALL_CODES = "all-non-zero"
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def read_bytes(called: str, said: str) -> int:
    """Return the bytes that "512M" or "2GiB" mean. Raises Misuse."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", said.lower())
    found = float(match[1]) * _BYTES[match[2]] if match is not None else 0.0
    if not 1 <= found <= _MOST_BYTES:
        raise Misuse(f"{called} is {said!r}, expected bytes such as 512M or 2GiB, at most {_MOST_BYTES >> 40}T")
    return int(found)


def read_tolerance(called: str, said: str | float | bool) -> float | None:
    """Return the relative tolerance that was said; True is 0, and False none. Raises Misuse."""
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
    """Return the exit codes that are accepted beside 0; True: all of them. Raises Misuse."""
    if isinstance(said, bool) or said == ALL_CODES:
        return bool(said)
    codes = said if isinstance(said, list) else [int(one) if one.isdecimal() else -1 for one in said.split(",")]
    if not codes or not all(0 < one < 256 for one in codes):
        shown = said if isinstance(said, str) else ",".join(map(str, said))
        raise Misuse(f"{called} is {shown!r}, expected exit codes from 1 to 255, such as {called}=1,2, or no value")
    return tuple(dict.fromkeys(codes))


def codes_text(accepted: bool | tuple[int, ...]) -> str:
    """Return the word of accepted exit codes."""
    return ALL_CODES if isinstance(accepted, bool) else ",".join(map(str, accepted))


def read_better(called: str, said: str) -> str:
    """Return which numbers are better, also from how optimizers say it. Raises Misuse."""
    found = _BETTER.get(said)
    if found is None:
        raise Misuse(f"{called} is {said!r}, expected lower or higher, or minimize or maximize")
    return found


def read_time(called: str, said: str) -> float:
    """Return the seconds that "90s" or "1h30m" mean. Raises Misuse."""
    return parse_budget(said, called)


def read_texts(called: str, said: str | list[str]) -> tuple[str, ...]:
    """Return one text or several as several."""
    return (said,) if isinstance(said, str) else tuple(said)


def read_from(least: int) -> Any:
    """Return what reads a whole number that is at least so large, and raises Misuse for others."""

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
    """Return a folder's whole path."""
    return str(Path(said).expanduser().resolve())


def time_text(seconds: float) -> str:
    """Return seconds as `read_time` reads them."""
    for unit, length in (("h", 3600), ("m", 60)):
        if seconds >= length and seconds % length == 0:
            return f"{seconds / length:.0f}{unit}"
    return f"{seconds:.12g}s"


def command_option(name: str, help_: str, short: str) -> Option:
    """Return the option of a command beside the measured ones, which may be given several times."""
    return Option(name, help_, short, metavar="CMD", panel=RUNNING, said=list[str], filed=str, read=read_texts)
