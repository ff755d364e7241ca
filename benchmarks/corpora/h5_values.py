"""Values of HDF5 files held against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def _unlike_objects(given: NDArray[Any], right: NDArray[Any]) -> str:
    for place, (one, other) in enumerate(zip(given.ravel(), right.ravel(), strict=True)):
        if isinstance(other, np.ndarray):
            # h5py has a sequence's numbers in the machine's order of bytes.
            own = np.asarray(one)
            told = unlike(own.astype(own.dtype.newbyteorder("=")), other.astype(other.dtype.newbyteorder("=")))
            if told:
                return f"element {place}: {told}"
            continue
        first = one.encode("utf-8", "surrogateescape") if isinstance(one, str) else one
        second = other.encode("utf-8", "surrogateescape") if isinstance(other, str) else other
        if first != second:
            return f"element {place} is {one!r}, expected {other!r}"
    return ""


def unlike(given: NDArray[Any], right: NDArray[Any]) -> str:
    """Return how two arrays differ, "" where they do not: every byte counts, but for what lies between fields."""
    if given.shape != right.shape:
        return f"shape {given.shape}, expected {right.shape}"
    if right.dtype.names is not None:
        if given.dtype.names != right.dtype.names:
            return f"fields {given.dtype.names}, expected {right.dtype.names}"
        for name in right.dtype.names:
            if told := unlike(given[name], right[name]):
                return f"field {name}: {told}"
        return ""
    if right.dtype.hasobject or given.dtype.hasobject:
        if right.dtype.hasobject != given.dtype.hasobject:
            return f"{given.dtype}, expected {right.dtype}"
        return _unlike_objects(given, right)
    if given.dtype.kind == "V" and right.dtype.kind in "mM":  # opaque bytes, and h5py knows their tag
        right = right.view(f"V{right.dtype.itemsize}")
    if given.dtype.str[0] != right.dtype.str[0] or given.dtype.itemsize != right.dtype.itemsize:
        return f"{given.dtype}, expected {right.dtype}"
    if given.dtype.kind != right.dtype.kind and not {given.dtype.kind, right.dtype.kind} <= set("buiV"):
        return f"{given.dtype}, expected {right.dtype}"
    if given.dtype.kind == right.dtype.kind == "f" and given.dtype.itemsize > 8:
        equal = bool(np.array_equal(given, right, equal_nan=True))  # a long double has bytes without a meaning
    else:
        equal = np.array_equal(_bytes_of(given), _bytes_of(right))
    return "" if equal else _first_difference(given, right)


def _bytes_of(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Return rows of each element's bytes."""
    return np.ascontiguousarray(values).reshape(-1, 1).view(np.uint8)


def _first_difference(given: NDArray[Any], right: NDArray[Any]) -> str:
    one, other = _bytes_of(given), _bytes_of(right)
    places = np.flatnonzero((one != other).any(axis=1))
    if not len(places):
        return "they are not equal"
    first = int(places[0])
    return (
        f"{len(places)} of {right.size} values differ, element {first} is {given.ravel()[first]!r}, "
        f"expected {right.ravel()[first]!r}"
    )
