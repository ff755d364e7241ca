"""Parse the lines that probes print (docs/decisions/0001), and merge repeated measurements of one property."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rooftop.documents import Roof

PROTOCOL = 1
_OWN_FIELDS = {"metric", "value", "unit", "threads", "level", "bytes", "isa", "precision"}
_ENVELOPE = {"protocol", "probe", "skipped"}
_SHOWN = 80  # characters of a bad line that a message quotes
# Details that distinguish two figures of the same metric, in addition to the fields of a roof.
_DISTINCTIONS = ("from", "to", "page_bytes", "stride_bytes", "work", "library", "file_system", "message_bytes")


@dataclass
class Figures:
    """Result of one run of a probe: figures, and lines for ``Machine.missing``."""

    roofs: list[Roof] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    failed: bool = False  # it crashed, hung or printed garbage, and is run again next time


class BadLine(ValueError):
    """The line is not valid output of a probe; the message says why."""


def _quoted(line: str) -> str:
    short = line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
    return repr(short)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return "a number of thousands of digits"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _text(record: dict[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is None or (isinstance(value, str) and value.strip() and value.isprintable()):
        return value
    raise BadLine(f"{key} is {_shown(value)}, expected a name")


def _count(record: dict[str, Any], key: str) -> int | None:
    value = record.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise BadLine(f"{key} is {_shown(value)}, expected a positive whole number")


def parse_line(line: str) -> Roof | str:
    """Return a line's figure, or the reason why the probe skipped it. Raises BadLine."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine(f"{_quoted(line)} is not JSON") from None
    if not isinstance(record, dict) or record.get("protocol") != PROTOCOL:
        raise BadLine(f"{_quoted(line)} is not a line of protocol {PROTOCOL}")
    if (skipped := record.get("skipped")) is not None:
        if isinstance(skipped, str) and (reason := " ".join(skipped.split())):
            return reason
        raise BadLine(f"skipped is {_shown(skipped)}, expected a reason")
    value, metric, unit, threads = (
        record.get("value"),
        _text(record, "metric"),
        _text(record, "unit"),
        record.get("threads"),
    )
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) or value <= 0:
        raise BadLine(f"{metric} is {_shown(value)}, expected a positive number")
    if metric is None or unit is None or threads is None:
        raise BadLine(f"{_quoted(line)} has no metric, unit or threads")
    return Roof(
        metric=metric,
        value=float(value),
        unit=unit,
        threads=_count(record, "threads") or 1,
        level=_text(record, "level"),
        bytes=_count(record, "bytes"),
        isa=_text(record, "isa"),
        precision=_text(record, "precision"),
        detail={key: value for key, value in record.items() if key not in _OWN_FIELDS | _ENVELOPE},
    )


def parse_output(probe: str, output: str) -> Figures:
    """Parse the output of a probe. All invalid lines together become one line of ``missing``."""
    figures = Figures()
    bad: list[str] = []
    for line in output.split("\n"):
        if not line.strip():
            continue
        try:
            found = parse_line(line)
        except (BadLine, OverflowError) as error:
            bad.append(str(error))
            continue
        if isinstance(found, Roof):
            figures.roofs.append(found)
        elif (reason := f"{probe}: {found}") not in figures.missing:
            figures.missing.append(reason)
    if bad:
        figures.failed = True
        more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
        figures.missing.append(f"{probe}: printed an invalid line: {bad[0]}{more}")
    return figures


Key = tuple[object, ...]


def fact(roof: Roof) -> Key:
    """Return a key for what a figure measures: figures with equal keys are measurements of the same property."""
    size = roof.bytes if roof.level is None and "stride_bytes" in roof.detail else None
    return (
        roof.metric,
        roof.unit,
        roof.threads,
        roof.level,
        roof.isa,
        roof.precision,
        size,
        *(str(roof.detail.get(name)) for name in _DISTINCTIONS),
    )


def is_better(roof: Roof, other: Roof) -> bool:
    """Return whether ``roof`` is better than ``other``: a higher rate, a shorter time, or less noise."""
    is_rate = roof.unit == "Hz" or roof.unit.endswith("/s")
    return roof.value > other.value if is_rate else roof.value < other.value


def best(*looks: Iterable[Roof]) -> list[Roof]:
    """Return the best figure for each property, in order of first appearance."""
    found: dict[Key, Roof] = {}
    for roofs in looks:
        for roof in roofs:
            key = fact(roof)
            if key not in found or is_better(roof, found[key]):
                found[key] = roof
    return list(found.values())
