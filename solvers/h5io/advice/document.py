"""What ``rooftop h5 advise --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Comparison, Document


class Proposal(Document):
    """A layout that the dataset might have."""

    layout: str  # in words
    chunk: list[int] | None  # None: in one piece
    filters: list[str]
    predicted: float  # how many times as fast as now
    measured: Comparison | None = None  # None: not tried
    stored_bytes: float  # of the whole dataset, by the part that was looked at
    rewrite_s: float  # likely, for the whole dataset, once


class AdviceDocument(Document):
    """How a dataset had better be laid out for the way in which it is read."""

    schema_: Literal["rooftop/h5-advise/1"] = Field("rooftop/h5-advise/1", alias="schema")
    rooftop: str  # version
    file: str
    dataset: str
    shape: list[int]
    dtype: str  # as NumPy's array interface has it
    layout: str  # now, in words
    stored_bytes: int
    access: str
    cold: bool  # without what the system's cache holds of the files
    threads: int
    sample: list[int]  # the part, from the first element on, that was read and written
    now_s: float  # for the reads that were tried
    reads: int
    floor: float | None  # of the comparisons, the file against itself
    proposals: list[Proposal]  # the most promising first
    remarks: list[str] = Field(default_factory=list)
