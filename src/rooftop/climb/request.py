"""The request of a climb: what the user asked for, checked and in stored form."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from fnmatch import fnmatchcase
from typing import Any

from rooftop.errors import Misuse
from rooftop.ladder.discovery import Found, Module
from rooftop.measure.rules import Rules
from rooftop.text.nearest import nearest

DEFAULT_SIZE = "quick"
_BUDGET_S = {"quick": 180.0}
_LONGER_BUDGET_S = 900.0


@dataclass(frozen=True)
class Request:
    """What to climb. None: not given, so the default applies, or the value of the climb that is resumed.

    names        experiments or groups of them; empty: all that are neither hidden nor in a group
    only         patterns of rungs and peers; empty: all
    pairs        minimum number of pairs of each comparison, if time allows
    experiments  folder of the experiments
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
        return asdict(self)

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Request:
        """Return the request that `stored` returned as a dictionary."""
        own = {one.name for one in fields(Request)}
        known: dict[str, Any] = {name: value for name, value in content.items() if name in own}
        return Request(**known | {name: tuple(value) for name, value in known.items() if isinstance(value, list)})

    @property
    def how(self) -> Request:
        return self

    def measured(self, **changes: Any) -> Request:
        """Return the request with changed fields."""
        return replace(self, **changes)

    def prepared(self) -> Request:
        """Return the request with its size, the default if none is given."""
        return replace(self, size=self.size or DEFAULT_SIZE)

    def checked(self) -> Request:
        """Return the request itself. Raises Misuse for a value out of range."""
        if self.threads is not None and not 1 <= self.threads <= 4096:
            raise Misuse(f"--threads is {self.threads}, expected a number of threads from 1 to 4096")
        if self.seed is not None and not 0 <= self.seed < 2**63:
            raise Misuse(f"--seed is {self.seed}, expected a whole number from 0 to 2^63 - 1")
        if self.pairs is not None and not 1 <= self.pairs <= Rules().max_blocks:
            raise Misuse(f"--pairs is {self.pairs}, expected a number of pairs from 1 to {Rules().max_blocks}")
        return self

    def default_budget_s(self) -> float:
        """Return the default budget for the size, in seconds."""
        return _BUDGET_S.get(self.size or DEFAULT_SIZE, _LONGER_BUDGET_S)

    def chooses(self, module: Module) -> bool:
        """Return whether a rung or peer matches a pattern, with or without its instruction set."""
        plain = module.name.removesuffix(f".{module.isa}") if module.isa else module.name
        return not self.only or any(fnmatchcase(name, want) for want in self.only for name in (module.name, plain))

    def check_only(self, found: list[Found]) -> None:
        """Raise Misuse for a pattern that matches no rung or peer."""
        modules = [module for experiment in found for module in experiment.modules]
        for want in self.only:
            if not any(replace(self, only=(want,)).chooses(module) for module in modules):
                names = nearest(want, (module.name for module in modules), "rooftop show NAME")
                raise Misuse(f"--only {want} matches no rung or peer; {names}")
