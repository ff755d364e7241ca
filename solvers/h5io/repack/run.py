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
from rooftop.solvers.h5io.library import H5FileError, load
from rooftop.solvers.h5io.repack.comparing import Comparison
from rooftop.solvers.h5io.repack.copying import Copier
from rooftop.solvers.h5io.repack.document import DatasetLayout, LeftDataset, RepackDocument, RewrittenDataset
from rooftop.solvers.h5io.repack.failures import told_of
from rooftop.solvers.h5io.repack.job import Job
from rooftop.solvers.h5io.repack.objects import objects_of
from rooftop.solvers.h5io.repack.plan import planned
from rooftop.solvers.h5io.repack.progress import Watch
from rooftop.solvers.h5io.repack.source_file import OldFile
from rooftop.solvers.h5io.repack.space import require_space
from rooftop.solvers.h5io.repack.target import Target
from rooftop.solvers.h5io.repack.unfinished_file import bring_to_disk, dress, file_beside, left_beside, take_place
from rooftop.solvers.h5io.repack.ways import task_of


@dataclass(frozen=True)
class Asked:
    """What is asked.

    datasets      their names; none: all that can have the layout
    out           the file to write; None: the file's own place
    memory_bytes  most that is held of a dataset at once, unless a chunk is larger
    """

    file: Path
    datasets: Sequence[str]
    target: Target
    out: Path | None
    threads: int
    memory_bytes: int


def _cleared(old: OldFile, leftovers: Sequence[Path]) -> list[str]:
    """Remove what killed runs left, and return what to say of it."""
    if not leftovers:
        return []
    shown = ", ".join(one.name for one in leftovers)
    if not old.alone:
        return [f"another program has {old.named} open: {shown} beside it may be its, or left by a run that was killed"]
    for one in leftovers:
        with suppress(OSError):
            one.unlink()
    return [f"removed what a run that was killed left: {shown}"]


def _remarks(asked: Asked, old: OldFile) -> list[str]:
    """Return what the new file's user should know."""
    if asked.out is None and old.status.st_nlink > 1:
        return [f"{old.named} has {old.status.st_nlink} names: the others keep the file as it was"]
    return []


def _reading(path: Path) -> File | None:
    """Return h5io's file; None where its HDF5 is older than the file."""
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


def repack(asked: Asked, watch: Watch) -> RepackDocument:
    """Rewrite a file. Raises Misuse and H5FileError: the file is as it was then, and nothing is left beside it."""
    start = time.monotonic()
    target = asked.file.resolve() if asked.out is None else asked.out
    leftovers = left_beside(target)
    with OldFile(asked.file, ask_alone=bool(leftovers)) as old:
        if asked.out is not None and asked.out.exists():
            raise Misuse(f"--out is {asked.out}, which is there already, expected a new name")
        remarks = _cleared(old, leftovers)
        watch.doing("looking")
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
        with file_beside(target) as new:
            half = asked.memory_bytes // 2  # a block of each file, when they are compared
            job = Job(old.id, reading, objects, plan, tasks, asked.threads, half, watch)
            document = _written(asked, old, job, new)
            document.bytes_after = new.stat().st_size
            old.require_unchanged()
            if asked.out is not None and asked.out.exists():
                raise Misuse(f"--out is {asked.out}, which another program has made meanwhile, expected a new name")
            raise_if_interrupted()
            with told_of(f"{asked.file} stays as it was: {target} cannot be put in its place"), uninterrupted():
                take_place(new, target)
    document.remarks = remarks
    document.seconds = time.monotonic() - start
    return document


def _written(asked: Asked, old: OldFile, job: Job, new: Path) -> RepackDocument:
    """Write the new file, compare it with the old one, and return once the device has it. Raises H5FileError."""
    user_block = old.user_block()
    try:
        with told_of(str(new)):
            Copier(job).write(new, user_block)
            comparison = Comparison(job)
            comparison.require_same(new, user_block)
            job.watch.doing("bringing it to the disk")
            dress(new, old.status, old.path)
            bring_to_disk(new)
    except H5FileError as error:
        raise H5FileError(f"{asked.file} stays as it was: {error}") from error
    except MemoryError:
        raise Misuse(f"{asked.file} stays as it was: memory is full, expected a smaller --memory or chunk") from None
    return _document(asked, old, job, comparison.stored_bytes)
