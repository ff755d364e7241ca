"""What ``rooftop solve ft --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Doubt, Machine
from rooftop.files.document import Document


class RankSeconds(Document):
    """Time of a rank by phase. Phases follow one another, except the exchange, which overlaps the others."""

    rank: int
    columns_s: float  # P1: evolving and transforms along z
    exchange_s: float  # P2: from a transform's first message to the arrival of its last one
    planes_s: float  # P3: transforms along y and x
    waiting_s: float  # for messages or other ranks


class Overlap(Document):
    """Pipelined against blocking exchange, from pairs of runs: medians over pairs of means over ranks."""

    pairs: int
    blocking_s: float
    pipelined_s: float
    blocking_waiting_s: float
    pipelined_waiting_s: float
    hidden: float  # share of the blocking run's waiting time that pipelining avoids
    hidden_lo: float | None = None  # 95 % confidence interval by the sign test; None with fewer than six pairs
    hidden_hi: float | None = None
    saved: float  # reduction of the run time as a share of the blocking run's waiting time
    contention: float  # computing time, pipelined over blocking; above 1, messages slow down computing


class OverlapDocument(Document):
    """The campaign of pairs of runs with and without overlap."""

    schema_: Literal["rooftop/ft-overlap/1"] = Field("rooftop/ft-overlap/1", alias="schema")
    rooftop: str  # version
    campaign: str
    started: str  # ISO 8601, UTC
    machine: Machine
    title: str  # grid, ranks and threads
    reason: str | None = None  # why runs failed, or gave a wrong result
    overlap: Overlap | None = None
    floor: float | None = None  # A/A, as a relative difference of run times
    doubts: list[Doubt] = Field(default_factory=list)


class FtDocument(Document):
    """One run of NPB's FT with the solver. A wrong result has no time."""

    schema_: Literal["rooftop/solve-ft/1"] = Field("rooftop/solve-ft/1", alias="schema")
    rooftop: str  # version
    class_: str = Field(alias="class")  # "U": not a size of NPB
    nx: int
    ny: int
    nz: int
    iterations: int
    ranks: int
    threads: int  # of each rank
    outcome: Literal["ok", "wrong"]
    verified: bool
    reason: str | None = None
    error: float | None = None
    tolerance: float | None = None
    seconds: float | None = None  # of the slowest rank in the second run; the first is a warm-up, as in NPB
    mops: float | None = None
    memory_bytes: int  # peak memory of all ranks, including verification
    checksums: list[tuple[float, float]]
    time: list[RankSeconds] = Field(default_factory=list)  # of each rank, if there are several
    overlap: Overlap | None = None
    campaign: str | None = None  # of the pairs that the overlap was measured with
    floor: float | None = None  # its A/A floor, as a relative difference of run times
    doubts: list[Doubt] = Field(default_factory=list)
