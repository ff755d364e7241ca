"""What was seen of HDF5's datasets in chunks, over all processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from rooftop.files.document import Document
from rooftop.observe.chunk_cache import ChunkReads, Reads

_MOST = 8  # datasets that are told


class ChunkedDataset(Document):
    """A dataset in chunks: its reads by all processes.

    opens           how often it was opened, of those that were read
    calls           of H5Dread, with the seconds inside
    pieces          reads of the file within them, and their bytes; a chunk with filters is one piece
    first_pieces    those that the process had not read before, and their bytes
    most_pieces     of one call
    most_different  first pieces of one process
    filtered        whether chunks are decoded
    cache_bytes     of the chunk cache that the program gives the dataset, with its slots
    """

    name: str
    file: str
    opens: int
    calls: int
    seconds: float
    pieces: int
    read_bytes: int
    first_pieces: int
    first_bytes: int
    most_pieces: int
    most_different: int
    chunk_bytes: int
    chunks: int
    filtered: bool
    cache_bytes: int
    cache_slots: int

    @property
    def again_s(self) -> float:
        """The seconds that go to pieces that had been read before."""
        return self.seconds * (1 - self.first_bytes / self.read_bytes) if self.read_bytes else 0.0

    @property
    def reopened(self) -> bool:
        """Whether it is opened for nearly each read: a cache is empty at first, and goes with the dataset."""
        return self.opens > 1 and 2 * self.opens > self.calls

    @property
    def call_bytes(self) -> int:
        """Size of the chunks that one call reads at most. A smaller cache evicts them before the next call."""
        return min(self.most_pieces, self.chunks) * self.chunk_bytes


class ChunkFacts(Document):
    """Datasets in chunks, those first to whose repeated reads most time goes.

    processes     that read such datasets
    elapsed_s     of the run in which this was seen
    memory_bytes  that processes may use; None: not known
    caches        datasets that were read, listed or not, each of which has a cache
    """

    datasets: list[ChunkedDataset]
    processes: int
    elapsed_s: float
    memory_bytes: int | None = None
    caches: int = 1


def _dataset(name: str, file: str, told: Sequence[Reads]) -> ChunkedDataset:
    """Return the reads of one dataset, summed over processes."""
    first = told[0]
    return ChunkedDataset(
        name=name,
        file=PurePath(file).name,
        opens=sum(one.opens for one in told),
        calls=sum(one.calls for one in told),
        seconds=sum(one.ns for one in told) * 1e-9,
        pieces=sum(one.pieces for one in told),
        read_bytes=sum(one.bytes for one in told),
        first_pieces=sum(one.first_pieces for one in told),
        first_bytes=sum(one.first_bytes for one in told),
        most_pieces=max(one.most_pieces for one in told),
        most_different=max(one.first_pieces for one in told),
        chunk_bytes=first.chunk_bytes,
        chunks=first.chunks,
        filtered=first.filters > 0,
        cache_bytes=min(one.cache_bytes for one in told),
        cache_slots=min(one.cache_slots for one in told),
    )


def chunk_facts(processes: Sequence[ChunkReads], elapsed_s: float, memory_bytes: int | None) -> ChunkFacts:
    """Return the datasets read by all processes, summed over them."""
    names = dict.fromkeys(key for one in processes for key in one.of)
    found = [_dataset(*key, [one.of[key] for one in processes if key in one.of]) for key in names]
    return ChunkFacts(
        datasets=sorted(found, key=lambda one: -one.again_s)[:_MOST],
        processes=sum(bool(one.of) for one in processes),
        elapsed_s=elapsed_s,
        memory_bytes=memory_bytes,
        caches=len(found) + sum(one.lost for one in processes),
    )
