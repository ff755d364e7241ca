"""Looks for a better layout: predicts from rates, then measures the most promising."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rooftop
from rooftop.errors import Misuse
from rooftop.measure.compare import log_ratios, noise_floor
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import Dataset, File
from rooftop.solvers.h5io.advice.access import Access, Index, sample_shape
from rooftop.solvers.h5io.advice.cost import Rates, predicted_s
from rooftop.solvers.h5io.advice.document import AdviceDocument, Proposal
from rooftop.solvers.h5io.advice.layouts import Layout, candidates, padded_share
from rooftop.solvers.h5io.advice.rates import bytes_of, measured_rates
from rooftop.solvers.h5io.advice.trial import compared, reader, written
from rooftop.solvers.h5io.filters import named

_RATES_BYTES = 8 << 20
_TRIALS = 4

Say = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What is asked.

    sample_bytes  most bytes of the dataset that are written again
    budget_s      seconds for the comparisons
    scratch       the folder for files of trial; None: beside the file
    """

    file: Path
    dataset: str | None
    access: Access
    threads: int
    cold: bool
    sample_bytes: int
    budget_s: float
    scratch: Path | None
    seed: int


def chosen(file: File, name: str | None) -> Dataset:
    """Return the dataset of this name, or the file's only one. Raises Misuse."""
    names = file.datasets()
    if name is not None:
        return file[name.strip("/")]
    if len(names) == 1:
        return file[names[0]]
    shown = ", ".join(names[:10]) + (" …" if len(names) > 10 else "")
    raise Misuse(
        f"{file.path} has {len(names)} datasets, expected --dataset with one of them{': ' if names else ''}{shown}"
    )


def _dropping(paths: Sequence[str], cold: bool) -> Callable[[], None]:
    def drop() -> None:
        for path in paths:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fdatasync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)

    return drop if cold else lambda: None


def _promising(
    layouts: Sequence[Layout], reads: Sequence[Index], values: NDArray[Any], rates: Rates, current: Layout
) -> list[tuple[Layout, float]]:
    """Return layouts by what they are likely to take, the best of each shape of chunks first, then the others."""
    times = [
        (one, predicted_s(one, reads, values.shape, values.dtype.itemsize, rates)) for one in layouts if one != current
    ]
    times.sort(key=lambda pair: pair[1])
    first: dict[tuple[int, ...] | None, tuple[Layout, float]] = {}
    for pair in times:
        first.setdefault(pair[0].chunk, pair)
    best = list(first.values())
    return best + [pair for pair in times if pair not in best]


def _tried(layouts: Sequence[Layout], current: Layout) -> list[Layout]:
    """Return which are measured: the first ones, and where data is compressed now, one that compresses too."""
    tried = list(layouts[:_TRIALS])
    if current.filters and not any(one.filters for one in tried):
        tried += [one for one in layouts if one.filters][:1]
    return tried


@contextmanager
def _scratch(above: Path) -> Iterator[Path]:
    """Make a folder, gone in the end. Raises Misuse where that cannot be."""
    try:
        made = tempfile.TemporaryDirectory(prefix=".rooftop-h5-", dir=above)
    except OSError as error:
        raise Misuse(
            f"{above} cannot be written: {error.strerror}: expected --scratch with a folder that can"
        ) from None
    with made as name:
        yield Path(name)


def advise(asked: Asked, say: Say) -> AdviceDocument:
    """Return the most promising layouts, the best of them measured. Raises Misuse, H5FileError and MemoryError."""
    dataset = chosen(File(asked.file), asked.dataset)
    if not dataset.shape or 0 in dataset.shape:
        raise Misuse(f"{asked.file}: dataset {dataset.name} has no elements in a row: its layout cannot matter")
    itemsize = dataset.dtype.itemsize
    sample = sample_shape(dataset.shape, itemsize, asked.sample_bytes)
    region = tuple(slice(0, extent) for extent in sample)
    reads = asked.access.reads(sample, asked.seed)
    current = Layout(dataset.chunks, tuple(named(one.id, one.name) for one in dataset.filters))
    remarks = []
    if sample != dataset.shape:
        remarks.append(
            f"measured on the first {'x'.join(map(str, sample))} elements: --sample is smaller than the dataset"
        )
    if asked.cold:
        remarks.append("predicted is from the system's cache, and now without it: go by what was measured")
    rules = Rules()
    with _scratch(asked.scratch or asked.file.resolve().parent) as folder:
        say("reading a part of the data")
        start = time.perf_counter()
        values = dataset.read(region, threads=asked.threads)
        read_s = time.perf_counter() - start
        few = tuple(slice(0, extent) for extent in sample_shape(sample, itemsize, _RATES_BYTES))
        say("measuring filters and reads")
        rates = measured_rates(folder, np.ascontiguousarray(values[few]), asked.threads)
        now = reader(dataset, reads, asked.threads, _dropping([dataset.path], asked.cold))
        now()
        own, twin = [], []
        for _ in range(rules.min_pairs):
            own.append(now())
            twin.append(now())
        now_s = float(np.median(own + twin))
        floor = noise_floor([log_ratios(own, twin)], rules)
        layouts = candidates(sample, itemsize, list(rates.filters))
        promising = _promising(layouts, reads, values, rates, current)
        tried = _tried([one for one, _ in promising], current)
        measured = {}
        deadline = time.monotonic() + asked.budget_s
        for number, layout in enumerate(tried):
            say(f"measuring {layout}")
            new = written(folder / f"trial-{number}.h5", layout, values)
            run = reader(new, reads, asked.threads, _dropping([new.path], asked.cold))
            share = time.monotonic() + (deadline - time.monotonic()) / (len(tried) - number)
            measured[layout] = compared("now", run, now, floor or 0.0, share, rules), new.stored_bytes / values.nbytes
            Path(new.path).unlink()
    whole = bytes_of(dataset.shape, itemsize)
    proposals = []
    for layout, seconds in promising:
        filters = rates.filters.get(layout.filters)
        share = 1.0 if layout.chunk is None else padded_share(layout.chunk, dataset.shape)
        if layout.filters and filters is not None:
            share = filters.share
        comparison, seen = measured.get(layout, (None, share))
        proposals.append(
            Proposal(
                layout=str(layout),
                chunk=None if layout.chunk is None else list(layout.chunk),
                filters=list(layout.filters),
                predicted=now_s / seconds,
                measured=comparison,
                stored_bytes=seen * whole,
                rewrite_s=(read_s + values.nbytes / (rates.read_bytes_s if filters is None else filters.encoded))
                * (whole / values.nbytes),
            )
        )
    proposals.sort(key=lambda one: -(one.measured.ratio if one.measured is not None else 0))
    return AdviceDocument(
        schema="rooftop/h5-advise/1",
        rooftop=rooftop.__version__,
        file=str(asked.file),
        dataset=dataset.name,
        shape=list(dataset.shape),
        dtype=dataset.dtype.str,
        layout=str(current),
        stored_bytes=dataset.stored_bytes,
        access=str(asked.access),
        cold=asked.cold,
        threads=asked.threads,
        sample=list(sample),
        now_s=now_s,
        reads=len(reads),
        floor=floor,
        proposals=proposals,
        remarks=remarks,
    )
