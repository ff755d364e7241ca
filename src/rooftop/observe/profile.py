"""Functions by their own time, sampled by perf with the cpu-clock event: it needs no counters and no privileges."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rooftop.command.process import Finished

_HZ = 499  # no divisor of the timer's 100, 250 or 1000
_LEAST_PERCENT = 0.2
_REPORT_S = 120.0
_COLUMNS = 3

Run = Callable[[Sequence[str]], Finished]


@dataclass(frozen=True)
class Function:
    """A function's share of all samples, the file that it is in, and its name; `kernel`: it is the system's."""

    share: float
    file: str
    name: str
    kernel: bool


class NoProfile(Exception):
    """No profile could be taken; the text gives the reason."""


def parse_report(text: str) -> list[Function]:
    """Parse what perf report prints with tabs between overhead, shared object and symbol. Other lines are left out."""
    found = []
    for line in text.splitlines():
        words = [word.strip() for word in line.split("\t")]
        if line.startswith("#") or len(words) != _COLUMNS or not words[0].endswith("%"):
            continue
        try:
            share = float(words[0].removesuffix("%")) / 100
        except ValueError:
            continue
        level, _, name = words[2].partition("] ")
        found.append(Function(share, words[1], name or words[2], kernel=level == "[k"))
    return found


def profile(words: Sequence[str], run: Run) -> tuple[Finished, list[Function]]:
    """Run a command below perf, and return its functions by their own time. Raises NoProfile, and what `run` does."""
    perf = shutil.which("perf")
    if perf is None:
        raise NoProfile("perf is not installed (Debian: apt install linux-perf)")
    with tempfile.TemporaryDirectory(prefix="rooftop-perf-") as folder:
        file = Path(folder) / "perf.data"
        record = (perf, "record", "-q", "-F", str(_HZ), "-e", "cpu-clock", "-o", str(file), "--", *words)
        finished = run(record)
        if not file.is_file() or file.stat().st_size == 0:
            raise NoProfile(f"perf record failed: {finished.said or 'it wrote nothing'}")
        report = (perf, "report", "-i", str(file), "--stdio", "-q", "--no-children", "-g", "none", "-t", "\t")
        columns = ("-F", "overhead,dso,sym", "--percent-limit", str(_LEAST_PERCENT))
        try:
            done = subprocess.run(
                (*report, *columns), stdin=subprocess.DEVNULL, capture_output=True, timeout=_REPORT_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoProfile(f"perf report took longer than {_REPORT_S:.0f} s") from None
    functions = parse_report(done.stdout.decode("utf-8", "replace"))
    if not functions:
        raise NoProfile("perf saw no samples: the command runs too briefly, or waits all the time")
    return finished, functions
