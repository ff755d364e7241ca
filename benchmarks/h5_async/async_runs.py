"""The programs that are measured, and how they are interleaved."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks.h5_async.async_cases import COLUMNS, QUESTIONED, SHARES, STEPS, Case, begin, values
from benchmarks.h5_async.async_samples import Computing, Program, Sample
from rooftop.solvers import h5io

_CALIBRATION_S = 0.1
_ROUND = 100  # products between two looks at the clock
_BUFFERS, _MOST_BUFFERS = 2, 4
_RECENT = 5  # runs of I/O alone, of which the one in the middle is as long as the computing


class Wrong(RuntimeError):
    """A program read or wrote something else: its time says nothing."""


class Busy:
    """Computes in one core's first cache: products of short arrays."""

    def __init__(self) -> None:
        """Find how many products take a second."""
        self._a = np.ones(1024)
        self._b = np.ones(1024)
        counts = []
        for _ in range(5):
            done, start = 0, time.perf_counter()
            while (took_s := time.perf_counter() - start) < _CALIBRATION_S:
                self._multiply(_ROUND)
                done += _ROUND
            counts.append(done / took_s)
        self._per_s = median(counts)

    def _multiply(self, times: int) -> None:
        a, b = self._a, self._b
        for _ in range(times):
            np.multiply(a, b, out=a)

    def __call__(self, seconds: float) -> None:
        """Compute for so long, if nothing else takes the core or its speed."""
        self._multiply(int(seconds * self._per_s))


@dataclass
class Clock:
    """Seconds that a run spends, by what for."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """Count the block's time."""
        start = time.perf_counter()
        yield
        self.spent[what] += time.perf_counter() - start


