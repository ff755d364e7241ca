"""Functions by their own time, sampled by perf with the cpu-clock event: it needs no counters and no privileges.

Programs are seldom compiled with frame pointers, without which perf's chains of callers end at once. So the stack is
copied with every sample, and unwound afterwards by the tables for exceptions that each program has.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.command.process import Finished
from rooftop.files.document import Document
from rooftop.observe.forked_maps import forget
from rooftop.observe.instructions import Instruction, parse_annotation
from rooftop.observe.stacks import FIELDS, Samples, parse_script

HZ = 499  # no divisor of the timer's 100, 250 or 1000
_LEAST_PERCENT = 0.2
_REPORT_S = 120.0
_HOTTEST = 0.2  # of all samples: what a function must have for its instructions to be worth a look
_COLUMNS = 3
_COPIED_BYTES = 4096  # of the stack, with every sample
_MOST_BYTES = 300_000_000  # of a recording: with more only frame pointers are followed

Run = Callable[[Sequence[str]], Finished]


class HotFunction(Document):
    """A function by its own time. `share`: of all samples; `kernel`: it is the system's."""

    share: float
    file: str
    function: str
    kernel: bool = False


@dataclass(frozen=True)
class Profile:
    """Functions by their own time, and the instructions of the first that is the program's own and has most of it.

    samples  by thread, and by what was called from where
    """

    finished: Finished
    functions: list[HotFunction]
    samples: Samples = field(default_factory=Samples)
    hottest: HotFunction | None = None
    instructions: list[Instruction] = field(default_factory=list)


class NoProfile(Exception):
    """No profile could be taken; the text gives the reason."""


def parse_report(text: str) -> list[HotFunction]:
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
        found.append(HotFunction(share=share, file=words[1], function=name or words[2], kernel=level == "[k"))
    return found


def _said(words: Sequence[str]) -> str:
    """Return what a command of perf prints. Raises NoProfile."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_REPORT_S, check=False)
    except subprocess.TimeoutExpired:
        raise NoProfile(f"perf {words[1]} took longer than {_REPORT_S:.0f} s") from None
    return done.stdout.decode("utf-8", "replace")


def reported(perf: str, file: Path, *more: str) -> str:
    """Return what perf report prints of a recording, for `parse_report`. Raises NoProfile."""
    how = ("--no-children", "-g", "none", "-t", "\t", "-F", "overhead,dso,sym", "--percent-limit", str(_LEAST_PERCENT))
    return _said((perf, "report", "-i", str(file), "--stdio", *more, *how))


def _hottest(functions: Sequence[HotFunction]) -> HotFunction | None:
    """Return the program's own function with most samples; None where none has many, or a name."""
    own = (one for one in functions if not one.kernel and one.share >= _HOTTEST and not one.function.startswith("0x"))
    return next(own, None)


def _chains(cpu_s: float) -> str:
    """Return how chains of callers are recorded of a command that uses so much processor time."""
    return f"dwarf,{_COPIED_BYTES}" if cpu_s * HZ * _COPIED_BYTES <= _MOST_BYTES else "fp"


def _samples(perf: str, file: Path) -> Samples:
    """Return the samples of a recording; none where perf takes too long to unwind them."""
    forget(file)
    words = (perf, "script", "-i", str(file), "--no-inline", "-F", FIELDS)
    script = file.with_suffix(".script")
    with script.open("wb") as out:
        try:
            subprocess.run(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, timeout=_REPORT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return Samples()  # the figures of the functions are worth more than no profile
    with script.open(encoding="utf-8", errors="replace") as lines:
        return parse_script(lines)


def profile(words: Sequence[str], run: Run, cpu_s: float = 0.0) -> Profile:
    """Run a command below perf, and return where its time goes. Raises NoProfile, and what `run` does.

    cpu_s  processor time that it is known to use
    """
    perf = shutil.which("perf")
    if perf is None:
        raise NoProfile("perf is not installed (Debian: apt install linux-perf)")
    with tempfile.TemporaryDirectory(prefix="rooftop-perf-") as folder:
        file = Path(folder) / "perf.data"
        how = ("-F", str(HZ), "-e", "cpu-clock", "--call-graph", _chains(cpu_s))
        finished = run((perf, "record", "-q", "-B", *how, "-o", str(file), "--", *words))
        if not file.is_file() or file.stat().st_size == 0:
            raise NoProfile(f"perf record failed: {finished.said or 'it wrote nothing'}")
        functions = parse_report(reported(perf, file, "-q"))
        if not functions:
            raise NoProfile("perf saw no samples: the command runs too briefly, or waits all the time")
        samples = _samples(perf, file)
        hottest = _hottest(functions)
        if hottest is None:
            return Profile(finished, functions, samples)
        code = parse_annotation(_said((perf, "annotate", "-i", str(file), "--stdio", "-q", "-s", hottest.function)))
    return Profile(finished, functions, samples, hottest, code)
