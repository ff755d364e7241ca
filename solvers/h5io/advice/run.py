"""Search for a better layout: predict from rates, then measure the most promising."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

import rooftop
from rooftop.documents import Comparison
from rooftop.errors import Misuse
from rooftop.machine.identity import cores_now
from rooftop.measure.compare import noise_floor
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import Dataset, File
from rooftop.solvers.h5io.advice.access import Access, sample_shape
from rooftop.solvers.h5io.advice.cost import Team, at_streams
from rooftop.solvers.h5io.advice.crew import Crew
from rooftop.solvers.h5io.advice.document import AdviceDocument, Proposal
from rooftop.solvers.h5io.advice.dropping import dropping, means_of_dropping
from rooftop.solvers.h5io.advice.layouts import Layout, candidates, padded_share
from rooftop.solvers.h5io.advice.rank_counts import by_ranks, layouts_by_team
from rooftop.solvers.h5io.advice.rates import bytes_of, measured_rates, rates_now
from rooftop.solvers.h5io.advice.rates_used import rates_used
from rooftop.solvers.h5io.advice.scratch import scratch_folder
from rooftop.solvers.h5io.advice.study import Study
from rooftop.solvers.h5io.advice.trial import Budget, after, readers
from rooftop.solvers.h5io.advice.unchanged import COMPARISONS, unchanged
from rooftop.solvers.h5io.filters import named

_RATES_BYTES = 8 << 20
_TRIALS = 4
_MOST_RANKS = 64

Say = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """The options of ``rooftop h5 advise``.

    sample_bytes  maximum amount of data to copy into trial files
    budget_s      seconds for the comparisons
    ranks         numbers of processes that share the reads and the threads; all are compared with the first
    scratch       the folder for trial files; None: the file's folder
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
    ranks: tuple[int, ...] = (1,)


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


def _promising(layouts: Sequence[Layout], study: Study) -> list[Layout]:
    """Return the layouts by predicted time: first the best one for each chunk shape, then the rest."""
    times = {one: study.seconds(one, study.team) for one in layouts if one != study.current}
    ordered = sorted(times, key=times.__getitem__)
    first: dict[tuple[int, ...] | None, Layout] = {}
    for one in ordered:
        first.setdefault(one.chunk, one)
    best = list(first.values())
    return best + [one for one in ordered if one not in best]


def _tried(layouts: Sequence[Layout], current: Layout) -> list[Layout]:
    """Return the layouts to measure: the first ones, and one with filters if the dataset has filters now."""
    tried = list(layouts[:_TRIALS])
    if current.filters and not any(one.filters for one in tried):
        tried += [one for one in layouts if one.filters][:1]
    return tried


def _twice(run: Callable[[], float], rules: Rules) -> tuple[float, float]:
    """Return the median seconds of a pass, and the noise floor of passes of the same file."""
    run()
    own, twin = [], []
    for _ in range(rules.min_pairs):
        own.append(run())
        twin.append(run())
    return median(own + twin), noise_floor([Pairs.of((own, twin)).log_ratios], rules) or 0.0


def _proposal(study: Study, layout: Layout, found: tuple[Comparison | None, float | None], read_s: float) -> Proposal:
    """Return the proposal of a layout. `found` is its comparison and its compression ratio, None if not measured."""
    dataset, values = study.dataset, study.values
    whole = bytes_of(dataset.shape, dataset.dtype.itemsize)
    filters = study.rates.filters.get(layout.filters)
    share = 1.0 if layout.chunk is None else padded_share(layout.chunk, dataset.shape)
    if layout.filters and filters is not None:
        share = filters.share
    comparison, seen = found
    write_bytes_s = at_streams(study.rates.read_bytes_s, study.rates.cores) if filters is None else filters.encoded
    return Proposal(
        layout=str(layout),
        chunk=None if layout.chunk is None else list(layout.chunk),
        filters=list(layout.filters),
        predicted=study.gain(layout, study.team),
        measured=comparison,
        stored_bytes=(share if seen is None else seen) * whole,
        rewrite_s=(read_s + values.nbytes / write_bytes_s) * (whole / values.nbytes),
    )


