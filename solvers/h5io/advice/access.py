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
    """One way of reading.

    kind    "all": everything at once; "rows": one index of the first dimension at a time, "columns": of the last one;
            "strided": every N-th element along the last dimension; "random": N elements at places of their own
    number  N
    """

    kind: str
    number: int = 1

    def __str__(self) -> str:
        """As the option has it."""
        return f"{self.kind}:{self.number}" if self.kind in ("strided", "random") else self.kind

    def reads(self, shape: Sequence[int], seed: int) -> list[Index]:
        """Return selections: all of them, or of many rows, columns or elements an evenly spread or a random part."""
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
    """Return the access that an option names. Raises Misuse."""
    kind, colon, number = text.partition(":")
    if text in ("all", "rows", "columns"):
        return Access(text)
    if kind in ("strided", "random") and colon and number.isdecimal() and int(number) >= 1:
        return Access(kind, int(number))
    raise Misuse(f"--access is {text!r}, expected one of {', '.join(KINDS)}, such as strided:4")


def elements_of(index: Index) -> int:
    """Return how many elements are selected."""
    return math.prod(len(range(one.start, one.stop, one.step or 1)) for one in index)


def chunks_of(index: Index, chunk: Sequence[int]) -> int:
    """Return how many chunks hold something of a selection."""
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
    """Return how an array without chunks has a selection: pieces, elements of a piece, and from one to the next.

    Pieces of several distances count by the smallest one.
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
    """Return a part of a selection, cut along its first dimension that has indices for all; None: it is empty."""
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
    """Return what each rank reads: some of the reads, or of fewer reads than ranks a part of each."""
    if len(reads) >= ranks:
        return [list(reads[len(reads) * r // ranks : len(reads) * (r + 1) // ranks]) for r in range(ranks)]
    parts = [[_part(index, r, ranks) for index in reads] for r in range(ranks)]
    return [[index for index in part if index is not None] for part in parts]


def sample_shape(shape: Sequence[int], itemsize: int, most_bytes: int) -> tuple[int, ...]:
    """Return a part of an array that fits: fewer indices of the first dimensions, as far as needed."""
    sample = list(shape)
    for dimension in itertools.count():
        excess = math.prod(sample) * itemsize / most_bytes
        if excess <= 1 or dimension == len(sample):
            return tuple(sample)
        sample[dimension] = max(1, int(sample[dimension] / excess))
    raise AssertionError
