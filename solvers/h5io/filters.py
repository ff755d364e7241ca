"""Filters by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rooftop.solvers.h5io.library import H5ArgumentError

# Parameters as documented by each plugin. None is replaced by the level.
_DEFLATE, _SHUFFLE, _FLETCHER32 = 1, 2, 3
_BLOSC, _BITSHUFFLE, _BLOSC2 = 32001, 32008, 32026
# If a number has several names, the first one is shown.
_NAMED: dict[str, tuple[int, tuple[int | None, ...], int]] = {
    "deflate": (_DEFLATE, (None,), 4),
    "shuffle": (_SHUFFLE, (), 0),
    "fletcher32": (_FLETCHER32, (), 0),
    "lz4": (32004, (), 0),
    "bitshuffle": (_BITSHUFFLE, (0, 2), 0),  # default block size, then LZ4
    "bitshuffle-lz4": (_BITSHUFFLE, (0, 2), 0),
    "bitshuffle-zstd": (_BITSHUFFLE, (0, 3, None), 3),
    "zstd": (32015, (None,), 3),
    "blosc": (_BLOSC, (0, 0, 0, 0, None, 1, 1), 5),  # a byte shuffle, then LZ4
    "blosc-lz4": (_BLOSC, (0, 0, 0, 0, None, 1, 1), 5),
    "blosc-zstd": (_BLOSC, (0, 0, 0, 0, None, 1, 5), 5),
    "blosc2": (_BLOSC2, (0, 0, 0, 0, None, 1, 1), 5),
    "blosc2-lz4": (_BLOSC2, (0, 0, 0, 0, None, 1, 1), 5),
    "blosc2-zstd": (_BLOSC2, (0, 0, 0, 0, None, 1, 5), 5),
}

NAMES = tuple(_NAMED)
NUMBERS = frozenset(number for number, _, _ in _NAMED.values())


def named(number: int, name: str) -> str:
    """Return the name of a filter: the one of this module, else the one stored in the file, else its number."""
    for short, (one, _, _) in _NAMED.items():
        if one == number:
            return short
    return name or str(number)


def filter_step(given: Any) -> tuple[int, tuple[int, ...]]:
    """Return a filter's number and parameters.

    `given` is a name, optionally with a level ("deflate:6"), or an object of the package hdf5plugin such as
    ``hdf5plugin.Zstd()``. Raises H5ArgumentError for anything else.
    """
    if isinstance(given, Mapping) and "compression" in given:
        return int(given["compression"]), tuple(int(one) for one in given.get("compression_opts", ()))
    if not isinstance(given, str) or given.partition(":")[0] not in _NAMED:
        raise H5ArgumentError(f"filter is {given!r}; expected one of {', '.join(NAMES)}, or what hdf5plugin makes")
    name, colon, level = given.partition(":")
    number, parameters, default = _NAMED[name]
    if not colon:
        return number, tuple(default if one is None else one for one in parameters)
    if None not in parameters or not level.isdecimal():
        raise H5ArgumentError(f"filter is {given!r}; expected a level, such as deflate:6, for a filter that has one")
    return number, tuple(int(level) if one is None else one for one in parameters)