def advise(asked: Asked, say: Say, alone: Callable[[], AbstractContextManager[object]] = nullcontext) -> AdviceDocument:
    """Return the most promising layouts, the best of them measured.

    alone  holds the machine while it is measured, once the request is known to be right

    Raises Misuse, H5FileError, MemoryError, CrewFailed where a rank does not end its part, and what `alone` raises.
    """
    dataset = chosen(File(asked.file), asked.dataset)
    if not dataset.shape or 0 in dataset.shape:
        raise Misuse(f"{asked.file}: dataset {dataset.name} is a single value or empty, expected an array")
    if dataset.stored_bytes == 0 and dataset.layout != "other":
        raise Misuse(f"{asked.file}: dataset {dataset.name} has no data yet, expected some: write it first")
    if not dataset.as_stored or dataset.dtype.names is not None or dataset.dtype.subdtype is not None:
        raise Misuse(
            f"{asked.file}: dataset {dataset.name} has elements of {dataset.dtype}, expected numbers, strings of a "
            "fixed length, or opaque bytes"
        )
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
    means = means_of_dropping(dataset.path) if asked.cold else None
    if asked.cold and means is None:
        remarks.append(
            f"--cold has no effect: {dataset.path} cannot be dropped from the page cache; reads come from the cache"
        )
    if max(asked.ranks) > _MOST_RANKS:
        raise Misuse(f"--ranks has {max(asked.ranks)}, expected at most {_MOST_RANKS}, all of them on this machine")
    rules = Rules()
    teams = [Team(ranks, max(1, asked.threads // ranks)) for ranks in asked.ranks]
    with alone(), scratch_folder(asked.scratch or asked.file.resolve().parent) as folder, Crew() as crew:
        say("reading a part of the data")
        start = time.perf_counter()
        values = dataset.read(region, threads=asked.threads)
        read_s = time.perf_counter() - start
        few = tuple(slice(0, extent) for extent in sample_shape(sample, itemsize, _RATES_BYTES))
        say("measuring filters and reads")
        part = np.ascontiguousarray(values[few])
        streams = [team.streams for team in teams]
        rates = measured_rates(folder, part, [*streams, asked.threads], cores_now(), means)
        by_library = dataset.read_reported(few, threads=1)[1].way == "library"
        own = None if by_library else rates_now(dataset, few, rates)
        now = after(dropping([dataset.path], means), readers(crew, dataset, reads, teams[0]).run)
        now_s, floor = _twice(now, rules)
        comparisons = _TRIALS + 1 + COMPARISONS + 3 * (len(teams) - 1)
        budget = Budget(asked.budget_s, comparisons)
        study = Study(
            dataset, reads, values, current, rates, own, teams[0], now, now_s, floor, crew, folder, means, budget, rules
        )
        promising = _promising(candidates(sample, itemsize, list(rates.filters)), study)
        measured: dict[Layout, tuple[Comparison | None, float | None]] = {}
        for layout in _tried(promising, current):
            say(f"measuring {layout}")
            measured[layout] = study.compare(layout, teams[0])
        proposals = [_proposal(study, one, measured.get(one, (None, None)), read_s) for one in promising]
        proposals.sort(key=lambda one: -(one.measured.ratio if one.measured is not None else 0))
        others = by_ranks(study, layouts_by_team(study, teams[1:], promising), proposals, say)
        as_it_is, remark = unchanged(study, say)
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
        dropped_by=means,
        threads=asked.threads,
        ranks=list(asked.ranks),
        sample=list(sample),
        now_s=now_s,
        reads=len(reads),
        floor=floor,
        proposals=proposals,
        by_ranks=others,
        unchanged=as_it_is,
        rates=rates_used(rates),
        remarks=remarks if remark is None else [*remarks, remark],
    )
