"""NumPy's basic indexing as hyperslabs of an HDF5 dataset."""

from __future__ import annotations

from struct import Struct
from typing import Any

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.h5io.library import DIMENSIONS, H5ArgumentError

_SPANS = [Struct(f"={4 * dimensions}Q") for dimensions in range(DIMENSIONS + 1)]
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_ALL = slice(None)


def selected(index: Any, shape: tuple[int, ...]) -> tuple[bytes, tuple[int, ...]]:
    """Return a span for each dimension, packed for C, and the shape of the result. Integers drop their dimension.

    `index` is an integer, a slice, an ellipsis or a tuple of them. Raises H5ArgumentError for anything else, for steps
    below 1, and for integers out of range.
    """
    words = index if isinstance(index, tuple) else (index,)
    if len(words) != len(shape) or _has_ellipsis(words):
        words = _completed(index, words, len(shape))
    numbers: list[int] = []
    result: list[int] = []
    dimension = 0  # counted here: enumerate() takes twice as long, and this is done for each element
    for word in words:
        extent = shape[dimension]
        if word is _ALL:
            numbers += (0, 1, extent or 1, extent)
            result.append(extent)
        elif isinstance(word, slice):
            span = _span(word, extent, dimension)
            numbers += span
            result.append(span[1] * span[3])
        else:
            number = word if type(word) is int else whole(f"index {dimension}", word, H5ArgumentError)
            if not -extent <= number < extent:
                raise H5ArgumentError(f"index {dimension} is {number}; the dimension has {extent} elements")
            numbers += (number % extent, 1, 1, 1)
        dimension += 1
    return _SPANS[dimension].pack(*numbers), tuple(result)


def _has_ellipsis(words: tuple[Any, ...]) -> bool:
    # By identity: an array among them compares by elements.
    for word in words:  # noqa: SIM110 - a generator takes several times as long
        if word is Ellipsis:
            return True
    return False


def _completed(index: Any, words: tuple[Any, ...], dimensions: int) -> tuple[Any, ...]:
    """Return an index with a word for each dimension, of one with an ellipsis or without the last dimensions."""
    place = count = 0
    for number, word in enumerate(words):
        if word is Ellipsis:
            place, count = number, count + 1
    if count > 1:
        raise H5ArgumentError(f"the index is {index!r}; expected at most one ellipsis")
    missing = dimensions - len(words) + count
    if missing < 0:
        raise H5ArgumentError(f"the index has {len(words)} parts; the dataset has {dimensions} dimensions")
    if count == 0:
        return words + (_ALL,) * missing
    return words[:place] + (_ALL,) * missing + words[place + 1 :]


def _span(word: slice, extent: int, dimension: int) -> tuple[int, int, int, int]:
    """Return a slice's start, count, stride and block."""
    for part in (word.start, word.stop, word.step):
        if part is not None and not (type(part) is int and _LEAST <= part <= _MOST):
            whole(f"index {dimension}", part, H5ArgumentError)
    if word.step is not None and word.step < 1:
        raise H5ArgumentError(f"index {dimension} has a step of {word.step}; expected 1 or more")
    start, stop, step = word.indices(extent)
    if stop <= start:
        return start, 0, step, 0
    if step == 1:
        return start, 1, stop - start, stop - start
    return start, -((start - stop) // step), step, 1
