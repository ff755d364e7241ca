"""Runs as they were, one on each line of a file: all that the page knows."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import ValidationError
from scipy.stats import bootstrap

from rooftop.files.document import Document

Program = Literal["now", "later", "further", "unwaited", "prefetched", "computing"]
Computing = Literal["none", "sleep", "busy"]
ASKED = 0.8  # of the I/O time


class Sample(Document):
    """One run of a program over one case, verified.

    program    "now" reads or writes, and computes, one after the other; "later" lets the I/O thread do it meanwhile;
               "further" has four buffers for that instead of two;
               "unwaited" asks for everything at once and lets go of the requests; "prefetched" has the system fetch the
               next block meanwhile; "computing" does nothing else
    share      how long it computes, of how long the I/O takes alone
    computing  by sleeping, as h5bench does, or with a core busy
    wall_s     from after the file was opened until after it was closed
    calls_s    in the calls that read and write, or ask for it
    waits_s    waiting for data
    close_s    closing the file, and letting go of requests
    sleep_s    that it was to compute: what h5bench subtracts
    """

    on: date
    case: str
    program: Program
    computing: Computing
    share: float
    block: int
    threads: int
    bytes: int
    steps: int
    wall_s: float
    open_s: float
    calls_s: float
    waits_s: float
    close_s: float
    sleep_s: float
    device_bytes: int

    @property
    def raw(self) -> float:
        """Bytes a second of h5bench's raw rate: what is waited for elsewhere than for data does not count."""
        return self.bytes / max(self.calls_s + self.waits_s, 1e-9)

    @property
    def observed(self) -> float:
        """Bytes a second of h5bench's observed rate: of the whole time, but for what was to be computed."""
        return self.bytes / max(self.wall_s - self.sleep_s, 1e-9)

    @property
    def rate(self) -> float:
        """Bytes a second of the whole time."""
        return self.bytes / self.wall_s


class Surroundings(Document):
    """What else is known of a measurement.

    dropped  how the cache was emptied before cold runs
    skipped  cases that were left out, and why
    stolen   the share of the processors' time that the hypervisor gave to others
    """

    dropped: str
    skipped: tuple[str, ...] = ()
    stolen: float


Key = tuple[str, Program, Computing, float]


class Samples:
    """Samples of blocks: in each, every program ran once."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        """Sort them."""
        self.all = list(samples)
        self._by_key: dict[Key, dict[int, Sample]] = defaultdict(dict)
        for one in self.all:
            self._by_key[one.case, one.program, one.computing, one.share][one.block] = one

    @classmethod
    def read(cls, path: Path) -> Samples:
        """Return those of a file. Ends the program where it holds something else."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
            return cls(Sample.model_validate_json(line) for line in lines)
        except (OSError, ValidationError) as error:
            sys.exit(f"h5_async: {path} holds no samples, expected a file that --samples named: {error}")

    def cases(self) -> list[str]:
        """Return the cases, in the order in which they were measured."""
        return list(dict.fromkeys(one.case for one in self.all))

    def of(self, case: str, program: Program, computing: Computing = "none", share: float = 0.0) -> list[Sample]:
        """Return a program's samples, by block."""
        return [one for _, one in sorted(self._by_key.get((case, program, computing, share), {}).items())]

    def hidden(self, case: str, program: Program, computing: Computing, share: float = 1.0) -> Hidden | None:
        """Return what a program hides of a case's I/O; None where it was not measured."""
        runs = (
            self.of(case, "now"),
            self.of(case, "computing", computing, share),
            self.of(case, "now", computing, share),
            self.of(case, program, computing, share),
        )
        by_block = [{one.block: one.wall_s for one in samples} for samples in runs]
        blocks = sorted(set.intersection(*(set(one) for one in by_block)))
        if not blocks:
            return None
        io, alone, serial, overlapped = (np.array([one[block] for block in blocks]) for one in by_block)
        return Hidden(tuple((serial - overlapped) / np.minimum(io, alone)))


@dataclass(frozen=True)
class Hidden:
    """Shares of the I/O time that are hidden, or of the computing where that is shorter, one of each block."""

    shares: Sequence[float]

    @property
    def median(self) -> float:
        """The one in the middle."""
        return float(np.median(self.shares))

    @property
    def met(self) -> bool:
        """Whether that is as much as asked."""
        return self.median >= ASKED

    def interval(self) -> tuple[float, float] | None:
        """Return a 95 % interval of the median, by the percentile bootstrap; None for fewer than six blocks."""
        if len(self.shares) < 6:
            return None
        if len(set(self.shares)) == 1:
            return self.median, self.median
        found = bootstrap(
            (np.array(self.shares),),
            np.median,
            confidence_level=0.95,
            method="percentile",
            random_state=np.random.default_rng(1),
        )
        return float(found.confidence_interval.low), float(found.confidence_interval.high)

    def __str__(self) -> str:
        bounds = self.interval()
        between = "" if bounds is None else f" [{bounds[0]:.0%}, {bounds[1]:.0%}]"
        return f"{self.median:.0%}{between}"
