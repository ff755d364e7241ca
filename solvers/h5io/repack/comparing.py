"""Compare the new file with the old one, bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from h5py import h5d, h5o, h5t

from rooftop.interrupts import raise_if_interrupted
from rooftop.solvers.h5io import File
from rooftop.solvers.h5io.filters import NUMBERS
from rooftop.solvers.h5io.library import H5FileError
from rooftop.solvers.h5io.repack.attributes import difference_of_attributes
from rooftop.solvers.h5io.repack.copying import blocks_to_copy, chunks_there
from rooftop.solvers.h5io.repack.corners import corners_of_chunks
from rooftop.solvers.h5io.repack.failures import FAILURES, told_of
from rooftop.solvers.h5io.repack.job import Job
from rooftop.solvers.h5io.repack.objects import Object, objects_of
from rooftop.solvers.h5io.repack.references import References
from rooftop.solvers.h5io.repack.same import same_bits, same_values
from rooftop.solvers.h5io.repack.source_file import opened
from rooftop.solvers.h5io.repack.stored import extent_of, layout_of
from rooftop.solvers.h5io.repack.values import Bits, Room, bits_by_library, values_by_library
from rooftop.solvers.h5io.repack.ways import Task


def _same_links(one: Object, other: Object, numbers: Mapping[int, int], of_other: Mapping[int, int]) -> bool:
    """Return whether two groups have the same links in the same order. Objects are compared by their numbers."""
    if len(one.links) != len(other.links):
        return False
    for link, twin in zip(one.links, other.links, strict=True):
        if (link.name, link.kind, link.set) != (twin.name, twin.kind, twin.set):
            return False
        same = numbers[link.value] == of_other[twin.value] if link.kind == "hard" else link.value == twin.value
        if not same:
            return False
    return True


def _fill_value(dataset: Any, properties: Any) -> Any:
    """Return whether a fill value is defined, when it is written, and its value if h5py can read it."""
    known = properties.fill_value_defined()
    if known != h5d.FILL_VALUE_USER_DEFINED:
        return known, properties.get_fill_time(), None
    try:
        value = np.zeros(1, dataset.dtype)  # h5py does not accept a scalar string
        properties.get_fill_value(value)
    except FAILURES:
        return known, properties.get_fill_time(), None
    if h5t.check_ref_dtype(value.dtype) is not None:  # a null reference, or one whose address has changed
        return known, properties.get_fill_time(), bool(value[0])
    return known, properties.get_fill_time(), value.tolist() if value.dtype.hasobject else value.tobytes()


def _same_orders(left: Any, right: Any) -> bool:
    """Return whether two objects track the order of attributes, and times if their headers can, in the same way."""
    one, other = left.get_create_plist(), right.get_create_plist()
    if one.get_attr_creation_order() != other.get_attr_creation_order():
        return False
    same_header = h5o.get_info(left).hdr.version == h5o.get_info(right).hdr.version
    return not same_header or one.get_obj_track_times() == other.get_obj_track_times()


class Comparison:
    """Comparison of a new file with the old one.

    stored_bytes  stored size of each dataset in the new file, by the address in the old one; known after the comparison
    """

    def __init__(self, job: Job) -> None:
        self._job, self._watch = job, job.watch
        self._rooms = Room(), Room()
        self.stored_bytes: dict[int, int] = {}

    def require_same(self, path: Path, user_block: bytes) -> None:
        """Raise H5FileError if the new file differs from the old one."""
        self._watch.doing("comparing")
        with path.open("rb") as raw:
            if raw.read(len(user_block)) != user_block:
                raise _differs("user block")
        new = opened(path)
        try:
            written = objects_of(new, str(path))
            self._require_same_objects(new, written)
            with nullcontext() if self._job.reading is None else File(path) as reading:
                for task in self._job.tasks.values():
                    self._watch.doing(f"comparing {task.object.name}")
                    with told_of(f"dataset {task.object.name} cannot be read back"):
                        self._require_same_values(new, written, task, reading)
        finally:
            new.close()

    def _require_same_objects(self, new: Any, written: Mapping[int, Object]) -> None:
        numbers = {place: number for number, place in enumerate(self._job.objects)}
        of_new = {place: number for number, place in enumerate(written)}
        references, of_written = References(self._job.old, self._job.objects), References(new, written)
        if len(numbers) != len(of_new):
            raise _differs("number of objects")
        for one, other in zip(self._job.objects.values(), written.values(), strict=True):
            raise_if_interrupted()
            if (one.path, one.kind) != (other.path, other.kind) or not _same_links(one, other, numbers, of_new):
                raise _differs(f"{one.kind} {one.name}")
            if one.comment != other.comment:
                raise _differs(f"the comment of {one.name}")
            with told_of(f"{one.kind} {one.name} cannot be read back"):
                left, right = h5o.open(self._job.old, one.path), h5o.open(new, other.path)
                found = difference_of_attributes(left, right, references, of_written)
                if found is None and one.kind == "dataset":
                    found = self._difference_of_datasets(left, right, one)
                elif found is None and one.kind == "group":
                    found = self._difference_of_groups(left, right)
                elif found is None and not left.equal(right):
                    found = "the type"
            if found is not None:
                raise _differs(f"{found} of {one.name}")

    @staticmethod
    def _difference_of_groups(left: Any, right: Any) -> str | None:
        one, other = left.get_create_plist(), right.get_create_plist()
        same = one.get_link_creation_order() == other.get_link_creation_order()
        return None if same and _same_orders(left, right) else "the properties"

    def _difference_of_datasets(self, left: Any, right: Any, one: Object) -> str | None:
        kind, other_kind = left.get_type(), right.get_type()
        if not kind.equal(other_kind) or (kind.committed() and not other_kind.committed()):
            return "the type"
        if extent_of(left.get_space()) != extent_of(right.get_space()):
            return "the shape"
        old, new = left.get_create_plist(), right.get_create_plist()
        rewriting = self._job.plan.rewritten.get(one.place)
        if layout_of(new) != (layout_of(old) if rewriting is None else rewriting.after):
            return "the layout"
        if _fill_value(left, old) != _fill_value(right, new):
            return "the fill value"
        self.stored_bytes[one.place] = right.get_storage_size()
        return None if _same_orders(left, right) else "the properties"

    def _require_same_values(self, new: Any, written: Mapping[int, Object], task: Task, reading: File | None) -> None:
        if task.way == "nothing":
            return
        left, right = h5o.open(self._job.old, task.object.path), h5o.open(new, task.object.path)
        if task.way == "chunks":
            self._require_same_chunks(left, right, task)
            return
        old_bits, new_bits = (
            Bits(
                one, file[task.h5io_name] if file is not None and task.way == "h5io" else None, room, self._job.threads
            )
            for one, file, room in ((left, self._job.reading, self._rooms[0]), (right, reading, self._rooms[1]))
        )
        of_old, of_new = References(self._job.old, self._job.objects), References(new, written)
        for index in blocks_to_copy(chunks_there(left, task), task, self._job.block_bytes, self._watch):
            if task.way in ("objects", "copied"):
                values = of_old.named(values_by_library(left, index))
                same = same_values(values, of_new.named(values_by_library(right, index)))
            else:
                same = same_bits(old_bits.read(index), new_bits.read(index))
            if not same:
                where = f"values of {task.object.name} from {', '.join(str(one.start) for one in index)} on"
                raise _differs(where, self._may_round(task))
        if task.way == "h5io":
            self._require_same_to_library(left, right, task)

    def _may_round(self, task: Task) -> bool:
        rewriting = self._job.plan.rewritten.get(task.object.place)
        return rewriting is not None and any(step.id not in NUMBERS for step in rewriting.after.filters)

    def _require_same_chunks(self, left: Any, right: Any, task: Task) -> None:
        corners = corners_of_chunks(left)
        if set(corners) != set(corners_of_chunks(right)):
            raise _differs(f"chunks of {task.object.name}")
        for corner in corners:
            raise_if_interrupted()
            stored = left.read_direct_chunk(corner)
            if stored != right.read_direct_chunk(corner):
                raise _differs(f"the chunk of {task.object.name} at {', '.join(map(str, corner))}")
            self._watch.done(len(stored[1]))

    def _require_same_to_library(self, left: Any, right: Any, task: Task) -> None:
        """Compare the first and last chunk as read by the HDF5 library too, since h5io has read back its own writes."""
        if task.new_chunk is None:
            return
        last = [
            (extent - 1) // length * length for extent, length in zip(task.extent.shape, task.new_chunk, strict=True)
        ]
        for corner in ([0] * len(last), last):
            index = tuple(
                slice(at, min(at + length, extent))
                for at, length, extent in zip(corner, task.new_chunk, task.extent.shape, strict=True)
            )
            one, other = (bits_by_library(left, index, self._rooms[0]), bits_by_library(right, index, self._rooms[1]))
            if not same_bits(one, other):
                raise _differs(f"values of {task.object.name} as the HDF5 library reads them")


def _differs(what: str, may_round: bool = False) -> H5FileError:
    hint = "; lossy filters such as ZFP change the values again: give other filters with --filter" if may_round else ""
    return H5FileError(f"{what}: the new file differs from the old one{hint}")
