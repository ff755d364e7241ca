"""What a climb was asked to do, and the ways to say it."""

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
    """What to climb. None: not said, so a default holds, or what the resumed climb was begun with.

    names        experiments, or groups of them; none for all that are neither hidden nor in a group
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

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Request:
        """Return what `stored` gave."""
        own = {one.name for one in fields(Request)}
        known: dict[str, Any] = {name: value for name, value in content.items() if name in own}
        return Request(**known | {name: tuple(value) for name, value in known.items() if isinstance(value, list)})

    @property
    def how(self) -> Request:
        """Itself: see Asked."""
        return self

    def measured(self, **changes: Any) -> Request:
        """Return it with other values of what all campaigns are asked."""
        return replace(self, **changes)

    def prepared(self) -> Request:
        """Return it with the size that holds where none is said."""
        return replace(self, size=self.size or DEFAULT_SIZE)

    def checked(self) -> Request:
        """Return itself. Raises Misuse for a value that no climb can have."""
        if self.threads is not None and not 1 <= self.threads <= 4096:
            raise Misuse(f"--threads is {self.threads}, expected a number of threads from 1 to 4096")
        if self.seed is not None and not 0 <= self.seed < 2**63:
            raise Misuse(f"--seed is {self.seed}, expected a whole number from 0 to 2^63 - 1")
        if self.pairs is not None and not 1 <= self.pairs <= Rules().max_blocks:
            raise Misuse(f"--pairs is {self.pairs}, expected a number of pairs from 1 to {Rules().max_blocks}")
        return self

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
                names = nearest(want, (module.name for module in modules), "rooftop show NAME")
                raise Misuse(f"--only {want} matches no rung or peer; {names}")
