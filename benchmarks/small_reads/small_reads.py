"""How fast small and repeated reads of HDF5 files are, beside h5py."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from statistics import geometric_mean, median
from typing import Annotated, Any

import numpy as np
import typer

from benchmarks.form import RESULTS, Asked, asked_table, machine, row, table, write_page
from benchmarks.small_reads.patterns import PATTERNS, Pattern, Read
from benchmarks.small_reads.sample import write_sample
from rooftop.documents import Comparison
from rooftop.driver.calls import Answer, Call, CallExecutor, call_module
from rooftop.errors import NotBuilt
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.assemble import case_floor
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.compare import comparison
from rooftop.measure.figures import pairs_of
from rooftop.measure.rules import Rules
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice.trial import measure_points
from rooftop.solvers.running.campaign import NO_LIMIT_S

PAGE = RESULTS / "small-reads.md"
LEAST_PATTERNS, LEAST_RATIO, LEAST_MEAN = 30, 1.0, 2.0
_H5IO, _H5PY = "h5io", "h5py"
_ABOUT = """\
Microseconds a read: the median of all samples, each of which repeats the pattern for a millisecond or more. Both sides
repeat it equally often, in interleaved pairs. *Ratio*: h5py's time over h5io's, above 1 where h5io is faster, by the
median of the pairs with its 95 % interval. *Noise floor*: by how much one of them differs from itself. Both are as they
come: h5py {h5py} with HDF5 {hdf5} and its own chunk cache, h5io with up to {threads} threads. The file, of
{size:.0f} MiB, is in the system's cache. Attributes are left out: h5io does not read them."""


@dataclass(frozen=True)
class Row:
    """A pattern as it was measured; times in microseconds a read.

    wrong  what is wrong with what was read; None: nothing
    """

    name: str
    h5io_us: float
    h5py_us: float
    found: Comparison | None
    wrong: str | None = None

    @property
    def ratio(self) -> float | None:
        """The time of h5py over that of h5io; None where there is none."""
        return None if self.found is None else self.found.ratio

    def cells(self) -> list[str]:
        """Return its row of the table."""
        if self.found is None:
            return [self.name, "–", "–", self.wrong or "not measured", "–", "–", "–"]
        one = self.found
        ratio = f"{one.ratio:.2f}"
        return [
            self.name,
            f"{self.h5io_us:.3g}",
            f"{self.h5py_us:.3g}",
            f"**{ratio}**" if one.ratio < LEAST_RATIO else ratio,
            f"{one.lo:.2f} to {one.hi:.2f}, {one.pairs} pairs",
            f"{one.floor:.1%}",
            one.verdict,
        ]


