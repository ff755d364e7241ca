"""User-defined links: read and create them.

h5py cannot. The HDF5 library reads and writes the value of such a link once its class is registered; only the program
that made it knows its meaning.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from h5py import h5

from rooftop.solvers.h5io.repack.h5py_library import function

FIRST, LAST = 65, 255  # H5L_TYPE_UD_MIN is external links' 64
_MOST_BYTES = 1 << 16  # HDF5's own limit
_CLASS_1_SINCE = (1, 12)

_Traverse = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t)
_Query = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t
)


class _Class(ctypes.Structure):
    """H5L_class_t with the required functions only."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("id", ctypes.c_int),
        ("comment", ctypes.c_char_p),
        ("create", ctypes.c_void_p),
        ("move", ctypes.c_void_p),
        ("copy", ctypes.c_void_p),
        ("traverse", _Traverse),
        ("delete", ctypes.c_void_p),
        ("query", _Query),
    )


@contextmanager
def _registered(number: int) -> Iterator[list[bytes]]:
    """Register a link class for the ``with`` block, and return a list to which H5Lget_val appends values."""
    said: list[bytes] = []

    def query(_name: bytes, data: int | None, size: int, _buffer: int | None, _room: int) -> int:
        said.append(ctypes.string_at(data, size) if data and size else b"")
        return size

    version = 1 if h5.get_libversion()[:2] >= _CLASS_1_SINCE else 0
    functions = _Traverse(lambda *_: -1), _Query(query)  # must live as long as the registration
    kind = _Class(version, number, None, None, None, None, functions[0], None, functions[1])
    if function("H5Lis_registered")(number) > 0:
        raise ValueError(f"link class {number} is already registered in this process")
    if function("H5Lregister")(ctypes.byref(kind)) < 0:
        raise ValueError(f"link class {number} cannot be registered with the HDF5 library")
    try:
        yield said
    finally:
        function("H5Lunregister")(number)


def user_link_value(group: Any, name: bytes, number: int) -> bytes:
    """Return the value of a link of class `number`. Raises ValueError."""
    with _registered(number) as said:
        room = ctypes.create_string_buffer(_MOST_BYTES)
        if function("H5Lget_val")(group.id, name, room, _MOST_BYTES, 0) < 0 or not said:
            raise ValueError(f"link {name.decode('utf-8', 'replace')} of class {number} cannot be read")
    return said[0]


def create_user_link(group: Any, name: bytes, number: int, value: bytes, properties: Any) -> None:
    """Create a link of class `number`. Raises ValueError."""
    with _registered(number):
        if function("H5Lcreate_ud")(group.id, name, number, value, len(value), properties.id, 0) < 0:
            raise ValueError(f"link {name.decode('utf-8', 'replace')} of class {number} cannot be created")
