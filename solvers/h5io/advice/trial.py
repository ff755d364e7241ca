"""Timed reads of the user's file, and of trial files that hold the sample in other layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rooftop.driver.calls import Answer, Call
from rooftop.driver.executor import DriverFailed
from rooftop.driver.protocol import Work
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.turns import lacks_pairs
from rooftop.solvers.h5io import Dataset, File, OutputFile
from rooftop.solvers.h5io.advice.access import Index, divided
from rooftop.solvers.h5io.advice.chunk_cache import ChunkCache
from rooftop.solvers.h5io.advice.cost import Team
from rooftop.solvers.h5io.advice.crew import Crew, CrewFailed, CrewPass
from rooftop.solvers.h5io.advice.dropping import dropping
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.pass_over import By, Pass, opened
from rooftop.solvers.h5io.advice.request import Request
from rooftop.solvers.running.campaign import NO_LIMIT_S


def written(path: Path, layout: Layout, values: NDArray[Any]) -> Dataset:
    """Write values in a layout to a new file, and return its dataset."""
    with OutputFile(path, replace=True) as file:
        file.dataset("x", values.shape, values.dtype, chunks=layout.chunk, filters=layout.filters).write(values)
    return File(path)["x"]


def readers(crew: Crew, dataset: Dataset, reads: Sequence[Index], team: Team) -> CrewPass:
    """Return a pass over all reads, run by this process alone or by the crew. Raises CrewFailed and H5FileError."""
    passes = [
        Pass(dataset.path, dataset.name, tuple(part), team.threads) for part in divided(reads, team.ranks) if part
    ]
    if len(passes) > 1:
        return crew.open(passes)
    return CrewPass(opened(passes[0]).run, None, lambda: None)


@contextmanager
def _failing() -> Iterator[None]:
    """Convert a failure of the crew, so that it ends only its arm."""
    try:
        yield
    except CrewFailed as error:
        raise DriverFailed("sample", str(error)) from None


def timed_reads(one: CrewPass, before: Callable[[], None], stored_bytes: int) -> Call:
    """Return passes as an arm of a case. `before` is called before each pass, untimed."""

    def run(iterations: int) -> float:
        elapsed_s = 0.0
        for _ in range(iterations):
            before()
            with _failing():
                elapsed_s += one.run()
        return max(elapsed_s * 1e9, 1.0)

    def close() -> None:
        with suppress(CrewFailed):
            one.close()

    return Call(run, answer=lambda: Answer(work=Work(stored_bytes=stored_bytes)), close=close)  # type: ignore[call-arg]


def measure_points(case: CaseState, run: Callable[[Terms], bool], terms: Terms, left_s: Callable[[], float]) -> None:
    """Measure the minimum number of pairs of all comparisons, however long it takes, then more while time is left.

    left_s  seconds left of the case's share
    """
    if lacks_pairs(case, terms.rules):
        run(replace(terms, share_s=NO_LIMIT_S, essentials=True, at_once=False))
    run(replace(terms, share_s=max(left_s(), 0.0)))


@dataclass(frozen=True)
class Reading:
    """One way to read the sample.

    name    name of its arm
    layout  layout of the trial file; None: the user's file
    cache   h5py's chunk cache; None: h5py's default
    apart   whether a process of the crew reads, even if there is only one
    """

    name: str
    team: Team
    layout: Layout | None = None
    by: By = "h5io"
    cache: ChunkCache | None = None
    apart: bool = False


BY_H5PY = Reading("h5py", Team(1, 1), by="h5py", apart=True)


@dataclass(frozen=True)
class Trials:
    """The dataset, the reading processes and the folder of trial files that all readings use."""

    request: Request
    crew: Crew
    folder: Path
    _files: dict[Layout, Dataset] = field(default_factory=dict)

    @cached_property
    def dataset(self) -> Dataset:
        """The user's file."""
        return self.request.opened()

    @cached_property
    def values(self) -> NDArray[Any]:
        """The values of the sample."""
        region = tuple(slice(0, extent) for extent in self.request.known.sample)
        values: NDArray[Any] = self.dataset.read(region, threads=self.request.threads)
        return values

    def opened(self, reading: Reading) -> CrewPass:
        """Open the passes of a reading. Raises CrewFailed and H5FileError."""
        dataset, reads = self._dataset(reading.layout), self.request.reads
        if not reading.apart:
            return readers(self.crew, dataset, reads, reading.team)
        size, slots = (None, None) if reading.cache is None else (reading.cache.size, reading.cache.slots)
        one = Pass(dataset.path, dataset.name, tuple(reads), reading.team.streams, reading.by, size, slots)
        return self.crew.open([one])

    def call(self, reading: Reading) -> Call:
        """Return a reading as an arm of a case, and write the trial file that it needs.

        Raises H5FileError, and DriverFailed if a process of the crew cannot read.
        """
        dataset = self._dataset(reading.layout)
        drop = dropping([dataset.path], self.request.known.dropped_by)
        with _failing():
            return timed_reads(self.opened(reading), drop, dataset.stored_bytes)

    def _dataset(self, layout: Layout | None) -> Dataset:
        if layout is None:
            return self.dataset
        if layout not in self._files:
            self._files[layout] = written(self.folder / f"trial-{len(self._files)}.h5", layout, self.values)
        return self._files[layout]
