"""Blocks for reading and writing a dataset: whole chunks, decoding few old chunks twice."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.h5io.advice.access import Index
from rooftop.solvers.h5io.repack.corners import corners_of_chunks

_MOST_CHUNKS = 100_000_000  # more are not tracked: each takes a byte


def _up(length: int, unit: int) -> int:
    return -(-length // unit) * unit


def block_shape(
    shape: Sequence[int], itemsize: int, unit: Sequence[int] | None, other: Sequence[int] | None, most_bytes: int
) -> tuple[int, ...]:
    """Return the shape of a block.

    unit        shape of the chunks to write, of which blocks are multiples, however large they are; None: contiguous
    other       shape of the chunks to read; blocks are multiples of it if possible
    most_bytes  maximum size of a block, unless it is a single chunk
    """
    units = tuple(unit or (1,) * len(shape))
    covering = [_up(length, one) for length, one in zip(other or units, units, strict=True)]
    block = list(units)
    for wanted in (covering, [_up(extent, one) for extent, one in zip(shape, units, strict=True)]):
        for dimension in reversed(range(len(shape))):
            rest = math.prod(block) // block[dimension] * itemsize
            room = most_bytes // max(rest, 1) // units[dimension] * units[dimension]
            block[dimension] = max(block[dimension], min(wanted[dimension], room))
    return tuple(max(1, min(length, extent)) for length, extent in zip(block, shape, strict=True))


def blocks_of(shape: Sequence[int], block: Sequence[int]) -> Iterator[Index]:
    """Return the selections of all blocks, in row-major order."""
    starts = [range(0, extent, length) for extent, length in zip(shape, block, strict=True)]
    for start in itertools.product(*starts):
        yield tuple(slice(at, min(at + length, extent)) for at, length, extent in zip(start, block, shape, strict=True))


class ChunksThere:
    """The chunks of a dataset that exist in the file. All others hold fill values."""

    def __init__(self, dataset: Any, shape: Sequence[int], chunk: Sequence[int] | None) -> None:
        self._chunk = tuple(chunk or ())
        self._grid: NDArray[np.bool_] | None = None
        grid = [-(-extent // length) for extent, length in zip(shape, self._chunk, strict=False)]
        if not self._chunk or not 0 < math.prod(grid) <= _MOST_CHUNKS or dataset.get_num_chunks() == math.prod(grid):
            return
        self._grid = there = np.zeros(grid, np.bool_)
        for corner in corners_of_chunks(dataset):
            there[tuple(at // length for at, length in zip(corner, self._chunk, strict=True))] = True

    def _part(self, index: Index) -> NDArray[np.bool_] | None:
        if self._grid is None:
            return None
        part = tuple(
            slice(one.start // length, -(-one.stop // length)) for one, length in zip(index, self._chunk, strict=True)
        )
        return self._grid[part]

    def any_in(self, index: Index) -> bool:
        """Return whether any chunk of a selection exists."""
        part = self._part(index)
        return part is None or bool(part.any())

    def parts_in(self, index: Index, chunk: Sequence[int] | None) -> Iterator[Index]:
        """Return the parts of a block that exist in the file: the whole block, or single chunks.

        Indices are relative to the block.
        """
        shape = [one.stop - one.start for one in index]
        part = self._part(index)
        if chunk is None or part is None or part.all():
            yield tuple(slice(0, length) for length in shape)
            return
        for inner in blocks_of(shape, chunk):
            if self.any_in(moved(inner, index)):
                yield inner


def part_of(values: NDArray[Any], part: Index) -> NDArray[Any]:
    """Return a part of an array; an array even if it is a single value."""
    index: Any = (..., *part)
    found: NDArray[Any] = values[index]
    return found


def moved(inner: Index, outer: Index) -> Index:
    """Return a selection within another selection as a selection of the dataset."""
    return tuple(slice(one.start + base.start, one.stop + base.start) for one, base in zip(inner, outer, strict=True))
