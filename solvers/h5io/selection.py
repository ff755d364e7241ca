"""NumPy's basic indexing as hyperslabs of an HDF5 dataset."""

from __future__ import annotations

from typing import Any

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.h5io.library import H5ArgumentError, Span


def selected(index: Any, shape: tuple[int, ...]) -> tuple[list[Span], tuple[int, ...]]:
    """Return a span for each dimension, and the shape of the result. Dimensions indexed by an integer are dropped.

    `index` is an integer, a slice, an ellipsis or a tuple of them. Raises H5ArgumentError for anything else, for steps
    below 1, and for integers out of range.
    """
    words = index if isinstance(index, tuple) else (index,)
    open_places = [place for place, word in enumerate(words) if word is Ellipsis]
    if len(open_places) > 1:
        raise H5ArgumentError(f"the index is {index!r}; expected at most one ellipsis")
    missing = len(shape) - (len(words) - len(open_places))
    if missing < 0:
        raise H5ArgumentError(f"the index has {len(words)} parts; the dataset has {len(shape)} dimensions")
    place = open_places[0] if open_places else len(words)
    words = (*words[:place], *[slice(None)] * missing, *words[place + 1 :])
    spans, result = [], []
    for dimension, (word, extent) in enumerate(zip(words, shape, strict=True)):
        if isinstance(word, slice):
            span = _span(word, extent, dimension)
            result.append(int(span.count * span.block))
        else:
            number = whole(f"index {dimension}", word, H5ArgumentError)
            if not -extent <= number < extent:
                raise H5ArgumentError(f"index {dimension} is {number}; the dimension has {extent} elements")
            span = Span(number % extent, 1, 1, 1)
        spans.append(span)
    return spans, tuple(result)


def _span(word: slice, extent: int, dimension: int) -> Span:
    for part in (word.start, word.stop, word.step):
        if part is not None:
            whole(f"index {dimension}", part, H5ArgumentError)
    if word.step is not None and word.step < 1:
        raise H5ArgumentError(f"index {dimension} has a step of {word.step}; expected 1 or more")
    start, stop, step = word.indices(extent)
    count = len(range(start, stop, step))
    if step == 1:
        return Span(start, min(count, 1), max(count, 1), count)
    return Span(start, count, step, 1)
