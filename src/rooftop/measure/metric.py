"""What a comparison is about: time, or another figure of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Metric:
    """A figure of every sample, or each of many.

    figure  its name among a sample's figures; None: the time for one run
    unit    "s", "B", …
    better  whether less of it is better, or more
    each    the metric is every figure whose name begins with `figure`; their geometric mean stands for all of them
    """

    figure: str | None
    unit: str
    better: Better = "lower"
    each: bool = False

    def names(self, figures: Mapping[str, float]) -> list[str]:
        """Return the names of the figures that a metric of many is about, and that can be compared: above 0."""
        return [name for name in self.all_names(figures) if figures[name] > 0]

    def all_names(self, figures: Mapping[str, float]) -> list[str]:
        """Return the names of the figures that a metric of many is about."""
        return [name for name in figures if self.each and self.figure and name.startswith(self.figure)]

    def cost(self, value: float) -> float:
        """Return a value as one of which less is better, in proportion."""
        return value if self.better == "lower" else 1.0 / value


TIME = Metric(None, "s")
