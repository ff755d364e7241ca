"""Element types as NumPy dtypes, and conversion of values from the C library."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.library import H5FileError

_POINTER = np.dtype(np.uintp)
_SEQUENCE = np.dtype([("count", np.uintp), ("first", np.uintp)])  # hvl_t
_SPACE = ord(" ")


@dataclass(frozen=True)
class Element:
    """A type of element.

    raw        as the C library reads it
    dtype      as it is in arrays: texts and sequences are objects
    structure  `structure` of rooftop/h5io.hpp
    as_stored  whether the file has `raw`, bit by bit
    """

    raw: np.dtype[Any]
    dtype: np.dtype[Any]
    structure: Any
    as_stored: bool

    @property
    def is_raw(self) -> bool:
        """Whether arrays have what is read, as it is."""
        return not _is_made(self.structure)

    def values(self, raw: NDArray[Any]) -> NDArray[Any]:
        """Return an array of `dtype`; `raw` itself where nothing has to be made."""
        return raw if self.is_raw else _made(raw, self.structure)


def element_of(handle: Handle, where: str) -> Element:
    """Return a dataset's element. Raises H5FileError where NumPy has no such type."""
    describe, needed, stored = library.load().rooftop_h5io_structure, ctypes.c_size_t(), ctypes.c_int32()
    told = (ctypes.byref(needed), ctypes.byref(stored))
    library.check(describe(handle, None, 0, *told))
    text = ctypes.create_string_buffer(needed.value + 1)
    library.check(describe(handle, text, needed.value, *told))
    try:
        structure = json.loads(text.raw[: needed.value].decode("utf-8", "surrogateescape"))
        return Element(_raw(structure), _final(structure), structure, bool(stored.value))
    except (ValueError, TypeError, RecursionError) as error:
        raise H5FileError(f"{where} is of a type that NumPy does not have: {error}") from None


def _dtype(words: Any) -> np.dtype[Any]:
    """Return the result of a NumPy call that its type stubs do not cover."""
    found: np.dtype[Any] = np.dtype(words)
    return found


def _raw(structure: Any) -> np.dtype[Any]:
    if isinstance(structure, str):
        return _dtype(structure)
    if "string" in structure:
        return _dtype(structure["string"])
    if "text" in structure:
        return _POINTER
    if "sequence" in structure:
        return _SEQUENCE
    if "base" in structure:
        return _dtype((_raw(structure["base"]), tuple(structure["shape"])))
    formats = [_raw(one) for one in structure["formats"]]
    return _dtype({**structure, "formats": formats})


def _final(structure: Any) -> np.dtype[Any]:
    if not _is_made(structure):
        return _raw(structure)
    if "string" in structure:
        return _dtype(structure["string"])
    if "text" in structure or "sequence" in structure:
        return _dtype(object)
    if "base" in structure:
        return _dtype((_final(structure["base"]), tuple(structure["shape"])))
    return _dtype({"names": structure["names"], "formats": [_final(one) for one in structure["formats"]]})


def _is_made(structure: Any) -> bool:
    """Return whether values have to be made: from pointers, or from strings within that end early."""
    if isinstance(structure, str):
        return False
    if "base" in structure:
        return _is_made(structure["base"])
    if "names" in structure:
        return any(_is_made(one) for one in structure["formats"])
    return True


def _made(raw: NDArray[Any], structure: Any) -> NDArray[Any]:
    if not _is_made(structure):
        return raw
    if "string" in structure:
        return _ended(raw, structure["ends"])
    if "text" in structure:
        return _texts(raw)
    if "sequence" in structure:
        return _sequences(raw, structure["sequence"])
    if "base" in structure:
        return _made(raw, structure["base"])  # NumPy has the array's dimensions among the others
    values = np.empty(raw.shape, _final(structure))
    for name, part in zip(structure["names"], structure["formats"], strict=True):
        values[name] = _made(raw[name], part)
    return values


@lru_cache(maxsize=64)
def _pointers_to_texts(count: int) -> Any:
    """Return the type of an array of so many pointers: to make one takes as long as to read some hundred texts."""
    return ctypes.c_char_p * count


def _texts(raw: NDArray[Any]) -> NDArray[Any]:
    values = np.empty(raw.size, object)
    if raw.size:
        found = _pointers_to_texts(raw.size).from_buffer(np.ascontiguousarray(raw))[:]
        values[:] = [b"" if one is None else one for one in found] if None in found else found
    return values.reshape(raw.shape)


def _objects(found: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    values = np.empty(len(found), object)
    for place, one in enumerate(found):
        values[place] = one
    return values.reshape(shape)


def _sequences(raw: NDArray[Any], structure: Any) -> NDArray[Any]:
    kind, found = _raw(structure), []
    for count, first in zip(raw["count"].ravel().tolist(), raw["first"].ravel().tolist(), strict=True):
        copy = np.empty(count if first else 0, kind)
        if copy.nbytes:
            ctypes.memmove(copy.ctypes.data, first, copy.nbytes)
        found.append(_made(copy, structure))
    return _objects(found, raw.shape)


def _ended(raw: NDArray[Any], ends: str) -> NDArray[Any]:
    """Return strings with nulls behind their end: the first null, or the last character that is no space."""
    size = raw.dtype.itemsize
    values = raw.copy()
    letters = values.reshape(-1).view(np.uint8).reshape(-1, size)
    if ends == "null":
        beyond = np.logical_or.accumulate(letters == 0, axis=1)
    else:
        beyond = np.logical_and.accumulate(letters[:, ::-1] == _SPACE, axis=1)[:, ::-1]
    letters[beyond] = 0
    return values
