"""All configurations in random order: exhaustive if there is enough time, otherwise a random search."""

from __future__ import annotations

import random

from rooftop.parameters.space import Space


class Shuffled:
    """Implements Strategy."""

    def __init__(self, size: int, seed: int) -> None:
        self._left = list(range(size))
        random.Random(seed).shuffle(self._left)

    def ask(self) -> int | None:
        return self._left.pop() if self._left else None

    def tell(self, place: int, log_cost: float | None) -> None:
        """Learn only that the configuration was tried."""
        if place in self._left:
            self._left.remove(place)


def begin(space: Space, seed: int) -> Shuffled:
    return Shuffled(len(space), seed)
