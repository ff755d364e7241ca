"""Filters by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rooftop.solvers.h5io.library import H5ArgumentError

# Parameters as each plugin documents them; a level takes the place of None.
_DEFLATE, _SHUFFLE = 1, 2
_NAMED: dict[str, tuple[int, tuple[int | None, ...], int]] = {
    "deflate": (_DEFLATE, (None,), 4),
    "shuffle": (_SHUFFLE, (), 0),
    "lz4": (32004, (), 0),
    "bitshuffle": (32008, (0, 2), 0),  # blocks of its own choice, then LZ4
    "zstd": (32015, (None,), 3),
    "blosc": (32001, (0, 0, 0, 0, None, 1, 1), 5),  # a byte shuffle, then LZ4
    "blosc2": (32026, (0, 0, 0, 0, None, 1, 1), 5),
}


def named(number: int, name: str) -> str:
    """Return the short name of a filter, or the one that a file has for it, or its number."""
    known = {one: short for short, (one, _, _) in _NAMED.items()}
    return known.get(number) or name or str(number)


def filter_step(given: Any) -> tuple[int, tuple[int, ...]]:
    """Return a filter's number and parameters.

    `given` is a name, with a level behind a colon where the filter has one ("deflate:6"), or what the package
    hdf5plugin makes, such as ``hdf5plugin.Zstd()``. Raises H5ArgumentError for anything else.
    """
    if isinstance(given, Mapping) and "compression" in given:
        return int(given["compression"]), tuple(int(one) for one in given.get("compression_opts", ()))
    if not isinstance(given, str) or given.partition(":")[0] not in _NAMED:
        names = ", ".join(_NAMED)
        raise H5ArgumentError(f"filter is {given!r}; expected one of {names}, or what hdf5plugin makes")
    name, colon, level = given.partition(":")
    number, parameters, default = _NAMED[name]
    if not colon:
        return number, tuple(default if one is None else one for one in parameters)
    if None not in parameters or not level.isdecimal():
        raise H5ArgumentError(f"filter is {given!r}; expected a level, such as deflate:6, for a filter that has one")
    return number, tuple(int(level) if one is None else one for one in parameters)
