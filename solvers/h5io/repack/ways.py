"""How the values of each dataset get into the new file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from h5py import h5d, h5o, h5t

from rooftop.solvers.h5io import File
from rooftop.solvers.h5io.filters import NUMBERS
from rooftop.solvers.h5io.library import H5FileError
from rooftop.solvers.h5io.repack.corners import are_told
from rooftop.solvers.h5io.repack.objects import Object
from rooftop.solvers.h5io.repack.plan import Plan
from rooftop.solvers.h5io.repack.stored import Extent, Stored, extent_of, layout_of
from rooftop.solvers.h5io.repack.types import values_of

#: nothing  no values, or values in other datasets or files
#: chunks   encoded chunks, with the same layout
#: h5io     in blocks, decoded and encoded by all threads
#: library  in blocks, by the HDF5 library
#: objects  in blocks, as Python objects, with references mapped to the new file
#: copied   by the library together with the dataset
Way = Literal["nothing", "chunks", "h5io", "library", "objects", "copied"]

#: Smaller datasets are left to the library.
SMALL_BYTES = 64 << 10


@dataclass(frozen=True)
class Task:
    """How a dataset is copied or rewritten.

    old_chunk, new_chunk  shapes of chunks; None if not chunked
    work_bytes            estimated bytes to read
    """

    object: Object
    way: Way
    extent: Extent
    itemsize: int
    old_chunk: tuple[int, ...] | None
    new_chunk: tuple[int, ...] | None
    work_bytes: int

    @property
    def h5io_name(self) -> str:
        """The path for h5io."""
        return self.object.path.decode("utf-8", "surrogateescape")


def _has(file: File | None, name: str) -> bool:
    """Return whether h5io reads a dataset without conversion."""
    if file is None:
        return False
    try:
        dataset = file[name]
    except H5FileError:
        return False
    return dataset.as_stored and dataset.dtype.names is None and dataset.dtype.subdtype is None


def _is_copied_right(dataset: Any, layout: Stored) -> bool:
    """Return whether H5Ocopy is right for a dataset: it does not copy fill values of variable length."""
    filled = dataset.get_create_plist().fill_value_defined() == h5d.FILL_VALUE_USER_DEFINED
    return not filled and (layout.kind != "chunked" or are_told(dataset))


def task_of(old: Any, one: Object, plan: Plan, by_h5io: File | None) -> Task:
    """Return how a dataset of an open file is copied or rewritten."""
    dataset = h5o.open(old, one.path)
    kind, extent, layout = dataset.get_type(), extent_of(dataset.get_space()), layout_of(dataset.get_create_plist())
    stored = dataset.get_storage_size()
    rewriting = plan.rewritten.get(one.place)
    values, itemsize = values_of(kind), kind.get_size()
    all_bytes = math.prod(extent.shape) * itemsize

    def task(way: Way, work: int) -> Task:
        new_chunk = layout.chunk if rewriting is None else rewriting.after.chunk
        return Task(one, way, extent, itemsize, layout.chunk, new_chunk, work)

    if layout.kind in ("virtual", "external"):
        return task("nothing", 0)
    if values == "variable" and not kind.committed() and _is_copied_right(dataset, layout):
        return task("copied", stored)
    if extent.elements == 0 or stored == 0:
        return task("nothing", 0)
    if values != "bits":
        return task("objects", all_bytes)
    if rewriting is None and layout.kind == "chunked":
        return task("chunks", stored)
    filters = (*layout.filters, *(() if rewriting is None else rewriting.after.filters))
    known = all(step.id in NUMBERS for step in filters)
    # h5io converts the padding of strings to NumPy's, but the new file must keep that of the old one.
    known = known and (kind.get_class() != h5t.STRING or kind.get_strpad() == h5t.STR_NULLPAD)
    if all_bytes >= SMALL_BYTES and known and _has(by_h5io, one.path.decode("utf-8", "surrogateescape")):
        return task("h5io", all_bytes)
    return task("library", all_bytes)
