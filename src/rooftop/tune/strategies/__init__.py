"""Search strategies: each module here is one, and its name is the strategy's. No list is edited."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from rooftop.errors import Misuse
from rooftop.parameters.space import Space


class Strategy(Protocol):
    """Proposes configurations, as indices in a space, and learns their costs."""

    def ask(self) -> int | None:
        """Return a configuration not returned before; None if there is none left."""
        ...

    def tell(self, place: int, log_cost: float | None) -> None:
        """Learn the log of a configuration's cost relative to the default; None: it is not usable."""
        ...


# Names of the same strategies in Kernel Tuner and Optuna.
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
    """Return this package's name for a strategy, given that or a name of Kernel Tuner or Optuna."""
    return KNOWN_AS.get(name, name)


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def begin(name: str, space: Space, seed: int) -> Strategy:
    """Return a new strategy of this name. Raises Misuse."""
    if name not in names():
        raise Misuse(
            f"--strategy is {name!r}, expected auto, {', '.join(names())}, or a name of these in Kernel Tuner or "
            f"Optuna: {', '.join(KNOWN_AS)}"
        )
    module = importlib.import_module(f"{__name__}.{name}")
    made: Strategy = module.begin(space, seed)
    return made
