"""What a climb was asked to do, and the ways to say it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from rooftop.discover import Found, Module
from rooftop.errors import Misuse

DEFAULT_SIZE = "quick"
_BUDGET_S = {"quick": 180.0}
_LONGER_BUDGET_S = 900.0
_UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_budget(text: str, option: str = "--budget") -> float:
    """Return the seconds that "90", "90s", "5m" or "1.5h" mean. Raises Misuse naming the option."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|m|min|h)?\s*", text)
    seconds = float(match[1]) * _UNITS[match[2] or "s"] if match else 0.0
    if not 0 < seconds <= 30 * 86400:
        raise Misuse(f"{option} is {text!r}, expected a time such as 90s, 5m or 1.5h")
    return seconds


def budget_text(seconds: float) -> str:
    """Return seconds as a user would write them."""
    for unit, length in (("h", 3600.0), ("m", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.3g}{unit}"
    return f"{seconds:.3g}s"


@dataclass(frozen=True)
class Request:
    """What to climb. None: not said, so a default holds, or what the resumed campaign was begun with.

    names        experiments, none for all that are not hidden
    only         patterns of rungs and peers, none for all
    pairs        that comparisons go on to, where time allows
    experiments  the folder that holds them
    """

    names: tuple[str, ...] = ()
    size: str | None = None
    budget_s: float | None = None
    only: tuple[str, ...] = ()
    threads: int | None = None
    seed: int | None = None
    pairs: int | None = None
    experiments: str | None = None

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        return asdict(self)

    def resuming(self, stored: dict[str, Any]) -> Request:
        """Return the request of the campaign that is resumed; only the budget may be another. Raises Misuse."""
        content: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in stored.items()}
        begun = Request(**content)
        for name in ("names", "size", "only", "threads", "seed", "pairs", "experiments"):
            said, then = getattr(self, name), getattr(begun, name)
            if said not in (None, (), then):
                raise Misuse(
                    f"--resume goes on with {name} {_shown(then)}, and now {_shown(said)} is asked for: leave it out"
                )
        return begun if self.budget_s is None else replace(begun, budget_s=self.budget_s)

    def default_budget_s(self) -> float:
        """Return the budget that holds when none is said."""
        return _BUDGET_S.get(self.size or DEFAULT_SIZE, _LONGER_BUDGET_S)

    def chooses(self, module: Module) -> bool:
        """Whether a rung or peer is to be measured; a pattern may leave the instruction set out."""
        plain = module.name.removesuffix(f".{module.isa}") if module.isa else module.name
        return not self.only or any(fnmatchcase(name, want) for want in self.only for name in (module.name, plain))

    def check_only(self, found: list[Found]) -> None:
        """Raise Misuse for a pattern that matches nothing."""
        modules = [module for experiment in found for module in experiment.modules]
        for want in self.only:
            if not any(replace(self, only=(want,)).chooses(module) for module in modules):
                names = ", ".join(module.name for module in modules)
                raise Misuse(f"--only {want} matches no rung or peer; there are: {names}")


def _shown(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) and value else str(value or "the default")
