"""Write the new file: first what the HDF5 library creates and copies, then what all threads encode."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from h5py import h5o

from rooftop.interrupts import raise_if_interrupted
from rooftop.solvers.h5io import OutputFile
from rooftop.solvers.h5io.advice.access import Index
from rooftop.solvers.h5io.repack.blocks import ChunksThere, block_shape, blocks_of, moved, part_of
from rooftop.solvers.h5io.repack.corners import corners_of_chunks
from rooftop.solvers.h5io.repack.failures import told_of
from rooftop.solvers.h5io.repack.job import Job
from rooftop.solvers.h5io.repack.progress import Watch
from rooftop.solvers.h5io.repack.structure import Structure, created
from rooftop.solvers.h5io.repack.unclosed import closing_in_the_end
from rooftop.solvers.h5io.repack.values import (
    Bits,
    Room,
    bits_by_library,
    values_by_library,
    write_bits_by_library,
    write_values_by_library,
)
from rooftop.solvers.h5io.repack.ways import Task

_OBJECT_BYTES = 1 << 10  # estimated memory of an element that is a Python object


def chunks_there(dataset: Any, task: Task) -> ChunksThere:
    """Return the chunks that exist in the old file; everything if the old or the new dataset is contiguous."""
    # A contiguous dataset has all its elements in the file.
    return ChunksThere(dataset, task.extent.shape, task.old_chunk if task.new_chunk is not None else None)


def blocks_to_copy(there: ChunksThere, task: Task, most_bytes: int, watch: Watch) -> Iterator[Index]:
    """Yield the blocks of a dataset of the old file that exist. Each is reported to `watch` once it is done."""
    rest = task.work_bytes
    shape = task.extent.shape
    size = _OBJECT_BYTES if task.way in ("objects", "copied") else task.itemsize
    block = block_shape(shape, size, task.new_chunk, task.old_chunk, most_bytes)
    for index in blocks_of(shape, block) if task.extent.elements > 0 else ():
        raise_if_interrupted()
        if not there.any_in(index):
            continue
        yield index
        done = min(rest, math.prod(one.stop - one.start for one in index) * task.itemsize)
        rest -= done
        watch.done(done)
    watch.done(rest)


class Copier:
    """Writes a new file from an old one."""

    def __init__(self, job: Job) -> None:
        self._job, self._watch = job, job.watch
        self._room = Room()

    def write(self, path: Path, user_block: bytes) -> None:
        """Write the new file, replacing an existing one. Raises H5FileError."""
        with told_of(str(path)):
            new = created(path, self._job.old)
        with closing_in_the_end(str(path), new):
            self._watch.doing("copying")
            structure = Structure(self._job, new)
            structure.make()
            for task in self._job.tasks.values():
                if task.way in ("chunks", "library", "objects"):
                    with told_of(f"dataset {task.object.name} cannot be copied"):
                        self._copy(task, new, structure)
                elif task.way == "copied":
                    self._watch.done(task.work_bytes)
        if user_block:
            with path.open("r+b") as raw:
                raw.write(user_block)
        self._write_by_h5io(path)

    def _copy(self, task: Task, new: Any, structure: Structure) -> None:
        old = h5o.open(self._job.old, task.object.path)
        made = h5o.open(new, task.object.path)
        if task.way == "chunks":
            for corner in corners_of_chunks(old):
                raise_if_interrupted()
                mask, stored = old.read_direct_chunk(corner)
                made.write_direct_chunk(corner, stored, mask)
                self._watch.done(len(stored))
            made.close()
            return
        there = chunks_there(old, task)
        for index in blocks_to_copy(there, task, self._job.block_bytes, self._watch):
            if task.way == "library":
                values, write = bits_by_library(old, index, self._room), write_bits_by_library
            else:
                values = structure.references.of_other(values_by_library(old, index), new)
                write = write_values_by_library
            for part in there.parts_in(index, task.new_chunk):
                write(made, moved(part, index), np.ascontiguousarray(part_of(values, part)))
        made.close()  # flushes it

    def _write_by_h5io(self, path: Path) -> None:
        tasks = [task for task in self._job.tasks.values() if task.way == "h5io"]
        if not tasks or self._job.reading is None:
            return
        output = OutputFile(os.fspath(path), change=True)
        with closing_in_the_end(str(path), output):
            for task in tasks:
                self._watch.doing(f"rewriting {task.object.name}")
                old = h5o.open(self._job.old, task.object.path)
                bits = Bits(old, self._job.reading[task.h5io_name], self._room, self._job.threads)
                made, there = output[task.h5io_name], chunks_there(old, task)
                for index in blocks_to_copy(there, task, self._job.block_bytes, self._watch):
                    with told_of(f"dataset {task.object.name} cannot be rewritten"):
                        values = bits.read(index)
                        values = values.view(made.dtype)
                        for part in there.parts_in(index, task.new_chunk):
                            made.write(part_of(values, part), moved(part, index), threads=self._job.threads)
