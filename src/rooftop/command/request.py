"""What campaigns about one command are asked in the same form: their own options, and how the command is measured.

Every option is declared once, at its field: the command line, a TOML file, the stored request, the line that asks for
the same again, and the default follow from it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Self

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from rooftop.command.line import SEPARATOR, by_shell
from rooftop.command.measurement import Measurement
from rooftop.command.option import spelled


@dataclass(frozen=True, kw_only=True)
class MeasuredCommand:
    """Base of requests. `how`: what a run is measured by and checked for, its limits, seed and budget."""

    how: Measurement = field(default_factory=Measurement)

    @classmethod
    def of(cls, how: Measurement, **own: Any) -> Self:
        """Return a request that is measured as `how` says; `own`: its other fields."""
        return cls(**own, how=how)

    def measured(self, **changes: Any) -> Self:
        """Return it with other values of what `how` says."""
        return replace(self, how=replace(self.how, **changes))

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it: as JSON has it."""
        found: dict[str, Any] = TypeAdapter(type(self)).dump_python(self, mode="json")
        return found

    @classmethod
    def from_stored(cls, content: Mapping[str, Any]) -> Self:
        """Return what `stored` gave, whatever else is kept with it. Raises ValueError for what cannot be."""
        if "how" not in content:
            raise ValueError("it has no 'how'")
        own = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in content.items() if key in own})


def reproduce(
    kind: str,
    request: Any,
    commands: Sequence[tuple[Sequence[str], str]],
    revisions: Sequence[str] = (),
) -> str:
    """Return the command line that asks for the same again, with a new seed.

    request   a MeasuredCommand, or a Measurement with options of its own
    commands  words and text of each
    """
    how = request.how
    words = ["rooftop", kind, *revisions, *spelled(request, without=("seed",))]
    if how is not request:
        words += spelled(how, usual_measurement(type(request)), without=("seed",))
    for place, (command, text) in enumerate(commands):
        named_shell = how.shell is not None and by_shell(tuple(command))  # which --shell would start once more
        words += [SEPARATOR if place else "--", *((text,) if named_shell else command)]
    return shlex.join(words)


def usual_measurement(model: type) -> Measurement:
    """Return the measurement that a kind's request has by default."""
    if issubclass(model, Measurement):
        return Measurement()
    request: Any = model()
    usual: Measurement = request.how
    return usual
