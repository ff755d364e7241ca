"""Where two outputs differ: byte by byte, or but for numbers that may differ by a relative tolerance."""

from __future__ import annotations

import math
import re
from itertools import takewhile
from unicodedata import normalize

from rooftop.command.number import value
from rooftop.text.plural import plural

_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdDqQ][-+]?\d+)?")
_NOT_UTF8 = re.compile(r"\\udc([89a-f][0-9a-f])")  # as repr() spells what "surrogateescape" makes of such a byte
_SHOWN = 60
_BEFORE = 20  # bytes of a long line that are shown before its first difference


def first_difference(expected: bytes, seen: bytes, tolerance: float) -> str | None:
    """Return the first line in which two outputs differ, numbers by more than a relative tolerance; None if none does.

    Lines end with a line feed; a carriage return is a byte like others.
    """
    if expected == seen:
        return None
    ours, theirs = _lines(expected), _lines(seen)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b and not _alike(a, b, tolerance):
            shown = _shown(a, b)
            return f"line {number} is {shown[1]}, expected {shown[0]}"
    if len(ours) != len(theirs):
        return f"{plural(len(theirs), 'line')}, expected {len(ours)}"
    if seen.endswith(b"\n") == expected.endswith(b"\n"):
        return None
    if seen.endswith(b"\n"):
        return "its last line ends with a line feed, the expected one does not"
    return "its last line does not end with a line feed, the expected one does"


def _lines(text: bytes) -> list[bytes]:
    lines = text.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _alike(a: bytes, b: bytes, tolerance: float) -> bool:
    if tolerance <= 0 or _NUMBER.sub(b"0", a) != _NUMBER.sub(b"0", b):
        return False
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
    return all(x == y or _near(value(x), value(y), tolerance) for x, y in pairs)


def _near(a: float, b: float, tolerance: float) -> bool:
    """Whether two numbers are alike. What overflows is like nothing but itself."""
    return math.isfinite(a) and math.isclose(a, b, rel_tol=tolerance)


def _shown(a: bytes, b: bytes) -> tuple[str, str]:
    """Return two lines as they are shown: around their first difference, with escapes for what cannot be seen."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    begin = max(0, same - _BEFORE) if max(len(a), len(b)) > _SHOWN else 0
    cut = [line[begin : begin + _SHOWN] for line in (a, b)]
    texts = [line.decode("utf-8", "surrogateescape") for line in cut]
    if normalize("NFC", texts[0]) == normalize("NFC", texts[1]):  # they would look alike
        spelled = [repr(line)[2:-1] for line in cut]
    else:
        spelled = [_NOT_UTF8.sub(r"\\x\1", repr(text)[1:-1]) for text in texts]
    head = "…" if begin else ""
    first, second = (
        f"'{head}{text}{'…' if begin + _SHOWN < len(line) else ''}'" for text, line in zip(spelled, (a, b), strict=True)
    )
    return first, second
