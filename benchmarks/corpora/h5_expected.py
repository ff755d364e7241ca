"""What h5py says that a dataset has."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
from h5py import h5s, h5t
from numpy.typing import NDArray

Index = tuple[Any, ...]


def expected(dataset: Any, index: Index) -> NDArray[Any]:
    """Return what is right. References come as bytes of the file.

    Raises what h5py does.
    """
    if not _has_references(dataset.id.get_type()):
        found = _as_array(dataset[index], index, dataset.shape, dataset.dtype)
        return _in_the_files_order(found, dataset.dtype)
    kind, dtype = _with_plain_references(dataset.id.get_type())
    whole = np.zeros(dataset.shape, dtype)
    dataset.id.read(h5s.ALL, h5s.ALL, whole, mtype=kind)
    return _as_array(_in_the_files_order(whole, dtype)[index], index, dataset.shape, dtype)


def _in_the_files_order(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the array with sequences of the type that h5py itself says that they have.

    h5py 3.16 makes their arrays of the machine's order of bytes, and fills in the file's bytes as they are: of
    big-endian numbers, others come out than h5dump has.
    """
    if not dtype.hasobject:
        return values
    if dtype.names is not None:
        for name in dtype.names:
            _in_the_files_order(values[name], dtype[name])
        return values
    inner = h5py.check_vlen_dtype(dtype.base)
    if isinstance(inner, np.dtype):
        for place, one in np.ndenumerate(values):
            if isinstance(one, np.ndarray) and one.dtype == inner.newbyteorder("=") != inner:
                values[place] = one.view(inner)
            elif isinstance(one, np.ndarray):
                _in_the_files_order(one, inner)
    return values


def _as_array(value: Any, index: Index, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array also where the index is of one element."""
    is_one = len(shape) == sum(isinstance(one, int) for one in index) and (shape or index == ())
    if is_one and dtype.kind == "O" and not (isinstance(value, np.ndarray) and value.shape == ()):
        single = np.empty((), object)
        single[()] = value
        return single
    # A single number comes in the machine's order of bytes.
    return value if isinstance(value, np.ndarray) else np.asarray(value, dtype)


def _has_references(kind: Any) -> bool:
    """Return whether there are references outside of sequences."""
    if kind.get_class() == h5t.COMPOUND:
        return any(_has_references(kind.get_member_type(i)) for i in range(kind.get_nmembers()))
    if kind.get_class() == h5t.ARRAY:
        return _has_references(kind.get_super())
    return bool(kind.get_class() == h5t.REFERENCE)


def _with_plain_references(kind: Any) -> tuple[Any, np.dtype[Any]]:
    """Return a type in memory and NumPy's, which has bytes where HDF5's has references."""
    if kind.get_class() == h5t.REFERENCE:
        return kind, np.dtype(f"V{kind.get_size()}")
    if kind.get_class() == h5t.ARRAY:
        base, dtype = _with_plain_references(kind.get_super())
        return h5t.array_create(base, kind.get_array_dims()), np.dtype((dtype, kind.get_array_dims()))
    if kind.get_class() != h5t.COMPOUND:
        return h5t.py_create(kind.dtype), kind.dtype
    names = [kind.get_member_name(i) for i in range(kind.get_nmembers())]
    members = [_with_plain_references(kind.get_member_type(i)) for i in range(kind.get_nmembers())]
    fields = [(name.decode("utf-8", "surrogateescape"), own) for name, (_, own) in zip(names, members, strict=True)]
    dtype = np.dtype(fields)
    whole = h5t.create(h5t.COMPOUND, dtype.itemsize)
    offset = 0
    for name, (member, own) in zip(names, members, strict=True):
        whole.insert(name, offset, member)
        offset += own.itemsize
    return whole, dtype
