"""What an experiment is to show: the targets that ``experiments/NAME/targets.toml`` declares.

::

    [derived]                        # parameters that follow from a case's own, as sums of multiples
    out_h = { h = 1, padding = 2, constant = -2 }

    [opponents]                      # groups of peers, by the algorithms that they used on the case
    "best direct peer" = ["direct", "im2col-gemm"]

    [budgets]                        # per size, for the commands that the page ends with
    L = "6m"

    [only]                           # per size, the rungs and peers that those commands choose
    L = ["60-*", "90-*"]

    [pairs]                          # per size, the pairs that comparisons go on to, where the rules ask for fewer
    L = 20

    [[target]]
    id = "blocked-14"
    asked = "At 14 pixels, at least 2.4 times the best peer."
    size = "L"                       # of the campaign that it is judged on
    where = { out_h = 14, c = { min = 128, max = 512 }, k = [256, 512] }
    subject = "*-solver"             # a rung's name, or a pattern of it; this is the default
    algorithm = "F(4)"               # asked only where the subject used it; a pattern; left out: any
    measure = "ratio"                # or "total", "roof_fraction", "error", "figure"
    named = "memory_bytes"           # with measure "figure": one of those that the rung tells beside the time
    against = ["best peer", "best direct peer"]   # or the name of a rung or peer, or a pattern of it
    at_least = 2.4                   # or at_most
    steps = true                     # list the rungs of its cases with the bytes that each moves
    remark = "A sentence that stands beneath the figures."
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from rooftop.errors import Misuse
from rooftop.files.document import Document
from rooftop.measure.pairings import Asked

FILE_NAME = "targets.toml"
BEST_PEER = "best peer"
CONSTANT = "constant"

Measure = Literal["ratio", "total", "roof_fraction", "error", "figure"]
Scalar = bool | int | float | str
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _condition(value: Any) -> Any:
    """A bare value is a condition too: the parameter equals it, or is one of them."""
    if isinstance(value, dict):
        return value
    return {"one_of": value} if isinstance(value, list) else {"equals": value}


class Condition(Document):
    """What a parameter must be: within inclusive bounds, equal to a value, or one of several."""

    min: float | None = None
    max: float | None = None
    equals: Scalar | None = None
    one_of: list[Scalar] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("a condition needs min, max, equals or one_of")
        return self

    def holds(self, value: Any) -> bool:
        """Whether a parameter's value satisfies it; what is no number satisfies no bound."""
        bounded = self.min is not None or self.max is not None
        if bounded and (isinstance(value, bool) or not isinstance(value, (int, float))):
            return False
        return (
            (self.min is None or value >= self.min)
            and (self.max is None or value <= self.max)
            and (self.equals is None or value == self.equals)
            and (self.one_of is None or value in self.one_of)
        )


class Target(Document):
    """One sentence of what was asked for, as a figure on some cases of one size."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    asked: Text
    size: Text
    where: dict[str, Annotated[Condition, BeforeValidator(_condition)]] = Field(default_factory=dict)
    subject: Text = "*-solver"
    algorithm: Text | None = None
    measure: Measure
    named: Text | None = None
    against: Annotated[list[Text], BeforeValidator(_listed)] = Field(default_factory=list)
    at_least: Positive | None = None
    at_most: Positive | None = None
    steps: bool = False
    remark: str = ""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("a target needs either at_least or at_most")
        compares = self.measure in ("ratio", "total")
        if compares != bool(self.against):
            raise ValueError(f"measure {self.measure!r} {'needs' if compares else 'has no'} 'against'")
        if (self.measure == "figure") != (self.named is not None):
            raise ValueError("measure 'figure' needs 'named', and no other has it")
        if self.measure == "total" and (self.where or self.algorithm or self.steps):
            raise ValueError("measure 'total' is over all cases and has neither 'where', 'algorithm' nor 'steps'")
        return self

    @property
    def figure(self) -> float:
        """The figure that was asked for."""
        return self.at_least if self.at_least is not None else self.at_most or 0.0

    def covers(self, given: dict[str, Any]) -> bool:
        """Whether a case with these parameters, derived ones among them, is one that it is about."""
        return all(name in given and condition.holds(given[name]) for name, condition in self.where.items())

    def reached_by(self, value: float) -> bool:
        """Whether a figure is what was asked for."""
        return value >= self.figure if self.at_least is not None else value <= self.figure


class Targets(Document):
    """The contents of one targets.toml."""

    derived: dict[str, dict[str, float]] = Field(default_factory=dict)
    opponents: dict[str, list[Text]] = Field(default_factory=dict)
    budgets: dict[str, Text] = Field(default_factory=dict)
    only: dict[str, Annotated[list[Text], BeforeValidator(_listed)]] = Field(default_factory=dict)
    pairs: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    targets: list[Target] = Field(alias="target", min_length=1)

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        twice = [name for name, count in Counter(target.id for target in self.targets).items() if count > 1]
        if twice:
            raise ValueError(f"two targets have the id {twice[0]!r}")
        if BEST_PEER in self.opponents:
            raise ValueError(f"{BEST_PEER!r} is built in: give the group another name")
        return self

    @property
    def sizes(self) -> list[str]:
        """Sizes in the order in which they first occur."""
        return list(dict.fromkeys(target.size for target in self.targets))

    def parameters(self, given: dict[str, Any]) -> dict[str, Any]:
        """A case's parameters with the derived ones whose terms it has; what it has itself is not replaced."""
        derived = {
            name: sum(factor * (1 if term == CONSTANT else given[term]) for term, factor in terms.items())
            for name, terms in self.derived.items()
            if all(term == CONSTANT or isinstance(given.get(term), (int, float)) for term in terms)
        }
        return derived | given


def asked_of_case(targets: Targets, size: str, parameters: dict[str, Any]) -> tuple[Asked, ...]:
    """Return what a campaign must pair on a case beside its ladder, so that targets are judged by paired ratios."""
    given = targets.parameters(parameters)
    named = [
        (target.subject, against)
        for target in targets.targets
        if target.measure == "ratio" and target.size == size and target.covers(given)
        for against in target.against
        if against != BEST_PEER
    ]
    return tuple(
        Asked(subject, algorithms=tuple(targets.opponents[against]))
        if against in targets.opponents
        else Asked(subject, against)
        for subject, against in dict.fromkeys(named)
    )


def _one_line(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    seen = f", found {first['input']!r}" if isinstance(first["input"], (str, int, float, bool)) else ""
    return f"{place + ': ' if place else ''}{first['msg'].removeprefix('Value error, ')}{seen}"


def read_targets(path: Path) -> Targets:
    """Read a targets.toml. Raises Misuse that names the file, the place, the value and what is expected."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, of brackets in brackets
        raise Misuse(f"{path} is not TOML: {error}") from error
    try:
        return Targets.model_validate(content)
    except ValidationError as error:
        raise Misuse(f"{path}: {_one_line(error)}") from error
