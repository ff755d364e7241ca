"""Read and write values of datasets block by block."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from h5py import h5s
from numpy.typing import NDArray

from rooftop.solvers.h5io import Dataset, H5FileError
from rooftop.solvers.h5io.advice.access import Index


def _counts(index: Index) -> tuple[int, ...]:
    return tuple(one.stop - one.start for one in index)


def _spaces(dataset: Any, index: Index) -> tuple[Any, Any]:
    """Return dataspaces in memory and in the file for a selection."""
    space = dataset.get_space()
    if not index:
        return h5s.create(h5s.SCALAR), space
    counts = _counts(index)
    space.select_hyperslab(tuple(one.start for one in index), counts)
    return h5s.create_simple(counts), space


class Room:
    """Reusable memory for one block."""

    def __init__(self) -> None:
        self._bytes: NDArray[np.uint8] = np.empty(0, np.uint8)

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return an array that is valid until the next call."""
        needed = math.prod(shape) * dtype.itemsize
        if self._bytes.size < needed:
            self._bytes = np.empty(0, np.uint8)  # free the old memory first
            self._bytes = np.empty(needed, np.uint8)
        return self._bytes[:needed].view(dtype).reshape(shape)


def bits_by_library(dataset: Any, index: Index, room: Room) -> NDArray[Any]:
    """Return the bits of a selection, read by the HDF5 library without conversion."""
    kind, (memory, file) = dataset.get_type(), _spaces(dataset, index)
    values = room.array(_counts(index), np.dtype(f"V{kind.get_size()}"))
    dataset.read(memory, file, values, mtype=kind)
    return values


def write_bits_by_library(dataset: Any, index: Index, values: NDArray[Any]) -> None:
    """Write the bits of a selection by the HDF5 library without conversion."""
    kind, (memory, file) = dataset.get_type(), _spaces(dataset, index)
    dataset.write(memory, file, values.view(f"V{kind.get_size()}"), mtype=kind)


def values_by_library(dataset: Any, index: Index) -> NDArray[Any]:
    """Return the values of a selection as h5py's objects: strings as bytes, sequences as arrays, references."""
    memory, file = _spaces(dataset, index)
    values = np.empty(_counts(index), dataset.dtype)
    dataset.read(memory, file, values)
    return values


def write_values_by_library(dataset: Any, index: Index, values: NDArray[Any]) -> None:
    """Write values to a selection by the HDF5 library, in the form that `values_by_library` returns."""
    memory, file = _spaces(dataset, index)
    dataset.write(memory, file, values)


class Bits:
    """Reads the bits of a dataset: by h5io with all threads, or by the HDF5 library if h5io cannot."""

    def __init__(self, by_library: Any, by_h5io: Dataset | None, room: Room, threads: int) -> None:
        self._by_library, self._by_h5io, self._room, self._threads = by_library, by_h5io, room, threads

    def read(self, index: Index) -> NDArray[Any]:
        """Return the bits of a selection, valid until the next read into the same room."""
        if self._by_h5io is not None:
            out = self._room.array(_counts(index), self._by_h5io.dtype)
            try:
                return self._by_h5io.read(index, out, threads=self._threads)
            except H5FileError:
                pass
        return bits_by_library(self._by_library, index, self._room)