def device_bytes() -> int:
    """Return the bytes that this process has had from a device, or sent there."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    counted = dict(line.split(": ") for line in lines)
    return int(counted["read_bytes"]) + int(counted["write_bytes"])


@dataclass(frozen=True)
class Run:
    """One run of a program: of a case, with so much computing in each step."""

    case: Case
    path: Path
    rows: int
    program: Program
    compute: Callable[[], None]
    buffers: Sequence[NDArray[np.float32]]

    def step(self, i: int) -> slice:
        """Return the rows of a step."""
        each = self.rows // STEPS
        return slice(i * each, (i + 1) * each)

    def buffer(self, i: int) -> NDArray[np.float32]:
        """Return the memory of a step."""
        return self.buffers[i % len(self.buffers)]

    def timed(self) -> Clock:
        """Run it. `spent` has "open", "calls", "waits", "compute", "close" and "wall", which is without the first."""
        clock = Clock()
        if self.program == "computing":
            with clock("wall"):
                for _ in range(STEPS):
                    self.compute()
            return clock
        if self.case.writes:
            with clock("open"):
                output = h5io.OutputFile(self.path)
                written = output.dataset("x", (self.rows, COLUMNS), "<f4", **self.case.layout())
            with clock("wall"):
                self._write(written, clock)
                with clock("close"):
                    output.close()
            return clock
        with clock("open"):
            file = h5io.File(self.path)
            x = file["x"]
        with clock("wall"):
            requests = self._read(x, clock)
            with clock("close"):
                del x
                requests.clear()
                file.close()
        return clock

    def _read(self, x: h5io.Dataset, clock: Clock) -> list[h5io.Request[NDArray[np.float32]]]:
        def ask(i: int) -> h5io.Request[NDArray[np.float32]]:
            with clock("calls"):
                return x.read_later(self.step(i), self.buffer(i), threads=self.case.threads)

        if self.program == "unwaited":
            return [ask(i) for i in range(STEPS)]
        ahead = len(self.buffers) - 1
        asked = [ask(i) for i in range(ahead)] if self.program in ("later", "further") else []
        for i in range(STEPS):
            if asked:
                with clock("waits"):
                    asked.pop(0).wait()
                if i + ahead < STEPS:
                    asked.append(ask(i + ahead))
            else:
                with clock("calls"):
                    x.read(self.step(i), self.buffer(i), threads=self.case.threads)
                if self.program == "prefetched" and i + 1 < STEPS:
                    with clock("calls"):
                        hint = x.prefetch(self.step(i + 1))
            with clock("compute"):
                self.compute()
            if self.program == "prefetched" and i + 1 < STEPS:
                with clock("waits"):
                    hint.wait()
        return []

    def _write(self, x: h5io.OutputDataset, clock: Clock) -> None:
        pending: list[h5io.Request[h5io.Report]] = []
        for i in range(STEPS):
            if len(pending) == len(self.buffers):
                with clock("waits"):
                    pending.pop(0).wait()
            with clock("compute"):
                self.compute()
            with clock("calls"):
                if self.program == "later":
                    pending.append(x.write_later(self.buffer(i), self.step(i), threads=self.case.threads))
                else:
                    x.write(self.buffer(i), self.step(i), threads=self.case.threads)
        for request in pending:
            with clock("waits"):
                request.wait()


class Measured:
    """A case's programs, measured block by block."""

    def __init__(self, case: Case, folder: Path, busy: Busy, seed: int, scale: float = 1.0) -> None:
        """Take a case whose file is there, if it is read."""
        self.case, self._busy, self._random = case, busy, random.Random(seed)
        self._path, self._rows = case.file(folder), case.rows(scale)
        self._expected = values(self._rows)
        each = self._rows // STEPS
        self._buffers = [np.zeros((each, COLUMNS), "<f4") for _ in range(_MOST_BUFFERS)]
        self._io_s: list[float] = []
        self._block = 0

    def programs(self) -> list[list[tuple[Program, Computing, float]]]:
        """Return what runs in a block. What is compared runs together: a machine that drifts does so for all."""
        alone: list[tuple[Program, Computing, float]] = [("now", "none", 0.0), ("later", "none", 0.0)]
        if not self.case.writes:
            alone.append(("unwaited", "none", 0.0))
        both: tuple[Program, ...] = ("computing", "now", "later")
        more: tuple[Program, ...] = ("further", "prefetched") if self.case.cold else ()
        forms: tuple[Computing, ...] = ("sleep", "busy")
        planned = [alone, *([(program, form, 1.0) for program in (*both, *more)] for form in forms)]
        if self.case.name == QUESTIONED:
            planned += [[(program, "sleep", share) for program in both] for share in SHARES]
        return planned

    def block(self) -> list[Sample]:
        """Run every program once, in an order of its own. Raises Wrong."""
        while len(self._io_s) < 2:
            self._io_s.append(self._run("now", "none", 0.0).wall_s)
        planned = self.programs()
        self._random.shuffle(planned)
        samples = []
        for group in planned:
            self._random.shuffle(group)
            for program, computing, share in group:
                samples.append(self._run(program, computing, share))
                if (program, computing) == ("now", "none"):
                    self._io_s.append(samples[-1].wall_s)
        self._block += 1
        return samples

    def _run(self, program: Program, computing: Computing, share: float) -> Sample:
        step_s = share * median(self._io_s[-_RECENT:]) / STEPS if self._io_s else 0.0

        def compute() -> None:
            if computing == "sleep":
                time.sleep(step_s)
            elif computing == "busy":
                self._busy(step_s)

        buffers = self._buffers[: _MOST_BUFFERS if program == "further" else _BUFFERS]
        run = Run(self.case, self._path, self._rows, program, compute, buffers)
        for i, buffer in enumerate(buffers):
            buffer[...] = self._expected[run.step(STEPS - len(buffers) + i)] if self.case.writes else 0
        begin(self.case, self._path)
        before = device_bytes()
        spent = run.timed().spent
        sent = device_bytes() - before
        if program != "computing":
            self._verify(buffers)
        return Sample(
            on=datetime.now(UTC).date(),
            case=self.case.name,
            program=program,
            computing=computing,
            share=share,
            block=self._block,
            threads=self.case.threads,
            bytes=self._expected.nbytes,
            steps=STEPS,
            wall_s=spent["wall"],
            open_s=spent["open"],
            calls_s=spent["calls"],
            waits_s=spent["waits"],
            close_s=spent["close"],
            sleep_s=step_s * STEPS,
            device_bytes=sent,
        )

    def _verify(self, buffers: Sequence[NDArray[np.float32]]) -> None:
        """Compare the last steps: in memory, or in the file."""
        each, count = self._rows // STEPS, len(buffers)
        found: Sequence[NDArray[np.float32]] = buffers
        if self.case.writes:
            found = np.split(h5io.File(self._path)["x"][-count * each :], count)
        for one, expected in zip(found, np.split(self._expected[-count * each :], count), strict=True):
            if not np.array_equal(one, expected):
                raise Wrong(f"{self.case.name}: a step is not what it should be")