class _Unkept:
    """See Journal and Watcher: nothing is kept but the page."""

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""

    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """See Journal."""

    def case_changed(self, case: CaseState) -> None:
        """See Journal."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


def differing(seen: Any, expected: Any) -> str | None:
    """Return how what was read differs from what is expected, in type, shape or values; None where it does not."""
    one, other = np.asarray(seen), np.asarray(expected)
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return f"read {one.dtype} {one.shape}, expected {other.dtype} {other.shape}"
    if not np.array_equal(one, other):
        return f"{np.count_nonzero(one != other)} of {one.size} values differ"
    return None


class Reads:
    """Reads that are an arm of a case. The last result is held against what is expected."""

    def __init__(self, read: Read, expected: Any) -> None:
        self._read, self._expected, self._last = read, expected, None

    def run(self, iterations: int) -> float:
        """Read so often, and return the nanoseconds that it took."""
        read, every, found = self._read, range(iterations), None
        began_ns = time.perf_counter_ns()
        for _ in every:
            found = read()
        took_ns = time.perf_counter_ns() - began_ns
        self._last = found
        return max(took_ns, 1)

    def clear(self) -> None:
        """Forget the last result."""
        self._last = None

    def answer(self) -> Answer:
        """Return whether the last result is right."""
        return Answer(differing(self._last, self._expected))

    @property
    def call(self) -> Call:
        """The arm."""
        return Call(self.run, self.clear, self.answer)


def measured(pattern: Pattern, path: Path, seconds: float) -> Row:
    """Read by both in interleaved pairs, for so many seconds at most, and for the fewest pairs at least."""
    files: dict[str, Callable[[], Any]] = {
        _H5PY: lambda: import_module("h5py").File(path, "r"),
        _H5IO: lambda: h5io.File(path),
    }
    with files[_H5PY]() as file:
        expected = pattern.opened(file)()
    calls = {name: partial(_call, pattern, opened, expected) for name, opened in files.items()}
    against, subject = arms = [Arm(call_module(name), "point") for name in calls]
    case, rules = CaseState("small_reads", "patterns", pattern.name, {}, 1.0, list(arms)), Rules()
    terms = Terms(team=Team(), seed=1, share_s=0.0, budget=f"{seconds:g}s", hang_limit_s=NO_LIMIT_S, rules=rules)
    until_s = time.monotonic() + seconds

    def run(terms: Terms) -> bool:
        return CaseRun(case, terms, CallExecutor(calls), _Unkept(), _Unkept()).run()

    measure_points(case, run, terms, lambda: until_s - time.monotonic())
    wrong = next((f"{arm.name}: {arm.reason}" for arm in arms if arm.outcome != "ok"), None)
    found = None
    if wrong is None:
        found = comparison(_H5PY, pairs_of(subject, against), case_floor(case, inf, rules), rules)
    h5py_us, h5io_us = (
        1e6 * median(one.run_s for one in arm.samples) / pattern.reads if arm.samples else inf for arm in arms
    )
    return Row(pattern.name, h5io_us, h5py_us, found, wrong)


def _call(pattern: Pattern, opened: Callable[[], Any], expected: Any) -> Call:
    return Reads(pattern.opened(opened()), expected).call


def asked_lines(rows: Sequence[Row]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    lines = [Asked("patterns", f"at least {LEAST_PATTERNS}", str(len(rows)), len(rows) >= LEAST_PATTERNS)]
    wrong = [one.name for one in rows if one.ratio is None]
    reached = f"{len(rows) - len(wrong)} of {len(rows)}" + (f"; not {', '.join(wrong)}" if wrong else "")
    lines.append(Asked("both read the same values", "all", reached, not wrong))
    ratios = {one.name: one.ratio for one in rows if one.ratio is not None}
    if not ratios:
        return lines
    below = {name: ratio for name, ratio in ratios.items() if ratio < LEAST_RATIO}
    named = "".join(f"; {name} {ratio:.2f}" for name, ratio in sorted(below.items(), key=lambda one: one[1]))
    lines.append(
        Asked(
            "h5py's time over h5io's, in every pattern",
            f"at least {LEAST_RATIO:g}",
            f"{len(ratios) - len(below)} of {len(ratios)}{named}",
            not below and not wrong,
        )
    )
    mean = geometric_mean(ratios.values())
    lines.append(Asked("the same, geometric mean", f"at least {LEAST_MEAN:g}", f"{mean:.2f}", mean >= LEAST_MEAN))
    return lines


def write_rows(to: Path, rows: Sequence[Row], about: str) -> None:
    """Write the page. Raises OSError."""
    head = ("pattern", "h5io, µs a read", "h5py, µs a read", "ratio", "95 %", "noise floor", "verdict")
    write_page(
        to,
        "Small and repeated reads of HDF5 files, beside h5py: asked and reached",
        "small_reads",
        asked_table(asked_lines(rows)),
        about,
        table(head, (one.cells() for one in rows)),
        on=machine(),
    )


def main(
    pattern: Annotated[str, typer.Option(help="Only patterns whose names contain this, without a page.")] = "",
    seconds: Annotated[float, typer.Option(min=0.1, help="Most seconds for each pattern.")] = 0.9,
    to: Annotated[Path | None, typer.Option("--page", metavar="FILE", help="Where the page goes.")] = None,
) -> None:
    """Measure, and write docs/results/small-reads.md."""
    try:
        h5py, functions = import_module("h5py"), library.load()
    except (ImportError, NotBuilt) as error:
        sys.exit(f"small_reads: {error}; expected h5py ('pip install h5py') and the HDF5 solver ('make climb')")
    chosen = [one for one in PATTERNS if pattern in one.name]
    if not chosen:
        sys.exit(f"small_reads: no pattern has {pattern!r} in its name: {', '.join(one.name for one in PATTERNS)}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="rooftop-small-reads-") as folder:
        path = Path(folder) / "sample.h5"
        write_sample(path)
        for one in chosen:
            rows.append(measured(one, path, seconds))
            print(row(rows[-1].cells()), flush=True)
        size = path.stat().st_size / (1 << 20)
    for line in asked_lines(rows):
        print(line.row)
    if (page := PAGE if to is None and not pattern else to) is not None:
        threads = functions.omp_get_max_threads()
        about = _ABOUT.format(h5py=h5py.__version__, hdf5=h5py.version.hdf5_version, threads=threads, size=size)
        write_rows(page, rows, about)
