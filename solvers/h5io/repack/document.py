"""What ``rooftop h5 repack --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document


class DatasetLayout(Document):
    """The layout of a dataset before or after."""

    layout: str  # in words
    chunk: list[int] | None  # None: in one piece
    filters: list[str]
    stored_bytes: int


class RewrittenDataset(Document):
    """A rewritten dataset."""

    dataset: str
    shape: list[int]
    dtype: str
    before: DatasetLayout
    after: DatasetLayout


class LeftDataset(Document):
    """A dataset that was not rewritten, and why."""

    dataset: str
    reason: str


class RepackDocument(Document):
    """Result of a rewrite whose file was compared with the old one."""

    schema_: Literal["rooftop/h5-repack/1"] = Field("rooftop/h5-repack/1", alias="schema")
    rooftop: str  # version
    file: str  # that was read
    out: str  # that was written: the same where it was replaced
    bytes_before: int
    bytes_after: int
    seconds: float
    threads: int
    rewritten: list[RewrittenDataset]
    left: list[LeftDataset]
    copied: int  # datasets that were not asked for
    remarks: list[str] = Field(default_factory=list)
