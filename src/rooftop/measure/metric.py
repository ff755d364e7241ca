"""What a comparison is about: time, or another figure of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Metric:
    """A figure of every sample.

    figure  its name among a sample's figures; None: the time for one run
    unit    "s", "B", …
    better  whether less of it is better, or more
    """

    figure: str | None
    unit: str
    better: Better = "lower"

    def cost(self, value: float) -> float:
        """Give a value as one of which less is better, in proportion."""
        return value if self.better == "lower" else 1.0 / value


TIME = Metric(None, "s")
