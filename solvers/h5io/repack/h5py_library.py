"""The HDF5 library that h5py is linked with, for functions that h5py lacks."""

from __future__ import annotations

import ctypes
from typing import Any

from h5py import h5l

IDENTIFIER = ctypes.c_int64
#: Arguments of the functions that are called. Their results are ctypes's int: below 0 for a failure.
_ARGUMENTS: dict[str, list[Any]] = {
    "H5Lregister": [ctypes.c_void_p],
    "H5Lunregister": [ctypes.c_int],
    "H5Lis_registered": [ctypes.c_int],
    "H5Lget_val": [IDENTIFIER, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, IDENTIFIER],
    "H5Lcreate_ud": [
        IDENTIFIER, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, IDENTIFIER, IDENTIFIER,
    ],
    "H5Aread": [IDENTIFIER, IDENTIFIER, ctypes.c_void_p],
    "H5Awrite": [IDENTIFIER, IDENTIFIER, ctypes.c_void_p],
    "H5Dvlen_reclaim": [IDENTIFIER, IDENTIFIER, IDENTIFIER, ctypes.c_void_p],
}  # fmt: skip


def function(name: str) -> Any:
    """Return a function of the library. Raises NotImplementedError if h5py's build does not export it."""
    try:
        found = getattr(ctypes.CDLL(h5l.__file__), name)
    except (AttributeError, OSError):
        raise NotImplementedError(f"it takes {name} of HDF5, which this h5py does not show") from None
    found.argtypes = _ARGUMENTS[name]
    return found
