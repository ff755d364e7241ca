"""The request of `rooftop h5 advise`, and the properties of the dataset."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from rooftop.errors import Misuse
from rooftop.files.contents import shown
from rooftop.solvers.h5io import Dataset, File
from rooftop.solvers.h5io.advice.access import Index, access_named, sample_shape
from rooftop.solvers.h5io.advice.cost import Team
from rooftop.solvers.h5io.advice.dropping import Means, means_of_dropping
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.apart import apart
from rooftop.solvers.h5io.filters import named
from rooftop.solvers.running.campaign import SolverRequest

BUDGET_S = 20.0
TRIALS = 4  # layouts to measure, and one with filters
_MOST_RANKS = 64


@dataclass(frozen=True)
class Facts:
    """Properties of a dataset.

    dtype       type string of NumPy's array interface
    sample      shape of the part, from the first element on, that is read and written
    dropped_by  how files are dropped from the page cache before each pass; None: they are not
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    chunk: tuple[int, ...] | None
    filters: tuple[str, ...]
    stored_bytes: int
    sample: tuple[int, ...]
    dropped_by: Means | None = None

    @property
    def layout(self) -> Layout:
        """The layout in the file."""
        return Layout(self.chunk, self.filters)

    @property
    def itemsize(self) -> int:
        """The size of an element in bytes."""
        return np.dtype(self.dtype).itemsize


@dataclass(frozen=True, kw_only=True)
class Request(SolverRequest):
    """The options of ``rooftop h5 advise``. `seed` also determines random positions.

    sample_bytes  maximum amount of data to copy into each trial file
    ranks         numbers of processes, which share the reads and the threads; all are compared with the first
    scratch       the folder for trial files; None: the file's folder
    facts         properties of the dataset, once it has been opened
    """

    file: Path | None = None
    dataset: str | None = None
    access: str = "all"
    threads: int = 1
    cold: bool = False
    sample_bytes: int = 256 << 20
    scratch: Path | None = None
    ranks: tuple[int, ...] = (1,)
    facts: Facts | None = None

    @property
    def known(self) -> Facts:
        """The properties of the dataset, which must have been opened."""
        assert self.facts is not None
        return self.facts

    @cached_property
    def reads(self) -> list[Index]:
        """All selections of one pass."""
        assert self.seed is not None
        return access_named(self.access).reads(self.known.sample, self.seed)

    @property
    def teams(self) -> list[Team]:
        """The teams of readers. Reads of the current layout by the first one are the baseline of all comparisons."""
        return [Team(ranks, max(1, self.threads // ranks)) for ranks in self.ranks]

    @property
    def trial_bytes(self) -> int:
        """The maximum bytes of all trial files together, which exist at the same time."""
        files = TRIALS + 1 + len(self.ranks) - 1
        return files * math.prod(self.known.sample) * self.known.itemsize

    def opened(self) -> Dataset:
        """Open the dataset. Raises Misuse, and H5FileError if the file cannot be read."""
        file = self._named()
        if file.exists() and not file.is_file():
            raise Misuse(f"{file} is no regular file, expected an HDF5 file")
        return _chosen(File(file), self.dataset)

    def _named(self) -> Path:
        """Return the file. Raises Misuse."""
        if self.file is None:
            raise Misuse("there is no file: rooftop h5 advise FILE.h5")
        return self.file

    def prepared(self) -> Request:
        """Return the request with the properties of its dataset. Raises Misuse, and H5FileError if reading fails."""
        if max(self.ranks) > _MOST_RANKS:
            raise Misuse(f"--ranks has {max(self.ranks)}, expected at most {_MOST_RANKS} on one machine")
        access_named(self.access)
        return replace(self, facts=apart(self._named(), lambda _: self._looked_at(), room_bytes=self._room_bytes))

    @property
    def _room_bytes(self) -> int:
        """The memory that a look takes at most: the sample as it is and decoded, and chunks of up to 4 GiB."""
        return (8 << 30) + 2 * self.sample_bytes

    def _looked_at(self) -> Facts:
        """Return the properties of the dataset, whose sample can be read. Raises as `prepared` does."""
        dataset = self.opened()
        where = f"{shown(self._named())}: dataset {dataset.name}"
        if not dataset.shape or 0 in dataset.shape:
            raise Misuse(f"{where} is a single value or empty, expected an array")
        if dataset.layout == "external":
            raise Misuse(f"{where} has its values in other files, expected them in this one")
        if dataset.stored_bytes == 0 and dataset.layout != "other":
            raise Misuse(f"{where} has no data yet, expected some: write it first")
        if not dataset.as_stored or dataset.dtype.names is not None or dataset.dtype.subdtype is not None:
            raise Misuse(
                f"{where} has elements of {dataset.dtype}, expected numbers, strings of a fixed length, or opaque bytes"
            )
        facts = Facts(
            name=dataset.name,
            shape=tuple(dataset.shape),
            dtype=dataset.dtype.str,
            chunk=dataset.chunks,
            filters=tuple(named(one.id, one.name) for one in dataset.filters),
            stored_bytes=dataset.stored_bytes,
            sample=sample_shape(dataset.shape, dataset.dtype.itemsize, self.sample_bytes),
            dropped_by=means_of_dropping(dataset.path) if self.cold else None,
        )
        dataset.read(tuple(slice(0, extent) for extent in facts.sample), threads=self.threads)
        return facts

    def remarks(self) -> list[str]:
        """Return remarks on what is measured, for the user."""
        facts, found = self.known, []
        if facts.sample != facts.shape:
            part = "x".join(map(str, facts.sample))
            found.append(f"measured on the first {part} elements: --sample is smaller than the dataset")
        if self.cold and facts.dropped_by is None:
            found.append(
                f"--cold has no effect: {self.file} cannot be dropped from the page cache; reads come from the cache"
            )
        return found


def _chosen(file: File, name: str | None) -> Dataset:
    """Return the dataset of this name, or the file's only one. Raises Misuse."""
    names = file.datasets()
    if name is not None:
        return file[name.strip("/")]
    if len(names) == 1:
        return file[names[0]]
    listed = ", ".join(names[:10]) + (" …" if len(names) > 10 else "")
    raise Misuse(
        f"{file.path} has {len(names)} datasets, expected --dataset with one of them{': ' if names else ''}{listed}"
    )
