"""All configurations in random order: exhaustive where the time suffices, and random search where it does not."""

from __future__ import annotations

import random

from rooftop.parameters.space import Space


class Shuffled:
    """See Strategy."""

    def __init__(self, size: int, seed: int) -> None:
        self._left = list(range(size))
        random.Random(seed).shuffle(self._left)

    def ask(self) -> int | None:
        """See Strategy."""
        return self._left.pop() if self._left else None

    def tell(self, place: int, log_cost: float | None) -> None:
        """See Strategy. Nothing is learnt but that it need not be asked for again."""
        if place in self._left:
            self._left.remove(place)


def begin(space: Space, seed: int) -> Shuffled:
    """See rooftop.tune.strategies."""
    return Shuffled(len(space), seed)
