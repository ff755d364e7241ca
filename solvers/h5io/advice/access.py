"""Access patterns: a list of selections that a program reads."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse

Index = tuple[slice, ...]
KINDS = ("all", "rows", "columns", "strided:N", "random:N")
_MOST_READS = 64


@dataclass(frozen=True)
class Access:
    """An access pattern.

    kind    "all": the whole dataset at once; "rows": one index of the first dimension at a time; "columns": one index
            of the last dimension at a time; "strided": every N-th element along the last dimension; "random": N single
            elements at random positions
    number  N
    """

    kind: str
    number: int = 1

    def __str__(self) -> str:
        """The pattern in the notation of the option."""
        return f"{self.kind}:{self.number}" if self.kind in ("strided", "random") else self.kind

    def reads(self, shape: Sequence[int], seed: int) -> list[Index]:
        """Return the selections; of many rows, columns or elements, a part of them, evenly spread or random."""
        whole = tuple(slice(0, extent) for extent in shape)
        if self.kind == "all":
            return [whole]
        if self.kind == "strided":
            return [(*whole[:-1], slice(0, shape[-1], self.number))]
        if self.kind == "random":
            places = np.random.default_rng(seed).integers(
                0, shape, size=(min(self.number, _MOST_READS * 16), len(shape))
            )
            return [tuple(slice(int(at), int(at) + 1) for at in place) for place in places]
        dimension = 0 if self.kind == "rows" else len(shape) - 1
        count = min(shape[dimension], _MOST_READS)
        chosen = sorted({shape[dimension] * i // count for i in range(count)})
        return [(*whole[:dimension], slice(at, at + 1), *whole[dimension + 1 :]) for at in chosen]


def access_named(text: str) -> Access:
    """Parse the option. Raises Misuse."""
    kind, colon, number = text.partition(":")
    if text in ("all", "rows", "columns"):
        return Access(text)
    if kind in ("strided", "random") and colon and number.isdecimal() and int(number) >= 1:
        return Access(kind, int(number))
    raise Misuse(f"--access is {text!r}, expected one of {', '.join(KINDS)}, such as strided:4")


def elements_of(index: Index) -> int:
    """Return the number of selected elements."""
    return math.prod(len(range(one.start, one.stop, one.step or 1)) for one in index)


def chunks_of(index: Index, chunk: Sequence[int]) -> int:
    """Return the number of chunks that hold selected elements."""
    count = 1
    for one, length in zip(index, chunk, strict=True):
        step = one.step or 1
        last = one.start + (len(range(one.start, one.stop, step)) - 1) * step
        if step <= length:
            count *= last // length - one.start // length + 1
        else:
            count *= len({at // length for at in range(one.start, one.stop, step)})
    return count


def pieces_of(index: Index, shape: Sequence[int]) -> tuple[int, int, int]:
    """Return the pieces of a selection in a contiguous dataset: their number, length and distance, in elements.

    If distances differ, the smallest one is returned.
    """
    length, unit = 1, 1
    steps: list[tuple[int, int]] = []
    for one, extent in zip(reversed(index), reversed(shape), strict=True):
        step = one.step or 1
        count = len(range(one.start, one.stop, step))
        if count > 1 and step == 1 and not steps and length == unit:
            length *= count
        elif count > 1:
            steps.append((count, step * unit))
        unit *= extent
    return math.prod(count for count, _ in steps), length, min((apart for _, apart in steps), default=length)


def _part(index: Index, part: int, parts: int) -> Index | None:
    """Return a rank's part of a selection, split along its first dimension that is long enough; None if it is empty."""
    counts = [len(range(one.start, one.stop, one.step or 1)) for one in index]
    enough = [dimension for dimension, count in enumerate(counts) if count >= parts]
    dimension = enough[0] if enough else max(range(len(counts)), key=counts.__getitem__)
    one, count = index[dimension], counts[dimension]
    first, end = count * part // parts, count * (part + 1) // parts
    if first == end:
        return None
    step = one.step or 1
    cut = slice(one.start + first * step, one.start + (end - 1) * step + 1, one.step)
    return (*index[:dimension], cut, *index[dimension + 1 :])


def divided(reads: Sequence[Index], ranks: int) -> list[list[Index]]:
    """Return the reads of each rank: some of all reads or, if there are fewer reads than ranks, a part of each."""
    if len(reads) >= ranks:
        return [list(reads[len(reads) * r // ranks : len(reads) * (r + 1) // ranks]) for r in range(ranks)]
    parts = [[_part(index, r, ranks) for index in reads] for r in range(ranks)]
    return [[index for index in part if index is not None] for part in parts]


def sample_shape(shape: Sequence[int], itemsize: int, most_bytes: int) -> tuple[int, ...]:
    """Return the shape of a part of an array that fits: the first dimensions are shortened as far as needed."""
    sample = list(shape)
    for dimension in itertools.count():
        excess = math.prod(sample) * itemsize / most_bytes
        if excess <= 1 or dimension == len(sample):
            return tuple(sample)
        sample[dimension] = max(1, int(sample[dimension] / excess))
    raise AssertionError
