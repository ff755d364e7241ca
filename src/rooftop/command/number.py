"""The number that a pattern finds in a program's output, and its unit: 950 ms and 1.2 s are not 950 and 1.2.

A pattern such as ``time: ([0-9.]+)`` finds 9.5 in "time: 9.5e-02", 1 in "time: 1,234" and 1 in "time: 1:02.5": each
would be a wrong result without any warning, so a part of a longer number is refused.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from rooftop.interrupts import alarm_after

# What goes on with a number where it follows it directly.
_AFTER = re.compile(
    rb"""[0-9]
    | \.[0-9]                       # decimals
    | \.?[eEdDqQ][-+]?[0-9]         # an exponent, Fortran's too
    | [,'_][0-9]                    # thousands, or a decimal comma
    | (?:\xc2\xa0|\xe2\x80\xaf)[0-9]{3}(?![0-9])    # thousands behind a space that does not break
    | :[0-9]{2}(?![0-9])            # minutes and seconds
    | [hm][0-9.]+[ms]               # 1h30m, 1m2.5s""",
    re.VERBOSE,
)
_LONG_EXPONENT = re.compile(rb"[-+][0-9]{3}(?![0-9])")  # Fortran drops the letter: 1.5-103
# What a number began with, where it stands directly before what was found.
_BEFORE = re.compile(
    rb"""(?: [0-9]\.?
    | [0-9]\.?[eEdDqQ][-+]?
    | 0[xX][0-9a-fA-F]*
    | (?<![A-Za-z0-9_.])[0-9.]+(?:[,'_:]|\xc2\xa0|\xe2\x80\xaf)   # no name such as case1,
    | (?:^|[\s=:(\[,;"'])[-]         # a sign, not a hyphen
    )\Z""",
    re.VERBOSE,
)
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")  # of ECMA-48: colours
_NAMES_ESCAPE = re.compile(rb"\x1b|\\(?:x1[bB]|033|e)")
_WORD = re.compile(rb"[^\s;()\[\]{}\"]*")
_WORD_BEFORE = re.compile(rb"[^\s;()\[\]{}\"]*\Z")
_LEAST, _MOST = 1e-100, 1e100  # beyond them ratios and sums overflow
_SHOWN = 40
_FORTRAN = re.compile(rb"(?<=[0-9.])[dDqQ](?=[-+]?[0-9])")
LIMIT_S = 10.0


class NothingFound(ValueError):
    """The pattern has no match in the output."""


def _named_after(pattern: bytes, mark: bytes) -> bool:
    """Return whether the pattern itself has this mark after its number: ``([0-9]+),``."""
    return any(form + mark in pattern for form in (b")", b"(?=", b")\\", b"(?=\\"))


def _named_before(pattern: bytes, mark: bytes) -> bool:
    return any(mark + form in pattern for form in (b"(", b")"))


def _goes_on(pattern: bytes, number: bytes, rest: bytes) -> bool:
    found = _AFTER.match(rest)
    if found is None:
        return b"." in number and _LONG_EXPONENT.match(rest) is not None
    mark = rest[:1]
    return not (mark in b".,'_:" and _named_after(pattern, mark))


def _began_before(pattern: bytes, before: bytes) -> bool:
    if _BEFORE.search(before) is None:
        return False
    mark = before[-1:]
    return not (mark in b".,'_:-" and _named_before(pattern, mark))


def value(number: bytes) -> float:
    """Return the value of a number, which may have a Fortran exponent (1.5d3). Raises ValueError."""
    return float(_FORTRAN.sub(b"e", number))


def plain(pattern: re.Pattern[bytes], output: bytes) -> bytes:
    """Return an output without terminal escape codes, unless the pattern contains such codes."""
    if b"\x1b" not in output or _NAMES_ESCAPE.search(pattern.pattern):
        return output
    return _ESCAPES.sub(b"", output)


def found_number(pattern: re.Pattern[bytes], output: bytes) -> float:
    """Return the last number that a pattern finds. Raises as `found_figure` does."""
    return found_figure(pattern, output)[0]


