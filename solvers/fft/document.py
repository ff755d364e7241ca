"""What ``rooftop solve ft --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document


class RankSeconds(Document):
    """Where a rank's time went. An exchange runs beside the other phases; they follow one another."""

    rank: int
    columns_s: float  # P1: evolve, and transforms along z
    exchange_s: float  # P2: from a transform's first message to its last one's arrival
    planes_s: float  # P3: transforms along y and x
    waiting_s: float  # for messages or for other ranks, with nothing else to do


class Overlap(Document):
    """The pipelined exchange beside a blocking one, in pairs of runs; medians over the pairs, means over the ranks."""

    pairs: int
    blocking_s: float
    pipelined_s: float
    blocking_waiting_s: float
    pipelined_waiting_s: float
    hidden: float  # share of the blocking exchange's waiting that the pipelined one does not wait
    hidden_lo: float | None = None  # its 95 % interval by the sign test, which fewer than six pairs do not have
    hidden_hi: float | None = None
    saved: float  # share of that waiting by which the whole run is shorter: what is hidden less what it costs
    contention: float  # time that the pipelined run computes over the blocking one's: above 1, messages slow it down


class FtDocument(Document):
    """One run of NPB's FT by the solver. A wrong result has no time."""

    schema_: Literal["rooftop/solve-ft/1"] = Field("rooftop/solve-ft/1", alias="schema")
    rooftop: str  # version
    class_: str = Field(alias="class")  # "U" for sizes that NPB does not have
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
    seconds: float | None = None  # of the second run, as NPB's own warm-up has it: the slowest rank's
    mops: float | None = None
    memory_bytes: int  # the most that all ranks held, verification included
    checksums: list[tuple[float, float]]
    time: list[RankSeconds] = Field(default_factory=list)  # of ranks of more than one
    overlap: Overlap | None = None
