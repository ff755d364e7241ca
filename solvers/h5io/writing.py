"""Files opened for writing."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rooftop.solvers.c_interface.checked_numbers import whole, yes_or_no
from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.filters import filter_step
from rooftop.solvers.h5io.later import Request, requested
from rooftop.solvers.h5io.library import H5ArgumentError
from rooftop.solvers.h5io.selection import selected
from rooftop.solvers.h5io.transfer import Report, transferred


def _lengths(name: str, values: Sequence[int]) -> tuple[int, ...]:
    try:
        lengths = tuple(whole(name, one, H5ArgumentError) for one in values)
    except TypeError:
        raise H5ArgumentError(f"{name} is {values!r}; expected whole numbers, one for each dimension") from None
    if min(lengths, default=0) < 0 or len(lengths) > library.DIMENSIONS:
        raise H5ArgumentError(f"{name} is {values!r}; expected up to {library.DIMENSIONS} numbers from 0 on")
    return lengths


def _is_cut(values: NDArray[Any], dtype: np.dtype[Any]) -> bool:
    """Return whether integers are out of range of a type, or bytes are longer than it."""
    if dtype.kind in "SV":
        return values.dtype.itemsize > dtype.itemsize
    if dtype.kind not in "iu" or np.can_cast(values.dtype, dtype) or values.size == 0:
        return False
    bounds = np.iinfo(dtype)
    return bool(values.min() < bounds.min or values.max() > bounds.max)


class OutputDataset:
    """A dataset of a file open for writing. Threads may write it concurrently if they write different chunks.

    Made by ``OutputFile.dataset`` and ``OutputFile[name]``. Elements of a new dataset are undefined until written.
    """

    def __init__(self, handle: Handle, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._handle = handle
        self.name, self.shape, self.dtype = name, shape, dtype

    def __setitem__(self, index: Any, values: ArrayLike) -> None:
        """Write a selection of integers, slices with positive steps, and an ellipsis, as in NumPy. See `write`."""
        self.write(values, index)

    def write(self, values: ArrayLike, index: Any = ..., *, threads: int = 0, by_library: bool = False) -> Report:
        """Write values, converted to the dataset's dtype and broadcast to the selection's shape, and return a Report.

        Floats may be rounded; integers must be in range.
        Whole chunks are encoded by all threads, parts of chunks by the HDF5 library; contiguous datasets are written
        directly. `threads` 0: OpenMP's default. `by_library`: everything is written by the library.
        Raises H5ArgumentError, which is a ValueError, and H5FileError, which is an OSError.
        """
        spans, array = self._prepared(values, index)
        return transferred(library.load().rooftop_h5io_write, self._handle, spans, array, threads, by_library)

    def write_later(
        self, values: ArrayLike, index: Any = ..., *, threads: int = 1, by_library: bool = False
    ) -> Request[Report]:
        """Request a `write` from the file's I/O thread. Return a Request, whose ``wait()`` returns a Report.

        Requests of a file are processed in order: where they overlap, the last one wins. A C-contiguous array of the
        dataset's dtype is not copied, and must not change until the request is done. For `threads` see
        ``Dataset.read_later``.
        Raises H5ArgumentError, which is a ValueError. Other errors are raised by ``wait()`` or, if nobody waited, by
        ``OutputFile.close``.
        """
        spans, array = self._prepared(values, index)
        write = library.load().rooftop_h5io_write_later
        return requested(write, self._handle, spans, array, threads, by_library, lambda report: report)

    def _prepared(self, values: ArrayLike, index: Any) -> tuple[bytes, NDArray[Any]]:
        """Return the selection, and the values converted for it. Raises H5ArgumentError."""
        spans, shape = selected(index, self.shape)
        try:
            given = np.broadcast_to(np.asarray(values), shape)
        except ValueError:
            raise H5ArgumentError(f"values have shape {np.shape(values)}; the selection has {shape}") from None
        if not np.can_cast(given.dtype, self.dtype, casting="same_kind") or _is_cut(given, self.dtype):
            raise H5ArgumentError(f"values are {given.dtype}; the dataset is {self.dtype}: convert them")
        return spans, np.ascontiguousarray(given, dtype=self.dtype)


class OutputFile:
    """An HDF5 file open for writing. Close it, or use it in a ``with`` statement: closing raises pending errors.

    The file must be new unless `replace` or `change` is true. `replace`: replace an existing file. `change`: open an
    existing file to write into its datasets. Raises H5FileError, which is an OSError.
    """

    def __init__(self, path: str | os.PathLike[str], *, replace: bool = False, change: bool = False) -> None:
        self.path = os.fspath(path)
        functions, handle = library.load(), ctypes.c_void_p()
        anew = int(yes_or_no("replace", replace, H5ArgumentError))
        encoded = os.fsencode(self.path)
        if not yes_or_no("change", change, H5ArgumentError):
            library.check(functions.rooftop_h5io_create(encoded, anew, ctypes.byref(handle)))
        elif anew:
            raise H5ArgumentError("replace and change are both true; expected one of them")
        else:
            library.check(functions.rooftop_h5io_change(encoded, ctypes.byref(handle)))
        self._handle: Handle | None = Handle(handle, functions.rooftop_h5io_output_destroy)

    def dataset(
        self,
        name: str,
        shape: Sequence[int],
        dtype: DTypeLike,
        *,
        chunks: Sequence[int] | None = None,
        filters: Iterable[Any] = (),
    ) -> OutputDataset:
        """Create a dataset, and the groups in its name that do not exist.

        shape    shape of the dataset; () for a scalar
        chunks   shape of a chunk; None: contiguous
        filters  filters of the chunks, in order: "shuffle", "deflate:4", "fletcher32", "lz4", "bitshuffle", "zstd:3",
                 "blosc", "blosc2" (bitshuffle and both Bloscs use LZ4; others as in "blosc2-zstd:5"), or objects of the
                 package hdf5plugin. All but the first three need that package, or their plugins in HDF5_PLUGIN_PATH

        Raises H5ArgumentError, which is a ValueError, and H5FileError, which is an OSError.
        """
        file = self._open()
        lengths, kind = _lengths("shape", shape), np.dtype(dtype)
        if kind.kind not in "iufcbSV" or kind.names is not None or kind.subdtype is not None:
            raise H5ArgumentError(f"dtype is {kind}; expected numbers, bools, bytes of a fixed length or opaque bytes")
        sides = None if chunks is None else _lengths("chunks", chunks)
        if sides is not None and len(sides) != len(lengths):
            raise H5ArgumentError(f"chunks is {sides}; expected {len(lengths)} numbers, as many as dimensions")
        pieces = None if sides is None else (ctypes.c_uint64 * max(len(lengths), 1))(*sides)
        steps = []
        for one in filters:
            number, parameters = filter_step(one)
            steps.append(
                library.FilterStep(number, len(parameters), (ctypes.c_uint32 * max(len(parameters), 1))(*parameters))
            )
        creation = library.Creation(
            dimensions=len(lengths),
            filter_count=len(steps),
            shape=(ctypes.c_uint64 * max(len(lengths), 1))(*lengths),
            type=kind.str.encode("ascii"),
            chunk=pieces,
            filters=(library.FilterStep * max(len(steps), 1))(*steps),
        )
        functions, handle = library.load(), ctypes.c_void_p()
        encoded = name.encode("utf-8", "surrogateescape")
        library.check(
            functions.rooftop_h5io_dataset_create(file, encoded, ctypes.byref(creation), ctypes.byref(handle))
        )
        return OutputDataset(Handle(handle, functions.rooftop_h5io_output_dataset_destroy), name, lengths, kind)

    def __getitem__(self, name: str) -> OutputDataset:
        """Return an existing dataset. Raises H5FileError if there is none or its type is not supported."""
        functions, handle = library.load(), ctypes.c_void_p()
        encoded = name.encode("utf-8", "surrogateescape")
        library.check(functions.rooftop_h5io_dataset_change(self._open(), encoded, ctypes.byref(handle)))
        owner, found = Handle(handle, functions.rooftop_h5io_output_dataset_destroy), library.Description()
        library.check(functions.rooftop_h5io_output_describe(owner, ctypes.byref(found)))
        dtype: np.dtype[Any] = np.dtype(found.type.decode("ascii"))
        return OutputDataset(owner, name, tuple(found.shape[: found.dimensions]), dtype)

    def _open(self) -> Handle:
        if self._handle is None:
            raise H5ArgumentError(f"{self.path} is closed; expected an open file")
        return self._handle

    def close(self) -> None:
        """Wait for pending requests and close the file. Its datasets can no longer be written.

        Raises H5FileError, and the error of a request that nobody waited for.
        """
        handle, self._handle = self._handle, None
        if handle is not None:
            library.check(library.load().rooftop_h5io_finish(handle))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
