"""The parameters of a tuning: what may be varied, in which values, under which conditions."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import simpleeval  # type: ignore[import-untyped]

from rooftop.errors import Misuse
from rooftop.launchers.team import usable_cores
from rooftop.parameters.values import MOST_VALUES, REFUSED, Value, expected_counts, number, read_values

Kind = Literal["ranks", "threads", "bind", "schedule", "malloc", "env", "param"]
Configuration = Mapping[str, Value]

MOST_CONFIGURATIONS = MOST_VALUES
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
        return all(number(value) is not None for value in self.values)


def parameter(option: str, kind: Kind, name: str, given: str | Sequence[str]) -> Parameter:
    """Return the parameter that an option declares, its values as `read_values` takes them. Raises Misuse."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise Misuse(f"{option} names {name!r}, expected a name of letters, digits and underscores")
    values = read_values(option, given)
    if kind in ("ranks", "threads"):
        return Parameter(name, kind, counts(option, values))
    allowed = _ALLOWED.get(kind)
    for value in values:
        if allowed is not None and value not in allowed:
            raise Misuse(f"{option} has {value!r}, expected {', '.join(allowed[:-1])} or {allowed[-1]}")
    return Parameter(name, kind, values)


def counts(option: str, values: Sequence[Value]) -> tuple[int, ...]:
    """Return values as numbers of workers. Raises Misuse naming the option."""
    found = tuple(map(number, values))
    for value, count in zip(values, found, strict=True):
        if not isinstance(count, int) or count < 1:
            raise Misuse(f"{option} has {value!r}, {expected_counts(value)}")
        if found.count(count) > 1:
            raise Misuse(f"{option} has {value!r}, which is there twice")
    return tuple(int(count) for count in found if count is not None)


class Space:
    """All configurations that the conditions allow.

    The first of them, which has the first value of each parameter unless a condition forbids that, is the default.
    """

    def __init__(self, parameters: Sequence[Parameter], conditions: Sequence[str] = ()) -> None:
        """Raise Misuse for parameters, conditions or sizes that make no space."""
        self.parameters = tuple(parameters)
        self.conditions = tuple(conditions)
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
            except REFUSED as error:
                raise Misuse(f"--where {condition!r} cannot be read: {error}") from error
        cores = usable_cores()
        for values in itertools.product(*(one.values for one in self.parameters)):
            found = {one.name: value for one, value in zip(self.parameters, values, strict=True)}
            worth = {name: value if (spelled := number(value)) is None else spelled for name, value in found.items()}
            evaluator.names = {"cores": cores} | worth
            for condition, tree in parsed:
                try:
                    holds = evaluator.eval(condition, previously_parsed=tree)
                except REFUSED as error:
                    known = ", ".join(("cores", *found))
                    raise Misuse(f"--where {condition!r} has no value: {error}; it may use {known}") from error
                if not holds:
                    break
            else:
                yield found

    def __len__(self) -> int:
        return len(self.configurations)

    def kind(self, name: str) -> Kind:
        """Return what a parameter sets, such as "threads" or "env"."""
        return next(one.kind for one in self.parameters if one.name == name)


def label(configuration: Configuration) -> str:
    """Return the name of a configuration: it is the same as another's only if all values are."""
    return " ".join(f"{name}={shlex.quote(str(value))}" for name, value in configuration.items())
