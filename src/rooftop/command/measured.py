"""The figures of a run that commands can be compared by."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rooftop.command import peak
from rooftop.command.check import it_printed
from rooftop.command.google_benchmark import CPU_TIME, REAL_TIME, asking, read
from rooftop.command.number import FIGURE as UNIT
from rooftop.command.number import NothingFound, found_figure, found_number
from rooftop.command.perf_counts import counting, read_counts
from rooftop.command.process import Finished
from rooftop.errors import Misuse
from rooftop.measure.metric import TIME, Better, Metric
from rooftop.text.plural import some

_INSTRUCTIONS = "instructions"
NAMES = ("wall", "user", "cpu", "maxrss", "instructions")
_UNITS = {"user": "s", "cpu": "s", "maxrss": "B", "instructions": "instructions"}
EXIT_CODE = "exit_code"  # where it is not 0, which --ignore-failure allows
LEAST_MAXRSS = "least_maxrss"  # what cannot be told from less
OUTPUT = "output"  # the figure that the command's own output gives
LEFT_RUNNING = "left_running"  # how many processes a run left, where it left any
_SHOWN = 200  # of a pattern
TICK_S = 1.0 / os.sysconf("SC_CLK_TCK")  # at the most: by ticks the system tells a process's user from system time
_UNSEEN = {
    "maxrss": "its peak memory is not known: what watched it was ended before it could write it down",
    "instructions": "its instructions are not known: perf did not count them",
}


@dataclass(frozen=True)
class Measured:
    """The compared figure: one of NAMES, or the number that a pattern finds in the output.

    google_benchmark  the command uses Google Benchmark: compare "wall" or "cpu" of each of its benchmarks
    """

    name: str = "wall"
    pattern: re.Pattern[bytes] | None = None
    better: Better = "lower"
    google_benchmark: bool = False

    @property
    def metric(self) -> Metric:
        """The metric that samples are compared by."""
        if self.google_benchmark:
            return Metric(REAL_TIME if self.name == "wall" else CPU_TIME, "s", each=True)
        if self.pattern is not None:
            return Metric(OUTPUT, "", self.better)
        return TIME if self.name == "wall" else Metric(self.name, _UNITS[self.name])

    @property
    def writes_file(self) -> bool:
        """Return whether a run writes its figures to a file."""
        return self.google_benchmark or self.metric.figure in ("instructions", "maxrss")

    def started(self, words: Sequence[str], file: Path) -> tuple[Sequence[str], dict[str, str]]:
        """Return the command that also writes its figures to `file`, and the variables it needs for that."""
        if self.google_benchmark:
            return asking(words, file)
        counts = self.metric.figure == _INSTRUCTIONS
        wrapped = counting(words, (_INSTRUCTIONS,), file) if counts else weighing(words, file)
        return wrapped, {}

    def own(self, finished: Finished, file: Path | None) -> Finished:
        """Return a run without the share of the process that started it, if known."""
        if self.metric.figure != "maxrss" or file is None:
            return finished
        if (weight := weighed(file)) is None:
            return replace(finished, max_rss_bytes=None)
        return replace(
            finished,
            elapsed_ns=weight.elapsed_ns,
            user_s=weight.user_us * 1e-6 + finished.orphans.user_s,
            system_s=weight.system_us * 1e-6 + finished.orphans.system_s,
            max_rss_bytes=max(weight.peak_bytes, finished.orphans.max_rss_bytes),
        )

    def figures(
        self,
        finished: Finished,
        file: Path | None = None,
        failures: dict[str, str] | None = None,
        remark: Callable[[str], None] | None = None,
    ) -> dict[str, float]:
        """Return the figures of a run from `own`. Raises ValueError if the compared one is missing.

        failures  receives the reasons why benchmarks have no time, by name
        remark    receives remarks on the results
        """
        found = {
            "user": finished.user_s,
            "cpu": finished.user_s + finished.system_s,
        }
        if finished.max_rss_bytes is not None:
            found["maxrss"] = float(finished.max_rss_bytes)
        if finished.left:
            found[LEFT_RUNNING] = float(len(finished.left))
        if finished.status:
            found[EXIT_CODE] = float(finished.status)
        if self.google_benchmark:
            times = read(file.read_bytes() if file is not None and file.is_file() else b"")
            (failures if failures is not None else {}).update(times.failures)
            if times.shared and remark is not None:
                names = some([repr(name) for name in times.shared])
                remark(f"several benchmarks are named {names}: they are numbered in order, as in 'name (2)'")
            if not self.metric.names(times.figures):
                figure = (self.metric.figure or "").rstrip(":")
                raise ValueError(f"none of its benchmarks has a {figure} above 0: below its clock's resolution")
            return found | times.figures
        if file is not None and file.is_file():
            if self.metric.figure == "maxrss" and (weight := weighed(file)) is not None:
                found[LEAST_MAXRSS] = float(weight.least_bytes)
            elif (count := counted(file)) is not None:
                found["instructions"] = count
        if self.pattern is not None:
            found[OUTPUT], unit = self._own(finished)
            if unit is not None:
                found[UNIT + unit] = 1.0
        compared = self.metric.figure
        if compared in _UNSEEN and compared not in found:
            raise ValueError(_UNSEEN[compared])
        return found

    def require_resolved(self, figures: Mapping[str, float]) -> None:
        """Raise ValueError if the compared figure of a sample is 0, which has no ratio to anything."""
        compared = self.metric.figure
        if compared is not None and compared in figures and not figures[compared] > 0:
            raise ValueError(
                f"its {self.name} is 0, below the resolution of the clock, whose ticks take up to {TICK_S * 1e3:.0f} "
                "ms: give it more work, or use another --metric"
            )

    def resolved(self, total: float) -> bool:
        """Return whether the total of the compared figure over a sample exceeds the resolution of its clock."""
        return self.metric.figure not in ("user", "cpu") or total >= TICK_S

    def _own(self, finished: Finished) -> tuple[float, str | None]:
        assert self.pattern is not None
        # Where the output was cut, its first line may have been cut amid a number.
        output = re.sub(rb"\A[^\r\n]*", b"", finished.output, count=1) if finished.truncated else finished.output
        try:
            return found_figure(self.pattern, output)
        except NothingFound as error:
            if self._on_errors(finished):
                raise NothingFound(
                    f"its standard output has {error}, and its standard error has it: add 2>&1 to the command"
                ) from error
            if not finished.truncated:
                raise NothingFound(f"its output has {error}{it_printed(finished)}") from error
            where = f"it printed more than is kept, and the last {len(finished.output)} bytes have"
            raise NothingFound(f"{where} {error}{it_printed(finished)}") from error

    def _on_errors(self, finished: Finished) -> bool:
        """Return whether the pattern matches in standard error."""
        assert self.pattern is not None
        try:
            found_number(self.pattern, finished.errors)
        except ValueError:
            return False
        return True


def read_pattern(text: str) -> re.Pattern[bytes]:
    """Return the pattern of --metric-regex. Raises Misuse."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what later versions of Python may take for another thing
            return re.compile(text.encode(), re.MULTILINE)
    except (re.error, OverflowError, RecursionError, UnicodeEncodeError) as error:
        raise Misuse(f"the regular expression {text[:_SHOWN]!r} cannot be read: {error}") from error


