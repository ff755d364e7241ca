"""What ``rooftop solve h5 --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document


class RankSeconds(Document):
    """Seconds of each rank, by h5bench's definitions."""

    open: list[float]
    raw: list[float]  # in calls that move data, and in waiting for asynchronous ones
    metadata: list[float]  # in calls that create, open and close groups and datasets
    flush: list[float]
    close: list[float]
    observed: list[float]  # until the file is closed; from before creating it (writes) or after opening it (reads)
    wall: list[float]  # from before opening the file until all ranks have closed it
    sync: list[float]  # until written data is on the device; 0 unless cold


class BenchmarkDocument(Document):
    """One benchmark, run and verified."""

    operation: Literal["write", "read", "write-unlimited", "write_normal_dist", "overwrite", "append"]
    pattern: str  # in words
    file: str
    ranks: int
    steps: int
    dims: list[int]  # of each rank; the mean of a normal distribution
    particles: list[int]  # moved by each rank in a step
    asynchronous: bool
    cold: bool
    total_bytes: float  # of all ranks and steps
    compute_s: float  # emulated, of each rank
    seconds: RankSeconds
    raw_rate: float  # bytes per second by the time of rank 0, as in h5bench
    raw_rate_slowest: float  # by the time of the slowest rank
    observed_rate: float  # as in h5bench: without emulated computation
    wall_rate: float  # of the whole time without emulated computation
    plain_rates: list[float]  # pread or pwrite of the same bytes by the same ranks, just before and after
    by_solver: list[float] | None = None  # seconds of each rank for the same reads by h5io; None: unsupported
    by_solver_rate: float | None = None  # bytes per second by the time of the slowest rank
    verified: Literal["formula", "second read"]  # expected values: by formula, or read again
    valid: bool
    reason: str | None = None


class H5benchDocument(Document):
    """The results of an h5bench file."""

    schema_: Literal["rooftop/solve-h5/1"] = Field("rooftop/solve-h5/1", alias="schema")
    rooftop: str  # version
    file: str
    benchmarks: list[BenchmarkDocument]
    remarks: list[str] = Field(default_factory=list)
