"""Files opened for reading."""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_numbers import yes_or_no
from rooftop.solvers.c_interface.python_functions import AskedFirst
from rooftop.solvers.c_interface.solver_library import Handle, threads_of_caller
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.blocks import read_ahead, rows_of_block
from rooftop.solvers.h5io.brief_reads import selection_reader
from rooftop.solvers.h5io.elements import element_of
from rooftop.solvers.h5io.later import Request, requested
from rooftop.solvers.h5io.library import H5ArgumentError
from rooftop.solvers.h5io.selection import selected
from rooftop.solvers.h5io.transfer import Report, address_of, told, transferred

Layout = Literal["compact", "contiguous", "chunked", "other", "external"]
_LAYOUTS: tuple[Layout, ...] = get_args(Layout)
_NAME_BYTES = 256
_MOST_THREADS = (1 << 31) - 1
_SMALL_BYTES, _MOST_SMALL = 64 << 10, 32  # of datasets that a file keeps open, and how many


@dataclass(frozen=True)
class Filter:
    """A step that each chunk went through when it was written: HDF5's number for it, and its name in the file."""

    id: int
    name: str


def _are_sound(threads: Any, by_library: Any) -> bool:
    """Return whether these options of a read are such as a short way takes."""
    return by_library is False and type(threads) is int and 0 <= threads <= _MOST_THREADS