def counted(figures_file: Path) -> float | None:
    """Return the instructions that were counted; None if they were not."""
    found = read_counts(figures_file.read_text(encoding="utf-8", errors="replace")).get(_INSTRUCTIONS)
    return found.value if found is not None else None


def weighing(words: Sequence[str], figures_file: Path) -> list[str]:
    """Return the command that measures the peak memory of another."""
    return [sys.executable, "-I", "-S", peak.__file__, str(figures_file), *words]


@dataclass(frozen=True)
class Weight:
    """The figures of a command that `weighing` measured, without its own share.

    least_bytes  smallest peak that can be measured: that of the process which starts the command
    """

    peak_bytes: int
    least_bytes: int
    elapsed_ns: int
    user_us: int
    system_us: int


def weighed(figures_file: Path) -> Weight | None:
    """Return the figures that `weighing` wrote; None if there are none."""
    if not figures_file.is_file():
        return None
    words = figures_file.read_text(encoding="ascii", errors="replace").split()
    return Weight(*map(int, words)) if len(words) == 5 and all(word.isdigit() for word in words) else None


def require_counter() -> None:
    """Raise Misuse if this machine cannot count instructions."""
    advice = "see 'rooftop doctor', or use another --metric"
    if shutil.which("perf") is None:
        raise Misuse(f"--metric instructions needs perf, which is not installed: {advice}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "count"
        done = subprocess.run(counting(["true"], (_INSTRUCTIONS,), file), capture_output=True, check=False)
        if done.returncode != 0 or not file.is_file() or counted(file) is None:
            raise Misuse(f"--metric instructions: this machine does not let instructions be counted: {advice}")
