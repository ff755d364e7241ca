"""Costs of reads by h5py: of a call, of a piece of a contiguous dataset, and of a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rooftop.solvers.h5io.advice.access import Index, chunks_of
from rooftop.solvers.h5io.advice.cost import LibraryRates, Rates
from rooftop.solvers.h5io.advice.pass_over import Pass
from rooftop.solvers.h5io.advice.rates import PIECES, bytes_of, write_small
from rooftop.solvers.h5io.advice.trial import Trials

_RUNS, _CALLS = 7, 200


def _median_s(trials: Trials, path: str | Path, name: str, reads: Sequence[Index]) -> float:
    """Return the seconds of these reads, by h5py in a process of the crew, with an empty chunk cache."""
    opened = trials.crew.open([Pass(str(path), name, tuple(reads), 1, by="h5py")])
    try:
        opened.run()
        return median(opened.run() for _ in range(_RUNS))
    finally:
        opened.close()


def h5py_rates(trials: Trials, region: Index, rates: Rates) -> LibraryRates:
    """Measure the costs, and how fast the dataset's own filters are decoded in a region. Raises CrewFailed.

    rates  those of h5io
    """
    path = trials.folder / "small-h5py.h5"
    write_small(path)
    every = slice(0, PIECES)
    call_s = _median_s(trials, path, "apart", [(slice(0, 1), slice(0, 1))] * _CALLS) / _CALLS
    pieces_s = _median_s(trials, path, "apart", [(every, slice(0, 1))])
    chunks_s = _median_s(trials, path, "chunks", [(every, slice(None))])
    path.unlink()
    found = LibraryRates(call_s, max(0.0, pieces_s - call_s) / (PIECES - 1), max(0.0, chunks_s - call_s) / PIECES, None)
    facts = trials.request.known
    if facts.chunk is None or not facts.filters:
        return found
    took_s = _median_s(trials, trials.dataset.path, facts.name, [region])
    chunks = chunks_of(region, facts.chunk)
    decoding_s = max(took_s - found.call_s - chunks * found.chunk_s, 0.1 * took_s)
    decoded = chunks * bytes_of(facts.chunk, facts.itemsize) / decoding_s
    return LibraryRates(found.call_s, found.piece_s, found.chunk_s, decoded)
