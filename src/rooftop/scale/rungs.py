"""Turns a point of a curve into a rung that is measured there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooftop.launchers.openmp import openmp
from rooftop.parameters.values import number
from rooftop.scale.points import Point

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung


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
