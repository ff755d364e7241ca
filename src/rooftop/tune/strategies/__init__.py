"""Ways to search a space, one file each: a file here is a strategy by its name, and no list is edited."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from rooftop.errors import Misuse
from rooftop.parameters.space import Space


class Strategy(Protocol):
    """Proposes configurations, by their places in a space, and learns how they did."""

    def ask(self) -> int | None:
        """Return a configuration that was not given before; None when there is none left."""
        ...

    def tell(self, place: int, log_cost: float | None) -> None:
        """Learn the logarithm of a configuration's cost beside the default's; None: it cannot be used."""
        ...


# What optimizers that people know call a search of the same kind.
KNOWN_AS = {
    "brute_force": "shuffled",
    "random_sample": "shuffled",
    "GridSampler": "shuffled",
    "BruteForceSampler": "shuffled",
    "RandomSampler": "shuffled",
    "random": "shuffled",
    "TPESampler": "tpe",
    "TPE": "tpe",
}


def own_name(name: str) -> str:
    """Return what a strategy is called here, also by a name that Kernel Tuner or Optuna gives it."""
    return KNOWN_AS.get(name, name)


def names() -> list[str]:
    """Return the names of all strategies."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def begin(name: str, space: Space, seed: int) -> Strategy:
    """Return a strategy at its beginning. Raises Misuse."""
    if name not in names():
        raise Misuse(
            f"--strategy is {name!r}, expected auto, {', '.join(names())}, or one of Kernel Tuner's and Optuna's names "
            f"for these: {', '.join(KNOWN_AS)}"
        )
    module = importlib.import_module(f"{__name__}.{name}")
    made: Strategy = module.begin(space, seed)
    return made
