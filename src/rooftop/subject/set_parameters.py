"""Reads parameters of a rung's cases from the words after its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung


def set_parameters(rung: Rung, words: Sequence[str]) -> Rung:
    """Return a rung whose cases have parameters as words say, each NAME=VALUE. Raises Misuse."""
    from rooftop.parameters.values import number

    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier() or not value:
            raise Misuse(
                f"{word!r} stands after {rung.name}, expected a parameter of its cases such as n=8, and options before "
                "the rung"
            )
        if name in parameters:
            raise Misuse(f"{rung.name} is given {name!r} twice, expected one value")
        worth = number(value)
        parameters[name] = value if worth is None else worth
    return rung.on(parameters=parameters) if parameters else rung
