"""The points of a curve: numbers of ranks and threads, and the size of the problem."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import simpleeval  # type: ignore[import-untyped]

from rooftop.errors import Misuse
from rooftop.launchers.nodes import ONE_NODE, Nodes
from rooftop.launchers.team import Team, openmp, usable_cores
from rooftop.parameters.space import label
from rooftop.parameters.values import REFUSED, Value, number
from rooftop.scale.laws import Mode

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

RESERVED = ("workers", "ranks", "threads", "cores")
_FUNCTIONS = {
    "sqrt": math.sqrt,
    "cbrt": math.cbrt,
    "log2": math.log2,
    "round": round,
    "ceil": math.ceil,
    "floor": math.floor,
    "int": int,
    "min": min,
    "max": max,
}


@dataclass(frozen=True)
class Point:
    """One point. None: the program has no such workers to set.

    sizes  what stands for {name} in the command
    nodes  that ranks are spread over
    """

    mode: Mode
    ranks: int | None
    threads: int | None
    sizes: Mapping[str, Value] = field(default_factory=dict)
    nodes: Nodes = ONE_NODE

    @property
    def team(self) -> Team:
        """Its ranks and threads: one of each rank where none are set, of which OpenMP would start one per core."""
        return self.nodes.team(self.ranks, self.threads or 1)

    @property
    def workers(self) -> int:
        """Ranks times threads."""
        return self.team.workers

    @property
    def counts(self) -> dict[str, Value]:
        """What is varied, by name."""
        named = (("ranks", self.ranks), ("threads", self.threads))
        return {name: count for name, count in named if count is not None}

    @property
    def name(self) -> str:
        """Its name, unique over both curves: where the size grows it belongs to the name."""
        return label(self.counts | dict(self.sizes) if self.mode == "weak" else self.counts)

    @property
    def values(self) -> dict[str, Value]:
        """The values of the command's placeholders."""
        return {**self.counts, "workers": self.workers, **self.sizes}

    @property
    def oversubscribed(self) -> bool:
        """Whether there are more workers than cores."""
        return self.team.crowded


def read_sizes(option: str, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the (name, text) of each NAME=TEXT. Raises Misuse naming the option."""
    found: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value.strip() or not re.fullmatch(r"[A-Za-z_]\w*", name):
            example = "size=1000*workers" if option == "--weak" else "size=1000"
            raise Misuse(f"{option} is {text!r}, expected NAME=VALUE such as {example}")
        if name in RESERVED:
            raise Misuse(f"{option} names {name!r}, which the points set: expected another name")
        if name in dict(found):
            raise Misuse(f"{option} names {name!r} twice")
        found.append((name, value.strip()))
    return tuple(found)


def _grown(name: str, expression: str, names: Mapping[str, Value]) -> Value:
    """Return a size that grows with the workers. Raises Misuse."""
    evaluator = simpleeval.SimpleEval(names=dict(names), functions=_FUNCTIONS)
    shown = f"--weak {name}={expression}"
    try:
        value = evaluator.eval(expression)
    except REFUSED as error:
        raise Misuse(f"{shown!r} has no value: {error}; it may use {', '.join(names)}") from error
    if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and value > 0):
        raise Misuse(f"{shown!r} is {value!r} with workers={names['workers']}, expected a number above 0")
    return int(value) if float(value).is_integer() else value


def points(
    mode: Mode,
    ranks: Sequence[int] | None,
    threads: Sequence[int] | None,
    sizes: Mapping[str, Value],
    weak: Mapping[str, str],
) -> list[Point]:
    """Return a curve's points, those with the fewest workers first. Raises Misuse.

    sizes  as the user gave them: they hold where nothing grows
    weak   how sizes grow, as expressions; a strong curve takes what they are at its first point
    """
    found = [Point(mode, one, other) for one in ranks or (None,) for other in threads or (None,)]
    found.sort(key=lambda point: (point.workers, point.ranks or 1))
    sized: list[Point] = []
    for point in found:
        at = point if mode == "weak" else found[0]
        names = {"workers": at.workers, "ranks": at.ranks or 1, "threads": at.threads or 1, "cores": usable_cores()}
        worth = {name: value if (one := number(value)) is None else one for name, value in sizes.items()}
        known: dict[str, Value] = {**names, **worth}
        own = dict(sizes)
        for name, expression in weak.items():
            if mode == "weak" or name not in sizes:
                own[name] = _grown(name, expression, known)
        sized.append(Point(mode, point.ranks, point.threads, own))
    return sized


def scaled_rung(rung: Rung, point: Point, bind: str | None) -> Rung:
    """Return a rung at a point; sizes are parameters of its cases. Raises Misuse for what it does not have.

    Ranks have one thread each, unless the point says more.
    """
    worth = {name: value if (spelled := number(value)) is None else spelled for name, value in point.sizes.items()}
    return rung.on(
        ranks=point.ranks,
        threads=point.threads or 1,
        variables=openmp(bind=bind) if bind is not None else None,
        parameters=worth,
    )


def point_words(point: Point) -> list[str]:
    """Return the options that say one point on the command line of ``scale``."""
    counts = [word for name, count in point.counts.items() for word in (f"--{name}", str(count))]
    return [*counts, *(word for name, value in point.sizes.items() for word in ("--size", f"{name}={value}"))]
