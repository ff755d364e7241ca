"""Rewrite a file: plan, write a new file beside it, read it back, and replace the original."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from h5py import h5o

import rooftop
from rooftop.errors import Misuse
from rooftop.interrupts import raise_if_interrupted, uninterrupted
from rooftop.solvers.h5io import File
from rooftop.solvers.h5io.apart import apart
from rooftop.solvers.h5io.library import H5FileError, load
from rooftop.solvers.h5io.repack.comparing import Comparison
from rooftop.solvers.h5io.repack.copying import Copier
from rooftop.solvers.h5io.repack.document import DatasetLayout, LeftDataset, RepackDocument, RewrittenDataset
from rooftop.solvers.h5io.repack.failures import told_of
from rooftop.solvers.h5io.repack.job import Job
from rooftop.solvers.h5io.repack.objects import objects_of
from rooftop.solvers.h5io.repack.plan import planned
from rooftop.solvers.h5io.repack.progress import Telling, Watch
from rooftop.solvers.h5io.repack.source_file import OldFile
from rooftop.solvers.h5io.repack.space import require_space
from rooftop.solvers.h5io.repack.target import Target
from rooftop.solvers.h5io.repack.unfinished_file import (
    bring_to_disk,
    created_empty,
    dress,
    left_beside,
    name_beside,
    take_place,
)
from rooftop.solvers.h5io.repack.ways import task_of

_ROOM_BYTES = 8 << 30  # memory beside the values: the structure, and a few chunks, which have up to 4 GiB each


@dataclass(frozen=True)
class Asked:
    """The options of ``rooftop h5 repack``.

    datasets      names of the datasets to rewrite; empty: all that can have the layout
    out           the file to write; None: replace the file
    memory_bytes  maximum memory for the data of a dataset, unless one chunk is larger
    """

    file: Path
    datasets: Sequence[str]
    target: Target
    out: Path | None
    threads: int
    memory_bytes: int


def _cleared(old: OldFile, leftovers: Sequence[Path]) -> list[str]:
    """Remove the partial files of killed runs, and return remarks about them."""
    if not leftovers:
        return []
    shown = ", ".join(one.name for one in leftovers)
    if not old.alone:
        return [f"another program has {old.named} open: {shown} may belong to it or to a killed run, and is kept"]
    for one in leftovers:
        with suppress(OSError):
            one.unlink()
    return [f"removed the partial file of a killed run: {shown}"]


def _remarks(asked: Asked, old: OldFile) -> list[str]:
    """Return remarks about the new file."""
    if asked.out is None and old.status.st_nlink > 1:
        return [f"{old.named} has {old.status.st_nlink} hard links: the others still refer to the old file"]
    return []


def _reading(path: Path) -> File | None:
    """Open the file with h5io; None if its HDF5 library is too old for the file."""
    load()  # raises NotBuilt
    try:
        return File(path)
    except H5FileError:
        return None


def _document(asked: Asked, old: OldFile, job: Job, after: Mapping[int, int]) -> RepackDocument:
    rewritten, plan = [], job.plan
    for place, one in plan.rewritten.items():
        stored = h5o.open(old.id, one.object.path).get_storage_size()
        rewritten.append(
            RewrittenDataset(
                dataset=one.name,
                shape=list(one.extent.shape),
                dtype=one.dtype,
                before=DatasetLayout(
                    layout=str(one.before),
                    chunk=None if one.before.chunk is None else list(one.before.chunk),
                    filters=[step.word for step in one.before.filters],
                    stored_bytes=stored,
                ),
                after=DatasetLayout(
                    layout=str(one.words),
                    chunk=None if one.words.chunk is None else list(one.words.chunk),
                    filters=list(one.words.filters),
                    stored_bytes=after[place],
                ),
            )
        )
    return RepackDocument(
        schema="rooftop/h5-repack/1",
        rooftop=rooftop.__version__,
        file=str(asked.file),
        out=str(asked.out or asked.file),
        bytes_before=old.status.st_size,
        bytes_after=0,
        seconds=0.0,
        threads=asked.threads,
        rewritten=rewritten,
        left=[LeftDataset(dataset=name, reason=why) for name, why in plan.left],
        copied=len(job.tasks) - len(plan.rewritten) - len(plan.left),
    )


def repacked_apart(asked: Asked, watch: Watch) -> RepackDocument:
    """Rewrite a file in a copy of this process, which a damaged file may end. Raises what `repack` raises."""
    new = name_beside(_target(asked))
    try:
        return apart(
            asked.file,
            lambda tell: repack(asked, Telling(tell), new),
            lambda word, value: getattr(watch, word)(value),
            begun="begin",
            room_bytes=_ROOM_BYTES + 2 * asked.memory_bytes,
        )
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def _target(asked: Asked) -> Path:
    """Return the file that is written."""
    return asked.file.resolve() if asked.out is None else asked.out


def repack(asked: Asked, watch: Watch, new: Path | None = None) -> RepackDocument:
    """Rewrite a file. Raises Misuse and H5FileError; the file is then unchanged, and no other file is left behind.

    new  the name of the file until it is complete; None: one is chosen
    """
    start = time.monotonic()
    target = _target(asked)
    new = name_beside(target) if new is None else new
    leftovers = left_beside(target)
    with OldFile(asked.file, ask_alone=bool(leftovers)) as old:
        if asked.out is not None and asked.out.exists():
            raise Misuse(f"--out is {asked.out}, which exists already, expected a new name")
        remarks = _cleared(old, leftovers)
        watch.doing("reading the structure")
        with told_of(f"{asked.file}: cannot be read as HDF5"):
            objects = objects_of(old.id, str(asked.file))
        plan = planned(old.id, str(asked.file), objects, asked.datasets, asked.target)
        remarks += _remarks(asked, old)
        reading = _reading(old.path)
        tasks = {}
        for place, one in objects.items():
            if one.kind == "dataset":
                with told_of(f"{asked.file}: dataset {one.name} cannot be read"):
                    tasks[place] = task_of(old.id, one, plan, reading)
        require_space(target.parent, old.id, plan, tasks)
        watch.begin(2 * sum(one.work_bytes for one in tasks.values()))
        with created_empty(new):
            half = asked.memory_bytes // 2  # comparing holds a block of each file
            job = Job(old.id, reading, objects, plan, tasks, asked.threads, half, watch)
            document = _written(asked, old, job, new)
            document.bytes_after = new.stat().st_size
            old.require_unchanged()
            if asked.out is not None and asked.out.exists():
                raise Misuse(
                    f"--out is {asked.out}, which another program created in the meantime, expected a new name"
                )
            raise_if_interrupted()
            with told_of(f"{asked.file} is unchanged: {target} cannot be replaced"), uninterrupted():
                take_place(new, target)
    document.remarks = remarks
    document.seconds = time.monotonic() - start
    return document


def _written(asked: Asked, old: OldFile, job: Job, new: Path) -> RepackDocument:
    """Write the new file, compare it with the old one, and sync it to disk. Raises H5FileError."""
    user_block = old.user_block()
    try:
        with told_of(str(new)):
            Copier(job).write(new, user_block)
            comparison = Comparison(job)
            comparison.require_same(new, user_block)
            job.watch.doing("syncing to disk")
            dress(new, old.status, old.path)
            bring_to_disk(new)
    except H5FileError as error:
        raise H5FileError(f"{asked.file} is unchanged: {error}") from error
    except MemoryError:
        raise Misuse(f"{asked.file} is unchanged: out of memory: give a smaller --memory or chunk") from None
    return _document(asked, old, job, comparison.stored_bytes)
