"""How fast lines of prime lengths are transformed, beside SciPy and DUCC."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import ducc0
import numpy as np
import scipy.fft
import typer

from rooftop.files.atomic import write_whole
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles
from rooftop.solvers.fft import FourierPlan

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "fft-primes.md"
LENGTHS = (1009, 10_007, 30_011, 100_003, 1_000_003, 2_000_006, 4_194_301)
SINGLE_LENGTHS = (10_007, 100_003, 1_000_003, 8_388_593)
MOST_RATIO, ASKED_FROM = 1.5, 10_000
MOST_ARRAYS, THREAD_BYTES = 4.0, 4 << 20
MOST_RUNS_TO_PLAN = 10.0
_PAGE = """\
# Transforms of prime lengths: asked and reached

Written by `python benchmarks primes` on {date}. {processor}, {threads} thread(s), SciPy {scipy}, DUCC {ducc}.

| asked | reached | |
|---|---|---|
{lines}

| values | type | ms | SciPy's ms | of SciPy's | of DUCC's | planned in runs | arrays of scratch | error | SciPy's |
|---|---|---|---|---|---|---|---|---|---|
{rows}

Medians of {rounds} rounds, in each of which the three ran once, in turn; ratios of times are medians of the rounds'
ratios, of {clock}. *Error*: the root mean square of the differences to SciPy's transform in the next wider type,
over that of the results. Scratch of a short line is mostly each thread's own, {own} MiB at most.
"""


@dataclass(frozen=True)
class Measured:
    """One length in one precision."""

    values: int
    dtype: str
    ms: float
    scipy_ms: float
    of_scipy: float
    of_ducc: float
    planned_in: float
    arrays: float
    within_scratch: bool
    error: float
    scipy_error: float

    def row(self) -> str:
        """Return its line of the table."""
        return (
            f"| {self.values} | {self.dtype} | {self.ms:.3g} | {self.scipy_ms:.3g} | {self.of_scipy:.2f} "
            f"| {self.of_ducc:.2f} | {self.planned_in:.1f} | {self.arrays:.1f} | {self.error:.1e} "
            f"| {self.scipy_error:.1e} |"
        )


def _error(seen: Any, exact: Any) -> float:
    return float(np.linalg.norm(seen - exact) / np.linalg.norm(exact))


def measure(values: int, dtype: str, threads: int, rounds: int) -> Measured:
    """Plan, run and hold against the others, in turn."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    random = np.random.default_rng(values)
    line = (random.uniform(-1, 1, values) + 1j * random.uniform(-1, 1, values)).astype(dtype)
    begun = clock()
    plan = FourierPlan((values,), threads=threads, dtype=line.dtype)
    plan_s = clock() - begun
    out = np.empty_like(line)
    runs: tuple[Callable[[], Any], ...] = (
        lambda: plan.forward(line, out=out),
        lambda: scipy.fft.fft(line, workers=threads),
        lambda: ducc0.fft.c2c(line, nthreads=threads),
    )
    exact = scipy.fft.fft(line.astype(np.complex128 if dtype == "complex64" else np.clongdouble))
    own_error, scipy_error = _error(runs[0](), exact), _error(runs[1](), exact)
    taken: list[list[float]] = []
    for number in range(rounds):
        times = [0.0, 0.0, 0.0]
        for turn in range(3):
            one = (number + turn) % 3
            begun = clock()
            runs[one]()
            times[one] = clock() - begun
        taken.append(times)
    own_s, scipy_s, _ = (statistics.median(times) for times in zip(*taken, strict=True))
    return Measured(
        values=values,
        dtype=dtype,
        ms=1e3 * own_s,
        scipy_ms=1e3 * scipy_s,
        of_scipy=statistics.median(own / other for own, other, _ in taken),
        of_ducc=statistics.median(own / other for own, _, other in taken),
        planned_in=plan_s / own_s,
        arrays=plan.scratch_bytes / line.nbytes,
        within_scratch=plan.scratch_bytes <= MOST_ARRAYS * line.nbytes + threads * THREAD_BYTES,
        error=own_error,
        scipy_error=scipy_error,
    )


def page(all_measured: list[Measured], threads: int, rounds: int) -> str:
    """Return the page."""
    asked = [one for one in all_measured if one.values >= ASKED_FROM]
    ratio = max(max(one.of_scipy, one.of_ducc) for one in asked)
    runs = max(one.planned_in for one in asked)
    within = all(one.within_scratch for one in all_measured)

    def line(what: str, reached: str, *, met: bool) -> str:
        return f"| {what} | {reached} | {'met' if met else 'missed'} |"

    lines = [
        line(
            f"at most {MOST_RATIO} times SciPy's and DUCC's time from {ASKED_FROM} values on",
            f"{ratio:.2f} at worst",
            met=ratio <= MOST_RATIO,
        ),
        line(
            f"scratch of at most {MOST_ARRAYS:g} arrays and {THREAD_BYTES >> 20} MiB a thread",
            f"{asked[-1].arrays:.1f} arrays at {asked[-1].values} values",
            met=within,
        ),
        line(f"planned within {MOST_RUNS_TO_PLAN:g} runs", f"{runs:.1f} at worst", met=runs <= MOST_RUNS_TO_PLAN),
    ]
    return _PAGE.format(
        date=datetime.now(UTC).date().isoformat(),
        processor=processor(SystemFiles()).name,
        threads=threads,
        scipy=scipy.__version__,
        ducc=ducc0.__version__,
        lines="\n".join(lines),
        rows="\n".join(one.row() for one in all_measured),
        rounds=rounds,
        clock="the thread's processor time" if threads == 1 else "wall time",
        own=THREAD_BYTES >> 20,
    )


def main(
    threads: Annotated[int, typer.Option(min=1)] = 1,
    rounds: Annotated[int, typer.Option(min=1)] = 9,
    to: Annotated[Path, typer.Option("--page")] = PAGE,
) -> None:
    """Measure, and write the page."""
    all_measured = []
    for dtype, lengths in (("complex128", LENGTHS), ("complex64", SINGLE_LENGTHS)):
        for values in lengths:
            all_measured.append(measure(values, dtype, threads, rounds))
            print(all_measured[-1].row(), flush=True)
    write_whole(to, page(all_measured, threads, rounds))
