"""Requests of campaigns about commands: their own options, and how commands are measured.

Every option is declared once, at its field. The command line, the TOML key, the stored request, the "reproduce" line
and the default follow from it.
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
    """Base of requests. `how`: metric, checks, limits, seed and budget."""

    how: Measurement = field(default_factory=Measurement)

    @classmethod
    def of(cls, how: Measurement, **own: Any) -> Self:
        """Return a request with this measurement; `own`: its other fields."""
        return cls(**own, how=how)

    def measured(self, **changes: Any) -> Self:
        """Return the request with changed options of `how`."""
        return replace(self, how=replace(self.how, **changes))

    def stored(self) -> dict[str, Any]:
        """Return the request as stored, in JSON types."""
        found: dict[str, Any] = TypeAdapter(type(self)).dump_python(self, mode="json")
        return found

    @classmethod
    def from_stored(cls, content: Mapping[str, Any]) -> Self:
        """Return the request from `stored`, ignoring unknown keys. Raises ValueError for invalid values."""
        if "how" not in content:
            raise ValueError("the stored request has no 'how'")
        own = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in content.items() if key in own})


def reproduce(
    kind: str,
    request: Any,
    commands: Sequence[tuple[Sequence[str], str]],
    revisions: Sequence[str] = (),
) -> str:
    """Return the command line that repeats a request with a new seed.

    request   a MeasuredCommand, or a Measurement with options of its own
    commands  words and text of each command
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
    """Return the default measurement of a kind of campaign."""
    if issubclass(model, Measurement):
        return Measurement()
    request: Any = model()
    usual: Measurement = request.how
    return usual
