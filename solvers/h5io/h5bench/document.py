"""What ``rooftop solve h5 --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document


class RankSeconds(Document):
    """Seconds of each rank, as h5bench takes them."""

    open: list[float]
    raw: list[float]  # in calls that move data; of asynchronous ones, also of waiting for them
    metadata: list[float]  # in calls that create, open and close groups and datasets
    flush: list[float]
    close: list[float]
    observed: list[float]  # until the file is closed; of a write from before it is created, of a read once it is open
    wall: list[float]  # from before the file is opened until all ranks have closed it
    sync: list[float]  # until what was written is on the device; 0 unless cold


class BenchmarkDocument(Document):
    """One benchmark, run and verified."""

    operation: Literal["write", "read", "write-unlimited", "write_normal_dist", "overwrite", "append"]
    pattern: str  # in words
    file: str
    ranks: int
    steps: int
    dims: list[int]  # of each rank; of a normal distribution the mean
    particles: list[int]  # that each rank moves in a step
    asynchronous: bool
    cold: bool
    total_bytes: float  # of all ranks and steps
    compute_s: float  # emulated, of each rank
    seconds: RankSeconds
    raw_rate: float  # bytes per second by the time of rank 0, as h5bench prints it
    raw_rate_slowest: float  # by the slowest rank's
    observed_rate: float  # as h5bench prints it: emulated computation does not count
    wall_rate: float  # everything counts but emulated computation
    plain_rates: list[float]  # pread or pwrite of as many bytes by as many ranks, just before and just after
    by_solver: list[float] | None = None  # seconds of each rank, the same reads by h5io; None: it has none
    by_solver_rate: float | None = None  # bytes per second by the slowest rank's
    verified: Literal["formula", "second read"]  # against what every value must be
    valid: bool
    reason: str | None = None


class H5benchDocument(Document):
    """A file of h5bench's, run."""

    schema_: Literal["rooftop/solve-h5/1"] = Field("rooftop/solve-h5/1", alias="schema")
    rooftop: str  # version
    file: str
    benchmarks: list[BenchmarkDocument]
    remarks: list[str] = Field(default_factory=list)
