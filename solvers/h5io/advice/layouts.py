"""Candidate layouts of a dataset."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_CHUNK_BYTES = (64 << 10, 1 << 20)
#: Filters that are tried, each as `OutputFile.dataset` takes it.
PIPELINES: tuple[tuple[str, ...], ...] = (
    (),
    ("shuffle", "deflate:1"),
    ("shuffle", "deflate:6"),
    ("bitshuffle",),
    ("shuffle", "zstd:3"),
)


@dataclass(frozen=True)
class Layout:
    """The layout of a dataset. `chunk` None: contiguous."""

    chunk: tuple[int, ...] | None
    filters: tuple[str, ...] = ()

    def __str__(self) -> str:
        """In words."""
        if self.chunk is None:
            return "contiguous"
        return "x".join(map(str, self.chunk)) + "".join(f", {one}" for one in self.filters)


def padded_share(chunk: Sequence[int], shape: Sequence[int]) -> float:
    """Return the elements of all chunks, edge chunks included in full, divided by those of the array."""
    return math.prod(-(-extent // length) * length / extent for extent, length in zip(shape, chunk, strict=True))


def _grown(shape: Sequence[int], order: Sequence[int], elements: int) -> tuple[int, ...]:
    """Return a chunk shape of about so many elements, extended along the dimensions in this order."""
    chunk = [1] * len(shape)
    for dimension in order:
        room = max(1, elements // math.prod(chunk))
        chunk[dimension] = min(shape[dimension], room)
    return tuple(chunk)


def balanced(shape: Sequence[int], elements: int) -> tuple[int, ...]:
    """Return a chunk shape of about so many elements, with sides as equal as the array allows."""
    chunk = [1] * len(shape)
    while True:
        growing = [d for d in range(len(shape)) if 2 * chunk[d] <= shape[d]]
        if not growing or 2 * math.prod(chunk) > elements:
            return tuple(chunk)
        chunk[min(growing, key=lambda d: chunk[d])] *= 2


def candidates(shape: Sequence[int], itemsize: int, filters: Sequence[tuple[str, ...]]) -> list[Layout]:
    """Return candidate layouts: contiguous, and chunks elongated along the last dimension, the first, or none."""
    dimensions = list(range(len(shape)))
    chunks: list[tuple[int, ...]] = []
    for limit in _CHUNK_BYTES:
        elements = max(1, limit // itemsize)
        chunks += [
            _grown(shape, dimensions[::-1], elements),
            _grown(shape, dimensions, elements),
            balanced(shape, elements),
        ]
    distinct = list(dict.fromkeys(chunks))
    return [Layout(None), *(Layout(chunk, pipeline) for chunk in distinct for pipeline in filters)]
