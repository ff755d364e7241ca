"""The values of parameters: texts that a command is given as they were written, and the numbers that they spell.

A value is a number where that number is spelled just so, and otherwise the text: 3.10, 01 and 1e3 stay what they are,
and are still compared and modelled by what they are worth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

import simpleeval  # type: ignore[import-untyped]

from rooftop.errors import Misuse

Value = int | float | str

MOST_VALUES = 200_000
_LONGEST = 300  # letters of a number: with more it overflows, or Python does not read it
_DECIMAL = r"(?:\d+(?:\.\d+)?|\.\d+)"
_NUMBER = rf"[-+]?(?:{_DECIMAL}|\d+\.)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"(-?{_DECIMAL})\.\.(-?{_DECIMAL})(?:\.\.({_DECIMAL}))?", re.ASCII)
_MEANT_AS_RANGE = re.compile(rf"{_NUMBER}\.\..*|\.\.{_NUMBER}", re.ASCII)
_SPELLS_NUMBER = re.compile(_NUMBER, re.ASCII)
# Reading or evaluating one raises these: it is no expression, has no value, or is nested too deep for Python.
REFUSED: tuple[type[Exception], ...] = (
    SyntaxError,
    simpleeval.InvalidExpression,
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
    RecursionError,
    MemoryError,
)


def number(value: Value) -> int | float | None:
    """Return what a value is worth; None where it is a text that spells no number."""
    if not isinstance(value, str):
        return value
    if len(value) > _LONGEST or _SPELLS_NUMBER.fullmatch(value) is None:
        return None
    worth = int(value) if value.lstrip("+-").isdigit() else float(value)
    return worth if math.isfinite(worth) else None


def written(text: str) -> Value:
    """Return a text as a value: the number that is spelled just so, else the text itself."""
    worth = number(text)
    return worth if worth is not None and str(worth) == text else text


def expected_counts(value: Value) -> str:
    """Return what is expected in place of a value that is no number of workers, as it seems to be meant."""
    meant = re.fullmatch(r"(\d+)\s*(?:-|:|–|to|\.{3})\s*(\d+)", str(value), re.ASCII)
    return f"expected whole numbers from 1, such as {f'{meant[1]}..{meant[2]}' if meant else '1,2,4 or 1..8'}"


def in_order(values: Sequence[Value]) -> list[Value]:
    """Return values as they are read: numbers by size, others as they came."""
    worth = {value: number(value) for value in values}
    if any(one is None for one in worth.values()):
        return list(values)
    return sorted(values, key=lambda value: worth[value] or 0)


def _in_range(option: str, word: str) -> list[str]:
    """Return the texts that a range stands for. Raises Misuse."""
    bounds = _RANGE.fullmatch(word)
    if bounds is None:
        raise Misuse(f"{option} has {word!r}, expected a range such as 1..8, 0..64..16 or 0.1..0.5..0.1")
    if max(map(len, bounds.groups(""))) > _LONGEST:
        raise Misuse(f"{option} has the range {word[:80]!r}…, expected numbers of at most {_LONGEST} letters")
    ends = bounds[1], bounds[2]
    whole = not any("." in text for text in (*ends, bounds[3] or ""))
    if not whole and bounds[3] is None:
        raise Misuse(f"{option} has the range {word!r}, expected a step in a range of decimals, such as 0.1..0.5..0.1")
    first, last, step = Decimal(ends[0]), Decimal(ends[1]), Decimal(bounds[3] or 1)
    if last < first or step <= 0:
        raise Misuse(f"{option} has the range {word!r}, expected the smaller end first, such as 1..8 or 0..64..16")
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise Misuse(f"{option} has the range {word!r}, expected fewer than {MOST_VALUES} values")
    numbers = [first + place * step for place in range(count)]
    if not whole:
        return [f"{one.normalize():f}" for one in numbers]
    # 01..10 is 01, 02 and so on, as in a shell.
    padded = any(len(text.lstrip("-")) > 1 and text.lstrip("-").startswith("0") for text in ends)
    width = max(map(len, ends)) if padded else 0
    return [f"{int(one):0{width}d}" for one in numbers]


def listed_texts(text: str) -> list[str]:
    """Return the texts between commas; ``\\,`` is a comma within one."""
    return [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]


def read_values(option: str, given: str | Sequence[str]) -> tuple[Value, ...]:
    """Return the values that "1,2,4", "1..8", "0..64..16" or "close,spread" mean. Raises Misuse naming the option.

    given  a text with commas between values, where ``\\,`` is a comma within a value; or the values one by one, which
           may then have commas themselves
    """
    shown = given if isinstance(given, str) else ",".join(given)
    values: list[Value] = []
    for part in listed_texts(given) if isinstance(given, str) else given:
        word = part.strip()
        if not word:
            raise Misuse(f"{option} is {shown!r}, expected values with commas between, such as 1,2,4 or 1..8")
        texts = _in_range(option, word) if _MEANT_AS_RANGE.fullmatch(word) else [word]
        values += [written(text) for text in texts]
    if len(set(map(str, values))) < len(values):
        raise Misuse(f"{option} is {shown!r}, which names a value twice")
    # 1 and 1.0 are two texts and one number: the later ones are told apart as texts.
    return tuple(value if value not in values[:place] else str(value) for place, value in enumerate(values))
