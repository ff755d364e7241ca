"""Which rungs can be compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung


def require_comparable(names: Sequence[str], rungs: Sequence[Rung | None]) -> None:
    """Raise Misuse unless all of what is compared are commands, or all are rungs of one experiment."""
    found = [rung for rung in rungs if rung is not None]
    if not found:
        return
    if len(found) < len(rungs):
        command = next(name for name, rung in zip(names, rungs, strict=True) if rung is None)
        raise Misuse(f"{found[0].name} is a rung and {command!r} is a command, expected one or the other")
    for one in found:
        if one.experiment != found[0].experiment:
            raise Misuse(f"{found[0].name} and {one.name} solve different problems, expected rungs of one experiment")