class Dataset:
    """An array in an HDF5 file, which stays open as long as this does. Several threads may read it at once.

    Made by ``File[name]``. `shape` has elements, `chunks` too, None where the layout is not chunked. `stored_bytes` is
    what the file has of it. `dtype` is of the file's order of bytes. `as_stored` is whether arrays have the file's
    bytes: numbers of an unusual form are converted, strings of a fixed length end with nulls, and those of variable
    length are objects, as in h5py.

    Decoded chunks are kept as HDF5 2 keeps them, 8 MiB a dataset, unless one selection has more. They are read anew
    once this process has changed the file by an OutputFile; what other processes and libraries change is seen, as in
    h5py, when the file is opened again.
    """

    def __init__(self, handle: Handle, path: str, name: str) -> None:
        self._handle = handle
        self.path, self.name = path, name
        found, functions = library.Description(), library.load()
        library.check(functions.rooftop_h5io_describe(handle, ctypes.byref(found)))
        self.shape = tuple(found.shape[: found.dimensions])
        self._element = element_of(handle, f"{path}: dataset {name}")
        self.dtype: np.dtype[Any] = self._element.dtype
        self._variable = found.type.startswith(b"|O")
        self._raw = self._element.is_raw
        self._brief = functions.rooftop_h5io_read_brief
        self._selection = selection_reader(handle, self.shape, self.dtype) if self._raw else AskedFirst()
        self.as_stored = self._element.as_stored and self._raw
        self.layout: Layout = _LAYOUTS[found.layout]
        self.chunks = tuple(found.chunk[: found.dimensions]) if self.layout == "chunked" else None
        self.stored_bytes = int(found.stored_bytes)
        self._filters = int(found.filters)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements in memory."""
        return int(math.prod(self.shape) * self.dtype.itemsize)

    @cached_property
    def filters(self) -> tuple[Filter, ...]:
        """In the order of writing."""
        found = []
        for i in range(self._filters):
            number, name = ctypes.c_int32(), ctypes.create_string_buffer(_NAME_BYTES)
            library.check(library.load().rooftop_h5io_filter(self._handle, i, ctypes.byref(number), name, _NAME_BYTES))
            found.append(Filter(number.value, name.value.decode("utf-8", "replace")))
        return tuple(found)

    def __getitem__(self, index: Any) -> NDArray[Any]:
        """Return what NumPy's integers, slices with steps above 0 and an ellipsis select. See `read`."""
        values: NDArray[Any] | None = self._selection.run(index)
        if values is not None:
            return values
        spans, shape = selected(index, self.shape)
        if not self._raw:
            return self._read(spans, shape, None, 0, False)[0]
        # The common case of `_read`, written out: of one element, half the time is the interpreter's.
        values = np.empty(shape, self.dtype)
        if self._brief(self._handle, len(self.shape), spans, address_of(values), values.nbytes, None) != 0:
            self._read_longer(spans, values, 0, False)
        return values

    def __len__(self) -> int:
        """Return the length of the first dimension. Raises TypeError for a dataset without dimensions."""
        if not self.shape:
            raise TypeError(f"dataset {self.name} has no dimensions, so no length")
        return int(self.shape[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the whole dataset, for NumPy's functions. Raises ValueError where no copy is allowed."""
        if copy is False:
            raise ValueError(f"dataset {self.name} is in a file; an array of it is a copy")
        values = self[...]
        return values if dtype is None else values.astype(dtype, copy=False)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the first dimension, in arrays of their own. Blocks are read ahead; see `blocks`.

        Raises TypeError for a dataset without dimensions, and what a read raises.
        """
        rows = len(self)
        return map(self.__getitem__, range(rows)) if self._variable else self._rows()

    def _rows(self) -> Iterator[Any]:
        for block in self.blocks():
            yield from block if block.ndim == 1 else map(np.copy, block)

    def read(
        self, index: Any = ..., out: NDArray[Any] | None = None, *, threads: int = 0, by_library: bool = False
    ) -> NDArray[Any]:
        """Return a selection in `out`, or in a new array.

        index       integers, slices with steps above 0 and an ellipsis, as NumPy has them
        out         a C-contiguous array of the dataset's dtype and the selection's shape
        threads     0 takes as many as OpenMP would
        by_library  read by H5Dread, whatever the layout

        What a signal handler raises meanwhile, such as KeyboardInterrupt, ends the read and is raised here; `out` then
        has parts of the selection.
        Raises H5ArgumentError, which is a ValueError, and H5FileError, which is an OSError.
        """
        return self.read_reported(index, out, threads=threads, by_library=by_library)[0]

    def read_reported(
        self, index: Any = ..., out: NDArray[Any] | None = None, *, threads: int = 0, by_library: bool = False
    ) -> tuple[NDArray[Any], Report]:
        """Return what `read` does, and what it cost."""
        spans, shape = selected(index, self.shape)
        return self._read(spans, shape, out, threads, by_library)

    def read_later(
        self, index: Any = ..., out: NDArray[Any] | None = None, *, threads: int = 1, by_library: bool = False
    ) -> Request[NDArray[Any]]:
        """Ask the file's I/O thread for what `read` does, and return at once. Its ``wait()`` returns the selection.

        Requests of a file are done one after the other, in their order. `out` belongs to the request until it is done.
        The I/O thread reads alone, with 1 of `threads`; more, or 0, is a team that takes processors from what the
        program computes meanwhile.
        Raises H5ArgumentError, which is a ValueError; all other errors come out of ``wait()``.
        """
        if self._variable:
            raise H5ArgumentError(f"dataset {self.name} has values of variable length; expected read() instead")
        spans, shape = selected(index, self.shape)
        values, finish = self._rooms(shape, out)
        read = library.load().rooftop_h5io_read_later

        def result(_: Report) -> NDArray[Any]:
            return values if finish is None else finish()

        return requested(read, self._handle, spans, values, threads, by_library, result)

    def prefetch(self, index: Any = ...) -> Request[Report]:
        """Ask the system to bring a selection from the device into its cache, as a hint, and return at once.

        Of datasets that the HDF5 library reads, and of chunks that lie nobody knows where, nothing is brought in: the
        report's `file_bytes` are what was asked for. Raises H5ArgumentError.
        """
        spans, _ = selected(index, self.shape)
        prefetch = library.load().rooftop_h5io_prefetch
        return requested(prefetch, self._handle, spans, None, 1, False, lambda report: report)

    def blocks(
        self, rows: int | None = None, *, ahead: int = 1, threads: int = 1, reuse: bool = False
    ) -> Iterator[NDArray[Any]]:
        """Return an iterator over the dataset, `rows` of the first dimension at a time; the last block may be shorter.

        rows     None: as many as take some 8 MiB, and cut no chunk
        ahead    blocks that are read by the file's I/O thread while the program works on one
        threads  see `read_later`
        reuse    read into ``ahead + 1`` arrays that are used again: a block is overwritten once the next one is asked
                 for. By default each block is an array of its own, which costs its pages

        Raises H5ArgumentError; what a read raises is raised in the place of its block.
        """
        step = rows_of_block(self.shape, self.dtype.itemsize, self.chunks) if rows is None else rows
        again = yes_or_no("reuse", reuse, H5ArgumentError)

        def read_later(index: Any, out: NDArray[Any]) -> Request[NDArray[Any]]:
            return self.read_later(index, out, threads=threads)

        return read_ahead(read_later, self.shape, self.dtype, step, ahead, again)

    def _read(
        self, spans: bytes, shape: tuple[int, ...], out: NDArray[Any] | None, threads: Any, by_library: Any
    ) -> tuple[NDArray[Any], Report]:
        values, finish = self._rooms(shape, out)
        report = self._read_brief(spans, values, threads, by_library)
        if report is None:
            report = self._read_longer(spans, values, threads, by_library)
        return values if finish is None else finish(), report

    def _read_brief(self, spans: bytes, values: NDArray[Any], threads: Any, by_library: Any) -> Report | None:
        """Read a selection in this thread if that takes less time than waking another; return what it cost, or None.

        Options that cannot be are left to the long call, which refuses them.
        """
        if not _are_sound(threads, by_library):
            return None
        report = library.Report()
        memory = (address_of(values), values.nbytes)
        code = self._brief(self._handle, len(self.shape), spans, *memory, ctypes.byref(report))
        if code == library.NOT_BRIEF:
            return None
        library.check(code)
        return told(report)

    def _read_longer(self, spans: bytes, values: NDArray[Any], threads: Any, by_library: Any) -> Report:
        """Read what is not brief: by this thread and its team, if nobody needs to stop that, or by another thread."""
        functions = library.load()
        if _are_sound(threads, by_library):
            options, report = library.Options(), library.Report()
            functions.rooftop_h5io_default_options(ctypes.byref(options))
            options.threads = threads or threads_of_caller(functions)
            words = (spans, address_of(values), values.nbytes, ctypes.byref(options), ctypes.byref(report))
            code = functions.rooftop_h5io_read_at_once(self._handle, len(self.shape), *words)
            if code == 0:
                return told(report)
        return transferred(functions.rooftop_h5io_read, self._handle, spans, values, threads, by_library)

    def _rooms(
        self, shape: tuple[int, ...], out: NDArray[Any] | None
    ) -> tuple[NDArray[Any], Callable[[], NDArray[Any]] | None]:
        """Return the array that the C library reads into, and what makes the result of it, None if it is the result."""
        given = None if out is None else self._checked(out, shape)
        if self._raw:
            return np.empty(shape, self.dtype) if given is None else given, None
        # Pointers are null until they are read.
        raw = np.zeros(shape, self._element.raw)

        def finish() -> NDArray[Any]:
            values = self._element.values(raw)
            if self._variable:
                elements = math.prod(shape)
                library.check(library.load().rooftop_h5io_reclaim(self._handle, raw.ctypes.data, elements))
            if given is None:
                return values
            given[...] = values
            return given

        return raw, finish

    def _checked(self, out: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        # An array of arrays has their dimensions behind its own.
        base, inner = (self.dtype.base, self.dtype.shape)
        if not isinstance(out, np.ndarray) or out.dtype != base or out.shape != (*shape, *inner):
            seen = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise H5ArgumentError(f"out is {seen}; expected an array of {base} {(*shape, *inner)}")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise H5ArgumentError("out has gaps or is read-only; expected a C-contiguous array that can be written")
        return out

    def __repr__(self) -> str:
        return f"<HDF5 dataset {self.name!r} of {self.path}: {self.dtype} {self.shape}, {self.layout}>"


class File:
    """An HDF5 file that is open for reading.

    It closes with the last thing that refers to it, its datasets among them. Raises H5FileError, which is an OSError.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        functions, handle = library.load(), ctypes.c_void_p()
        library.check(functions.rooftop_h5io_open(os.fsencode(self.path), ctypes.byref(handle)))
        self._handle: Handle | None = Handle(handle, functions.rooftop_h5io_close)
        self._small: dict[str, Dataset] = {}  # by name: to open one takes ten times as long as to read it

    def datasets(self) -> list[str]:
        """Return the paths of all datasets, sorted."""
        functions, needed = library.load(), ctypes.c_size_t()
        library.check(functions.rooftop_h5io_datasets(self._open(), None, 0, ctypes.byref(needed)))
        names = ctypes.create_string_buffer(needed.value + 1)
        library.check(functions.rooftop_h5io_datasets(self._open(), names, needed.value, ctypes.byref(needed)))
        return names.raw[: needed.value].decode("utf-8", "surrogateescape").split("\0")[:-1]

    def __getitem__(self, name: str) -> Dataset:
        """Return a dataset. Raises H5FileError where there is none of this name, or its type is not supported.

        Datasets of up to 64 KiB stay open with the file, and are the same object the next time.
        """
        own = self._open()
        known = self._small.get(name)
        if known is not None:
            return known
        functions, handle = library.load(), ctypes.c_void_p()
        encoded = name.encode("utf-8", "surrogateescape")
        library.check(functions.rooftop_h5io_dataset_open(own, encoded, ctypes.byref(handle)))
        found = Dataset(Handle(handle, functions.rooftop_h5io_dataset_close), self.path, name)
        if max(found.nbytes, math.prod(found.chunks or ()) * found.dtype.itemsize) <= _SMALL_BYTES:
            if len(self._small) >= _MOST_SMALL:
                self._small = {}
            self._small[name] = found
        return found

    def _open(self) -> Handle:
        if self._handle is None:
            raise H5ArgumentError(f"{self.path} is closed; expected an open file")
        return self._handle

    def close(self) -> None:
        """Let go of the file. Its datasets can still be read."""
        self._handle = None
        self._small = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
