"""Suspect that HDF5's chunk cache is too small, and say which one would hold what is read again."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.diagnose.chunk_facts import ChunkedDataset, ChunkFacts
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.suspicion import Suspicion
from rooftop.observe.chunk_cache import slots_for
from rooftop.text.plural import plural
from rooftop.text.quantities import size

NAME = "chunk cache"
_MOST_BYTES = 1 << 30  # of all caches of a process
_OF_MEMORY = 8  # the part of it that the caches of all processes may take
_MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class ChunkCache:
    """A cache for each dataset: the arguments rdcc_nbytes and rdcc_nslots of h5py.File."""

    cache_bytes: int
    slots: int

    @property
    def line(self) -> str:
        """What a user writes to have it."""
        h5py = f"h5py.File(…, rdcc_nbytes={self.cache_bytes}, rdcc_nslots={self.slots})"
        return f"{h5py}; in C H5Pset_chunk_cache(…, {self.slots}, {self.cache_bytes}, …), and H5Dopen2 with that list"


def _again(told: ChunkFacts) -> list[ChunkedDataset]:
    """Return the datasets most of whose reads are of what was read before."""
    return [one for one in told.datasets if one.pieces >= 2 * one.first_pieces and one.again_s > 0]


def _limit(told: ChunkFacts, caches: int) -> int:
    """Return how many bytes a cache may have.

    All datasets of a file get it, and all of them may be open in all of the processes.
    """
    shared = told.memory_bytes // (_OF_MEMORY * max(1, told.processes)) if told.memory_bytes else _MOST_BYTES
    return min(_MOST_BYTES, shared) // caches


def better_cache(told: ChunkFacts) -> ChunkCache | None:
    """Return a cache that holds what is read again, or as much as is allowed; None where none would help.

    What one call reads must fit at least, or chunks go before they are wanted again.
    """
    datasets = [one for one in _again(told) if not one.reopened]
    if not datasets:
        return None
    limit = _limit(told, max(len(datasets), told.caches))
    found = []
    for one in datasets:
        needed = min(one.most_different, one.chunks)
        wanted = 1 << (max(_MEBIBYTE, needed * one.chunk_bytes) - 1).bit_length()
        allowed = 1 << (limit.bit_length() - 1) if limit > 0 else 0
        cache = ChunkCache(min(wanted, allowed), slots_for(needed))
        larger = cache.cache_bytes > one.cache_bytes or cache.slots > one.cache_slots
        if larger and one.call_bytes <= cache.cache_bytes:
            found.append(cache)
    if not found:
        return None
    return ChunkCache(max(one.cache_bytes for one in found), max(one.slots for one in found))


def chunk_cache(facts: Facts, cure: str) -> Suspicion | None:
    """Return that chunks are read and decoded again and again; None where they are not.

    cure  the name of a larger cache
    """
    told = facts.chunks
    datasets = _again(told) if told is not None else []
    if told is None or not datasets:
        return None
    # Processes that read at once do so side by side; which do is not known, but for ranks.
    scale = facts.elapsed_s / told.elapsed_s if told.elapsed_s > 0 else 0.0
    scale /= max(1, min(facts.ranks, told.processes))
    again_s = scale * sum(one.again_s for one in datasets)
    inside_s = scale * sum(one.seconds for one in datasets)
    most = datasets[0]
    beside = f", and those of {plural(len(datasets) - 1, 'other dataset')} as well" if len(datasets) > 1 else ""
    better = better_cache(told)
    small = (
        f"a call takes up to {most.most_pieces:,}, and a chunk has {size(most.chunk_bytes)}: the cache has "
        f"{size(most.cache_bytes)}"
    )
    if most.reopened:
        why = f"it was opened {most.opens:,} times for {most.calls:,} calls, and each open begins with an empty cache"
        remedy = "open the dataset once, and read it by what was opened"
        if most.call_bytes > most.cache_bytes:
            why += f"; {small}"
            remedy = "keep what was read: the cache does not hold what one call reads, even if it is opened once"
    else:
        why = small
        remedy = "give the dataset a cache that holds what is read again, or read whole chunks at a time"
    what = "chunks decoded" if most.filtered else "pieces of chunks read"
    return Suspicion(
        NAME,
        min(facts.elapsed_s, again_s),
        f"{most.pieces:,} {what} of {most.name or 'a dataset'} in {most.file}, of which {most.first_pieces:,} are "
        f"different ({most.chunks:,} in the file){beside}; {why}; H5Dread takes {inside_s:.3g} s of "
        f"{facts.elapsed_s:.3g} s",
        remedy,
        (cure,) if better is not None else (),
        stands=better is None,
    )