def found_figure(pattern: re.Pattern[bytes], output: bytes) -> tuple[float, str | None]:
    """Return the number in the last match of a pattern, in its group if it has one, and its unit.

    Raises NothingFound without a match, ValueError if the number is out of range or part of a longer one.
    """
    shown = pattern.pattern.decode("utf-8", "replace")
    output = plain(pattern, output)
    with limited_search(shown):
        last = next(iter(deque(pattern.finditer(output), maxlen=1)), None)
    if last is None:
        raise NothingFound(f"no match for {shown!r}")
    begin, end = last.span(1 if pattern.groups else 0)
    text = output[begin:end] if begin >= 0 else b""
    number = text.strip()
    try:
        found = value(number)
    except ValueError:
        raise ValueError(f"{shown!r} gives {text[:_SHOWN].decode('utf-8', 'replace')!r}, expected a number") from None
    before, after = output[max(0, begin - _SHOWN) : begin], output[end : end + _SHOWN]
    went_on = text[-1:] == number[-1:] and _goes_on(pattern.pattern, number, after)
    if went_on or (text[:1] == number[:1] and _began_before(pattern.pattern, before)):
        head, tail = _WORD_BEFORE.search(before), _WORD.match(after)
        whole = (head[0] if head else b"") + text + (tail[0] if tail else b"")
        raise ValueError(
            f"{shown!r} reads {number.decode()!r} of {whole.decode('utf-8', 'replace')!r}: "
            "expected the whole number in the pattern"
        )
    if not _LEAST <= found <= _MOST:
        hint = ": where the program rounds, let it print more digits or do more work" if found == 0 else ""
        raise ValueError(f"{shown!r} gives {found}, expected a number above 0, from {_LEAST} to {_MOST}{hint}")
    return found, unit_of(before, after)


@contextmanager
def limited_search(shown: str) -> Iterator[None]:
    """Raise ValueError, which names the pattern, if the block takes longer than LIMIT_S.

    The limit works by a signal, so it holds in the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: object) -> None:
        raise ValueError(f"searching for {shown!r} takes longer than {LIMIT_S:g} s: expected a simpler pattern")

    take_back = alarm_after(LIMIT_S, give_up)
    try:
        yield
    finally:
        take_back()


FIGURE = "unit:"  # how the name of the figure begins that says in which part of a sample's runs this unit was printed

_TIMES = {
    "ns": r"ns|nsecs?|nanosec(?:ond)?s?",
    "µs": r"[uµμ]s|[uµμ]secs?|microsec(?:ond)?s?",
    "ms": r"ms|msecs?|millis(?:ec(?:ond)?s?)?",
    "s": r"s|secs?|seconds?",
    "min": r"mins?|minutes?",
    "h": r"h|hrs?|hours?",
}
_SCALED = r"(?:[kKMGTPE]i?)?"
_OTHERS = (
    rf"{_SCALED}(?:FLOPS?|[Ff]lops?)(?:/s(?:ec)?|ps)?",
    rf"{_SCALED}(?:[Bb]|[Bb]ytes?|[Bb]its?|[Oo]ps?|OPS?|Hz)(?:/s(?:ec)?|ps)?",
    r"[kKMGT]|%",
)
_UNIT = "|".join(f"(?P<_{place}>{text})" for place, text in enumerate((*_TIMES.values(), *_OTHERS)))
_UNIT_AFTER = re.compile(rf"[ \t]*[\[(]?(?:{_UNIT})(?![\w/%])")
_UNIT_BEFORE = re.compile(rf"[\[(](?:{_UNIT})[\])][ \t]*[:=]?[ \t]*\Z")
_FLOP = re.compile(rf"({_SCALED})flop.*", re.IGNORECASE)


def unit_of(before: bytes, after: bytes) -> str | None:
    """Return the unit of a number from the text before and after it; None if it is unknown.

    Spellings of a unit are unified: ms and milliseconds, GFLOPS and GFLOP/s.
    """
    found = _UNIT_AFTER.match(after.decode("utf-8", "replace")) or _UNIT_BEFORE.search(
        before.decode("utf-8", "replace")
    )
    if found is None:
        return None
    text = next(text for text in found.groups() if text is not None)
    place = int(str(found.lastgroup)[1:])
    if place < len(_TIMES):
        return list(_TIMES)[place]
    if flop := _FLOP.fullmatch(text):
        text = f"{flop[1]}FLOP/s"
    else:
        text = re.sub(r"(?:/sec|ps)\Z", "/s", text.removesuffix("s") if text.endswith(("ytes", "its")) else text)
        text = re.sub(r"[Bb]yte", "B", re.sub(r"[Bb]it", "b", text))
    return re.sub(r"\Ak", "K", text)


def figure(value: float, unit: str) -> str:
    """Return a value with its unit, scaled for reading."""
    if unit == "s":
        for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
            if value >= scale or scale == 1e-9:
                return f"{value / scale:.4g} {name}"
    if unit == "B":
        return f"{value / 2**20:.4g} MiB"
    return f"{value:.6g} {unit}".rstrip()
