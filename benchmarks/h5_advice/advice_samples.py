"""Cases as they came out, one on each line of a file, from which a killed benchmark goes on, and the page is made."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from benchmarks.h5_advice.advice_cases import OF, Case
from rooftop.documents import Comparison
from rooftop.files.document import Document
from rooftop.solvers.h5io.advice.document import RatesUsed

Outcome = Literal["right", "wrong", "undecided"]


class Sample(Document):
    """What came of a case. Ratios are times without the filter over times with it: above 1 it gains."""

    case: Case
    on: date
    processor: str
    cores: int
    build: str  # of the solver and the model, by their content
    dropped_by: str | None = None
    predicted: float
    measured: Comparison
    share: float  # stored bytes for each byte, with the filter
    rates: RatesUsed

    @property
    def outcome(self) -> Outcome:
        """Whether the prediction has the sign of what was measured."""
        if self.measured.lo <= 1 <= self.measured.hi:
            return "undecided"
        return "right" if (self.predicted > 1) == (self.measured.ratio > 1) else "wrong"


class Samples:
    """The file. A last line that was cut off is dropped."""

    def __init__(self, path: Path) -> None:
        """Read what is there. Ends the program where the file holds something else."""
        self._path = path
        self.all: list[Sample] = []
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        whole = [line for line in lines if line.endswith(b"\n")]
        for number, line in enumerate(whole, start=1):
            try:
                self.all.append(Sample.model_validate_json(line))
            except ValidationError as error:
                what = error.errors()[0]
                where = ".".join(str(part) for part in what["loc"])
                sys.exit(f"h5_advice: {path}: line {number} is no sample: {where} {what['msg']}; name another file")
        if len(whole) != len(lines):
            os.truncate(path, sum(map(len, whole)))

    def append(self, sample: Sample) -> None:
        """Keep a sample, at once. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(sample.model_dump_json(by_alias=True) + "\n")
        self.all.append(sample)

    def check_build(self, build: str) -> None:
        """End the program where the file holds samples of another solver or model."""
        others = {one.build for one in self.all} - {build}
        if others:
            sys.exit(
                f"h5_advice: {self._path} holds samples of another build, {min(others)}, expected {build}; name "
                "another file by --samples, or remove it"
            )

    def remaining(self, cases: Iterable[Case]) -> Iterator[Case]:
        """Yield the cases that are still to be measured, in their order, until enough are decided."""
        done = {one.case for one in self.all}
        for case in cases:
            if sum(one.outcome != "undecided" for one in self.all) >= OF:
                return
            if case not in done:
                yield case
