"""The parameters of a tuning: what may be varied, in which values, under which conditions."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import simpleeval  # type: ignore[import-untyped]

from rooftop.command.launcher import usable_cores
from rooftop.errors import Misuse

Value = int | float | str
Kind = Literal["ranks", "threads", "bind", "schedule", "malloc", "env", "param"]
Configuration = Mapping[str, Value]

MOST_CONFIGURATIONS = 200_000
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")
_ALLOWED: dict[Kind, tuple[str, ...]] = {
    "bind": ("close", "spread", "none"),
    "malloc": ("glibc", "tbb", "mimalloc", "jemalloc"),
}


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name, what it sets, and its values, the default first."""

    name: str
    kind: Kind
    values: tuple[Value, ...]

    @property
    def ordered(self) -> bool:
        """Whether its values are numbers, of which neighbours are alike."""
        return all(not isinstance(value, str) for value in self.values)


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if math.isfinite(value):  # nan and inf have no place among numbers, nor in a document
            return value
    return text


def read_values(option: str, text: str) -> tuple[Value, ...]:
    """Give the values that "1,2,4", "1..8", "0..64..16" or "close,spread" mean. Raises Misuse naming the option."""
    values: list[Value] = []
    for part in text.split(","):
        word = part.strip()
        if not word:
            raise Misuse(f"{option} is {text!r}, expected values with commas between, such as 1,2,4 or 1..8")
        if bounds := _RANGE.fullmatch(word):
            first, last, step = int(bounds[1]), int(bounds[2]), int(bounds[3] or 1)
            if last < first or step < 1:
                raise Misuse(
                    f"{option} has the range {word!r}, expected the smaller end first, such as 1..8 or 0..64..16"
                )
            if (last - first) // step >= MOST_CONFIGURATIONS:
                raise Misuse(f"{option} has the range {word!r}, expected fewer than {MOST_CONFIGURATIONS} values")
            values += range(first, last + 1, step)
        else:
            values.append(_value(word))
    if len(set(values)) < len(values):
        raise Misuse(f"{option} is {text!r}, which names a value twice")
    return tuple(values)


def parameter(option: str, kind: Kind, name: str, text: str) -> Parameter:
    """Give the parameter that an option declares. Raises Misuse."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise Misuse(f"{option} names {name!r}, expected a name of letters, digits and underscores")
    values = read_values(option, text)
    allowed = _ALLOWED.get(kind)
    for value in values:
        if allowed is not None and value not in allowed:
            raise Misuse(f"{option} has {value!r}, expected {', '.join(allowed[:-1])} or {allowed[-1]}")
        if kind in ("ranks", "threads") and not (isinstance(value, int) and value >= 1):
            raise Misuse(f"{option} has {value!r}, expected whole numbers from 1")
    return Parameter(name, kind, values)


class Space:
    """All configurations that the conditions allow.

    The first of them, which has the first value of each parameter unless a condition forbids that, is the default.
    """

    def __init__(self, parameters: Sequence[Parameter], conditions: Sequence[str] = ()) -> None:
        """Raise Misuse for parameters, conditions or sizes that make no space."""
        self.parameters = tuple(parameters)
        names = [one.name for one in parameters]
        if not names:
            raise Misuse("there is nothing to tune, expected a parameter such as --threads 1..8 or --param N=8,16,32")
        for name in names:
            if names.count(name) > 1:
                raise Misuse(f"the parameter {name!r} is declared twice")
        size = 1
        for one in parameters:
            size *= len(one.values)
        if size > MOST_CONFIGURATIONS:
            raise Misuse(f"there are {size} configurations, expected at most {MOST_CONFIGURATIONS}")
        self.configurations = list(self._allowed(conditions))
        if not self.configurations:
            raise Misuse(f"no configuration fulfils --where {' and '.join(repr(one) for one in conditions)}")

    def _allowed(self, conditions: Sequence[str]) -> Iterator[dict[str, Value]]:
        evaluator = simpleeval.SimpleEval(names={})
        parsed = []
        for condition in conditions:
            try:
                parsed.append((condition, evaluator.parse(condition)))
            except (SyntaxError, simpleeval.InvalidExpression) as error:
                raise Misuse(f"--where {condition!r} cannot be read: {error}") from error
        cores = usable_cores()
        for values in itertools.product(*(one.values for one in self.parameters)):
            found = {one.name: value for one, value in zip(self.parameters, values, strict=True)}
            evaluator.names = {"cores": cores} | found
            for condition, tree in parsed:
                try:
                    holds = evaluator.eval(condition, previously_parsed=tree)
                except (simpleeval.InvalidExpression, TypeError, ValueError, ArithmeticError) as error:
                    known = ", ".join(("cores", *found))
                    raise Misuse(f"--where {condition!r} has no value: {error}; it may use {known}") from error
                if not holds:
                    break
            else:
                yield found

    def __len__(self) -> int:
        return len(self.configurations)

    def kind(self, name: str) -> Kind:
        """Give what a parameter sets."""
        return next(one.kind for one in self.parameters if one.name == name)


def in_order(values: Sequence[Value]) -> list[Value]:
    """Give values as they are read: numbers by size, others as they came."""
    numbers = [value for value in values if not isinstance(value, str)]
    return sorted(numbers) if len(numbers) == len(values) else list(values)


def label(configuration: Configuration) -> str:
    """Give the name of a configuration: it is the same as another's only if all values are."""
    return " ".join(f"{name}={value}" for name, value in configuration.items())
