"""What ``rooftop solve conv --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Comparison, Doubt, Machine
from rooftop.files.document import Document


class Timing(Document):
    """Seconds for one run on one of the two terms, one per sample, in the order taken."""

    samples_s: list[float]
    iterations: int  # runs per sample
    mean_s: float
    median_s: float
    lo_s: float  # sign-test 95 % interval of the median; the range where there are too few samples for one
    hi_s: float
    gflops: float  # direct-equivalent, at the median


class LayerResult(Document):
    """One layer of the list. A wrong result has no time."""

    line: int  # in the file
    c: int
    h: int
    w: int
    k: int
    n: int
    algorithm: str
    instruction_set: str
    outcome: Literal["ok", "wrong"]
    reason: str | None = None
    error: float | None = None  # max |difference| / max |reference| over the outputs checked
    tolerance: float | None = None
    checked_outputs: int = 0
    direct_flops: float
    scratch_bytes: int
    filter_bytes: int  # of the transformed filter
    timed: Timing | None = None  # the filter transform counted, as in the contest
    prepared: Timing | None = None  # the filter transformed beforehand
    prepared_vs_timed: Comparison | None = None  # how many times as fast without the transform, by pairs


class Total(Document):
    """The contest's total: the sum of flops over the sum of mean times."""

    flops: float
    seconds: float
    gflops: float


class SolveDocument(Document):
    """A layer list, solved on these terms."""

    schema_: Literal["rooftop/solve-conv/1"] = Field("rooftop/solve-conv/1", alias="schema")
    rooftop: str  # version
    campaign: str
    started: str  # ISO 8601, UTC
    machine: Machine
    file: str
    padding: int
    accuracy: str
    layout: str
    threads: int
    repeat: int
    interrupted: bool = False  # before the last layer: then there are no totals
    layers: list[LayerResult]
    total_timed: Total | None = None
    total_prepared: Total | None = None
    floor: float | None = None  # A/A, as a relative difference; None where no pair of twins was taken
    doubts: list[Doubt] = Field(default_factory=list)
