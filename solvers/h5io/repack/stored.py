"""How a dataset is stored in a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from h5py import h5d, h5s

from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.filters import named

Kind = Literal["compact", "contiguous", "chunked", "external", "virtual"]
_KINDS: dict[int, Kind] = {
    h5d.COMPACT: "compact",
    h5d.CONTIGUOUS: "contiguous",
    h5d.CHUNKED: "chunked",
    h5d.VIRTUAL: "virtual",
}


@dataclass(frozen=True)
class Step:
    """A filter, its parameters, and its name in the file."""

    id: int
    parameters: tuple[int, ...]
    name: str

    @property
    def word(self) -> str:
        """The name of the filter in `rooftop h5 advise`."""
        return named(self.id, self.name)


@dataclass(frozen=True)
class Stored:
    """A layout. `chunk`: the shape of a chunk; None if it is not chunked."""

    kind: Kind
    chunk: tuple[int, ...] | None
    filters: tuple[Step, ...]

    def __str__(self) -> str:
        """The layout in words."""
        if self.kind in ("contiguous", "chunked"):
            return str(Layout(self.chunk, tuple(one.word for one in self.filters)))
        return self.kind


@dataclass(frozen=True)
class Extent:
    """A shape and the maximum shape, with None for unlimited dimensions. `null`: an empty dataspace."""

    shape: tuple[int, ...]
    most: tuple[int | None, ...]
    null: bool = False

    @property
    def elements(self) -> int:
        """The number of elements."""
        return 0 if self.null else math.prod(self.shape)


def layout_of(properties: Any) -> Stored:
    """Return the layout in a dataset's creation properties."""
    kind = _KINDS[properties.get_layout()]
    if kind == "contiguous" and properties.get_external_count() > 0:
        kind = "external"
    steps = []
    if kind == "chunked":
        for i in range(properties.get_nfilters()):
            number, _, parameters, name = properties.get_filter(i)
            steps.append(Step(number, tuple(parameters), name.decode("utf-8", "replace")))
    return Stored(kind, tuple(properties.get_chunk()) if kind == "chunked" else None, tuple(steps))


def extent_of(space: Any) -> Extent:
    """Return a dataspace's extent."""
    if space.get_simple_extent_type() == h5s.NULL:
        return Extent((), (), null=True)
    most = tuple(None if one == h5s.UNLIMITED else int(one) for one in space.get_simple_extent_dims(True))
    return Extent(tuple(space.get_simple_extent_dims()), most)
