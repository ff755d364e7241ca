"""What ``rooftop h5 advise --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Comparison, Doubt, Machine
from rooftop.files.document import Document


class Proposal(Document):
    """A proposed layout."""

    layout: str  # in words
    chunk: list[int] | None  # None: in one piece
    filters: list[str]
    predicted: float  # how many times as fast as now
    measured: Comparison | None = None  # None: not tried, or see `reason`
    reason: str | None = None  # why it could not be measured
    stored_bytes: float  # of the whole dataset, by the part that was looked at
    rewrite_s: float  # likely, for the whole dataset, once


class ByRanks(Document):
    """The same reads, shared by another number of processes."""

    ranks: int
    threads: int  # of each
    layout: str | None  # in words; None: as the file is
    predicted: float  # how many times as fast as the file as it is by the first number of ranks
    measured: Comparison | None = None
    reason: str | None = None  # why it could not be measured


class Unchanged(Document):
    """Another way to read the unchanged file with one process."""

    by: Literal["h5io", "h5py"]
    cache_bytes: int | None = None  # of h5py's chunk cache, and its slots; None: h5py's own
    cache_slots: int | None = None
    predicted: float | None = None  # how many times as fast as h5py as it comes; None: its filters are not known
    measured: Comparison | None = None
    reason: str | None = None  # why it could not be measured


class OfFilters(Document):
    """Speed and compression ratio of a list of filters."""

    filters: list[str]
    decoded_bytes_s: float  # by one thread, from the cache
    encoded_bytes_s: float  # by all threads
    share: float  # stored bytes for each byte


class OfStreams(Document):
    """How fast the device is read."""

    alone_bytes_s: float  # by one stream, of the seconds beyond those from the cache
    together_bytes_s: dict[int, float]  # by so many streams at once


class OfDevice(Document):
    """Speed of the device, with nothing in the page cache."""

    pieces: OfStreams  # of an array in one piece
    chunks: OfStreams  # one after the other
    call_s: float  # of a read of a page at a place of its own, beyond what its bytes take


class OfH5py(Document):
    """Costs of reads by h5py, in one thread."""

    call_s: float
    piece_s: float  # of an array in one piece, far from the others
    chunk_s: float  # whatever its size
    decoded_bytes_s: float | None = None  # with the dataset's filters; None: it has none, or they are not known


class RatesUsed(Document):
    """Measured rates from which the predictions are computed."""

    read_bytes_s: dict[int, float]  # from the cache, by so many threads
    call_s: float
    piece_s: float  # that is read by itself
    chunk_s: float  # whatever its size
    filters: list[OfFilters]
    device: OfDevice | None = None  # None: reads are from the cache
    h5py: OfH5py | None = None  # None: not measured


class AdviceDocument(Document):
    """Better layouts of a dataset for one access pattern."""

    schema_: Literal["rooftop/h5-advise/1"] = Field("rooftop/h5-advise/1", alias="schema")
    rooftop: str  # version
    campaign: str
    started: str  # ISO 8601, UTC
    machine: Machine
    interrupted: bool = False  # before the last comparison
    file: str
    dataset: str
    shape: list[int]
    dtype: str  # as NumPy's array interface has it
    layout: str  # now, in words
    stored_bytes: int
    access: str
    cold: bool  # without what the system's cache holds of the files
    dropped_by: Literal["posix_fadvise", "drop_caches"] | None = None
    threads: int  # of all ranks together; each has one at least
    ranks: list[int] = Field(default_factory=lambda: [1])  # proposals are for the first
    sample: list[int]  # the part, from the first element on, that was read and written
    now_s: float | None = None  # for the reads that were tried; None: interrupted before they were timed
    reads: int
    floor: float | None  # of the comparisons: the same reads of the same file, as two arms
    proposals: list[Proposal] = Field(default_factory=list)  # the most promising first
    by_ranks: list[ByRanks] = Field(default_factory=list)
    unchanged: list[Unchanged] = Field(default_factory=list)
    rates: RatesUsed | None = None
    remarks: list[str] = Field(default_factory=list)
    doubts: list[Doubt] = Field(default_factory=list)
