"""The unit beside a number in a program's output: 950 ms and 1.2 s are not to be compared as 950 and 1.2."""

from __future__ import annotations

import re

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
_AFTER = re.compile(rf"[ \t]*[\[(]?(?:{_UNIT})(?![\w/%])")
_BEFORE = re.compile(rf"[\[(](?:{_UNIT})[\])][ \t]*[:=]?[ \t]*\Z")
_FLOP = re.compile(rf"({_SCALED})flop.*", re.IGNORECASE)


def unit_of(before: bytes, after: bytes) -> str | None:
    """Return the unit of a number by what stands before and after it on its line; None where no known one is seen.

    Spellings of one unit are one: ms and milliseconds, GFLOPS and GFLOP/s.
    """
    found = _AFTER.match(after.decode("utf-8", "replace")) or _BEFORE.search(before.decode("utf-8", "replace"))
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
    """Return a value with its unit, scaled to be read."""
    if unit == "s":
        for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
            if value >= scale or scale == 1e-9:
                return f"{value / scale:.4g} {name}"
    if unit == "B":
        return f"{value / 2**20:.4g} MiB"
    return f"{value:.6g} {unit}".rstrip()
