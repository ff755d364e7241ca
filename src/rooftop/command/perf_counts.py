"""Count events of a command by perf stat, whose scaling makes up for events that are counted in turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_SEPARATOR = ";"  # the comma is in numbers of some locales
_EVENT, _COUNTED = 2, 4  # fields of a line
_NAME = re.compile(r"(?:[^/]*/)?([^/:]+)(?:[/:].*)?")  # NAME, NAME:u, cpu_core/NAME/u, cpu_core/NAME:u/


@dataclass(frozen=True)
class Count:
    """An event of a whole run.

    value    as perf scales it; None: it was not counted
    counted  share of the time in which it was counted
    said     what perf wrote in place of a number, such as "<not supported>"
    """

    value: float | None
    counted: float = 1.0
    said: str = ""


def counting(words: Sequence[str], events: Iterable[str], file: Path) -> list[str]:
    """Return the command that counts events of the user's code in another and in its children.

    perf exits with 0 if its command was killed by a signal; a shell between them turns this into an exit code.
    """
    watched = ["/bin/sh", "-c", '"$@"; exit $?', "sh", *words]
    asked = ",".join(f"{event}:u" for event in events)
    return ["perf", "stat", "-x", _SEPARATOR, "-e", asked, "-o", str(file), "--", *watched]


def _number(text: str) -> float | None:
    """Return a number in any locale; None if it is none, or below 0."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def read_counts(text: str) -> dict[str, Count]:
    """Parse what `counting` wrote, by the names of events. Other lines are left out.

    A processor with two kinds of cores has a line for each: they are added, and one kind may have been idle.
    """
    found: dict[str, Count] = {}
    for line in text.splitlines():
        fields = line.split(_SEPARATOR)
        if len(fields) <= _EVENT or (named := _NAME.fullmatch(fields[_EVENT].strip())) is None:
            continue
        value, name = _number(fields[0]), named[1]
        if value is None and not fields[0].startswith("<not "):
            continue
        percent = _number(fields[_COUNTED]) if len(fields) > _COUNTED else None
        one = Count(value, 1.0 if percent is None else percent / 100, fields[0] if value is None else "")
        before = found.get(name)
        if before is None or before.value is None:
            found[name] = one
        elif value is not None:
            found[name] = Count(before.value + value, min(before.counted, one.counted))
    return found
