"""Runs as they were, one on each line of a file: what a killed benchmark goes on from, and all that the page knows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from rooftop.files.document import Document

OURS = "rooftop"


class Run(Document):
    """A run as it is asked for. What has been measured is not measured again."""

    model_config = ConfigDict(frozen=True)

    solver: str  # OURS, or a peer's name
    instance: str
    seed: int
    time_s: float
    threads: int
    ants: int = 0  # so many instead of a time


class Sample(Document):
    """What came of a run. One that is not ok has no length, and a reason."""

    run: Run
    on: date
    processor: str
    cores: int
    build: str  # the solver's library, by its content, or the peer's version
    outcome: Literal["ok", "wrong", "failed", "no tour"]
    reason: str | None = None
    length: int | None = Field(None, gt=0)
    wall_s: float  # of the whole process
    killed: bool = False  # after OVERTIME
    seconds: float | None = None  # of the solver alone
    first_s: float | None = None  # after the start of the process, of the first tour
    ants: int | None = None
    peak_bytes: int | None = None


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
                sys.exit(f"tours: {path}: line {number} is no sample: {where} {what['msg']}; name another by --samples")
        if len(whole) != len(lines):
            os.truncate(path, sum(map(len, whole)))
        self._done = {one.run for one in self.all}

    def missing(self, runs: Iterable[Run]) -> list[Run]:
        """Return those of the runs that have not been measured, in their order."""
        return [run for run in runs if run not in self._done]

    def append(self, sample: Sample) -> None:
        """Keep a sample, at once. Raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(sample.model_dump_json() + "\n")
        self.all.append(sample)
        self._done.add(sample.run)

    def check_build(self, build: str) -> None:
        """End the program where the file holds samples of another build of the solver."""
        others = {one.build for one in self.all if one.run.solver == OURS} - {build}
        if others:
            sys.exit(
                f"tours: {self._path} holds samples of another build of the solver, {min(others)}, expected {build}; "
                "name another file by --samples, or remove it"
            )
