"""Gains without a new file: by this solver, and by a larger chunk cache in h5py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from rooftop.documents import Comparison
from rooftop.solvers.h5io.advice.chunk_cache import ChunkCache, better_cache, library_s
from rooftop.solvers.h5io.advice.cost import Team, predicted_s
from rooftop.solvers.h5io.advice.crew import CrewFailed, CrewPass
from rooftop.solvers.h5io.advice.document import Unchanged
from rooftop.solvers.h5io.advice.dropping import dropping
from rooftop.solvers.h5io.advice.pass_over import Pass
from rooftop.solvers.h5io.advice.study import Study
from rooftop.solvers.h5io.advice.trial import after, compared

Say = Callable[[str], None]
COMPARISONS = 2


def _h5py_s(study: Study, cache_bytes: int | None) -> float | None:
    """Return the predicted seconds of h5py; None if the rates of the file's filters are not known."""
    if (rates := study.own_rates) is None:
        return None
    shape, itemsize = study.dataset.shape, study.dataset.dtype.itemsize
    if study.current.chunk is None or cache_bytes is None:
        return predicted_s(study.current, study.reads, shape, itemsize, rates, Team(1, 1))
    return library_s(study.current, study.reads, shape, itemsize, rates, cache_bytes)


def unchanged(study: Study, say: Say) -> tuple[list[Unchanged], str | None]:
    """Return what was measured against h5py as it comes, and a remark where it cannot be."""
    if find_spec("h5py") is None:
        return [], "h5py is not installed: reads by the HDF5 library and larger chunk caches are not measured"
    found: list[Unchanged] = []
    try:
        found.extend(_against_h5py(study, say))  # what comes before a failure stays
    except CrewFailed as error:
        return found, f"reads by h5py are not measured: h5py cannot read the dataset: {error}"
    return found, None


def _against_h5py(study: Study, say: Say) -> Iterator[Unchanged]:
    dataset, reads, threads = study.dataset, tuple(study.reads), study.team.streams
    drop = dropping([dataset.path], study.means)

    def by_h5py(cache: ChunkCache | None) -> CrewPass:
        size, slots = (None, None) if cache is None else (cache.size, cache.slots)
        return study.crew.open([Pass(dataset.path, dataset.name, reads, 1, "h5py", size, slots)])

    say("measuring h5py")
    plain = by_h5py(None)
    own_s = _h5py_s(study, plain.cache_bytes)

    def measured(other: CrewPass) -> Comparison | None:
        run, against = after(drop, other.run), after(drop, plain.run)
        found = compared("h5py", run, against, study.floor, study.budget.deadline(), study.rules)
        other.close()
        return found

    ours = study.crew.open([Pass(dataset.path, dataset.name, reads, threads)])
    yield Unchanged(
        by="h5io",
        predicted=None if own_s is None else own_s / study.seconds_now(Team(1, threads)),
        measured=measured(ours),
    )
    own_bytes = plain.cache_bytes
    cache = None if own_bytes is None else better_cache(study.current, reads, dataset.dtype.itemsize, own_bytes)
    if cache is not None:
        say("measuring h5py's chunk cache")
        with_cache_s = _h5py_s(study, cache.size)
        yield Unchanged(
            by="h5py",
            cache_bytes=cache.size,
            cache_slots=cache.slots,
            predicted=None if own_s is None or with_cache_s is None else own_s / with_cache_s,
            measured=measured(by_h5py(cache)),
        )
    plain.close()
