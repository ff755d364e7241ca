"""How fast lines of prime lengths are transformed, beside SciPy and DUCC."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import ducc0
import numpy as np
import scipy.fft
import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, machine, row, table, write_page
from rooftop.solvers.fft import FourierPlan

PAGE = RESULTS / "fft-primes.md"
LENGTHS = (1009, 10_007, 30_011, 100_003, 1_000_003, 2_000_006, 4_194_301)
SINGLE_LENGTHS = (10_007, 100_003, 1_000_003, 8_388_593)
MOST_RATIO, ASKED_FROM = 1.5, 10_000
MOST_ARRAYS, THREAD_BYTES = 4.0, 4 << 20
MOST_RUNS_TO_PLAN = 10.0
_HEAD = (
    "values",
    "type",
    "ms",
    "SciPy's ms",
    "of SciPy's",
    "of DUCC's",
    "planned in runs",
    "arrays of scratch",
    "error",
    "SciPy's",
)
_ABOUT = """\
Medians of {rounds} rounds, in each of which the three ran once, in turn; ratios of times are medians of the rounds'
ratios, of {clock}. *Error*: the root mean square of the differences to SciPy's transform in the next wider type,
over that of the results. Scratch of a short line is mostly each thread's own, {own} MiB at most."""


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

    def cells(self) -> list[str]:
        """Return its row of the table."""
        return [
            str(self.values),
            self.dtype,
            f"{self.ms:.3g}",
            f"{self.scipy_ms:.3g}",
            f"{self.of_scipy:.2f}",
            f"{self.of_ducc:.2f}",
            f"{self.planned_in:.1f}",
            f"{self.arrays:.1f}",
            f"{self.error:.1e}",
            f"{self.scipy_error:.1e}",
        ]


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


def asked_lines(all_measured: list[Measured]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    asked = [one for one in all_measured if one.values >= ASKED_FROM]
    ratio = max(max(one.of_scipy, one.of_ducc) for one in asked)
    return [
        Asked.at_most(f"times SciPy's and DUCC's time from {ASKED_FROM} values on, at worst", MOST_RATIO, ratio),
        Asked(
            "arrays of scratch",
            f"at most {MOST_ARRAYS:g}, and {THREAD_BYTES >> 20} MiB a thread",
            f"{asked[-1].arrays:.1f} at {asked[-1].values} values",
            all(one.within_scratch for one in all_measured),
        ),
        Asked.at_most("runs that planning takes, at worst", MOST_RUNS_TO_PLAN, max(one.planned_in for one in asked)),
    ]


def main(
    threads: Annotated[int, typer.Option(min=1)] = 1,
    rounds: Annotated[int, typer.Option(min=1)] = 9,
    to: PageOption = PAGE,
) -> None:
    """Measure, and write the page."""
    all_measured = []
    for dtype, lengths in (("complex128", LENGTHS), ("complex64", SINGLE_LENGTHS)):
        for values in lengths:
            all_measured.append(measure(values, dtype, threads, rounds))
            print(row(all_measured[-1].cells()), flush=True)
    versions = f"{threads} thread(s), SciPy {scipy.__version__}, DUCC {ducc0.__version__}"
    about = _ABOUT.format(
        rounds=rounds, clock="the thread's processor time" if threads == 1 else "wall time", own=THREAD_BYTES >> 20
    )
    rows = table(_HEAD, (one.cells() for one in all_measured))
    write_page(
        to,
        "Transforms of prime lengths: asked and reached",
        "primes",
        asked_table(asked_lines(all_measured)),
        rows,
        about,
        on=f"{machine()}, {versions}",
    )
