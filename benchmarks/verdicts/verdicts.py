"""Count how often `rooftop compare` calls a difference that is not there, and finds one that is."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from scipy.stats import binomtest

from benchmarks.form import Asked, asked_table, write_page
from rooftop.campaign.bench import Bench
from rooftop.command.process import Limits, run
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.documents import Verdict
from rooftop.measure.case_state import CaseState
from rooftop.probe.surroundings import ThisMachine
from rooftop.settings import Settings

HERE = Path(__file__).parent
RUN_S = 0.025
EFFECT = 0.05
PAIRS = 60
MOST_FALSE = 0.05
LEAST_FOUND = 0.9


class Silent:
    """Watches and says nothing."""

    def remark(self, message: str) -> None:
        """See CommandWatcher."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


@dataclass
class Tally:
    """The verdicts of many trials."""

    title: str
    verdicts: list[Verdict | None] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)

    @property
    def called(self) -> int:
        """How many were called a difference."""
        return sum(verdict in ("faster", "slower") for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """How many of all that is."""
        return self.called / max(1, len(self.verdicts))

    def reached(self, count: int) -> str:
        """Return a count, with its 95 % interval (Clopper and Pearson, 1934)."""
        trials = len(self.verdicts)
        bounds = binomtest(count, trials).proportion_ci(0.95)
        return (
            f"{count} of {trials} ({bounds.low:.0%} to {bounds.high:.0%}), {median(self.pairs):g} pairs in the middle"
        )

    def told(self) -> str:
        """Return the verdicts so far."""
        shown = {name: self.verdicts.count(name) for name in ("faster", "slower", "not resolved")}
        middle = sorted(self.pairs)[len(self.pairs) // 2] if self.pairs else 0
        return f"{self.title}: called {self.called} of {len(self.verdicts)} ({shown}), {middle} pairs in the middle"


def build(folder: Path, name: str) -> Path:
    """Compile one of the programs beside this file."""
    subprocess.run(["cc", "-O2", "-o", str(folder / name), str(HERE / f"{name}.c")], check=True)
    return folder / name


def count_for(spin: Path, seconds: float) -> int:
    """Find how much work lasts so long here."""
    count = 1_000_000
    while (took_s := min(run([str(spin), str(count)], Limits()).user_s for _ in range(5))) < seconds / 2:
        count *= 2
    return int(count * seconds / took_s)


@contextmanager
def hogs(program: Path, number: int) -> Iterator[None]:
    """Keep hogs running."""
    running = [subprocess.Popen([str(program), str(seed + 1)]) for seed in range(number)]
    try:
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


def trials(title: str, number: int, a: list[str], b: list[str], home: Path) -> Tally:
    """Compare a and b so many times."""
    tally = Tally(title)
    for trial in range(number):
        options = Options(
            commands=((tuple(a), "a"), (tuple(b), "b")), budget_s=120.0, max_pairs=PAIRS, seed=trial + int(time.time())
        )
        document = Comparing(Bench(Settings(home=home), ThisMachine(), Silent())).compare(options).document
        tally.verdicts.append(document.verdict)
        tally.pairs.append(document.pairs or 0)
        print(f"\r{tally.told()}", end="", flush=True)
    print()
    return tally


def main(
    number: Annotated[int, typer.Option("--trials", help="Comparisons of each kind.")] = 100,
    beside: Annotated[int, typer.Option("--hogs", help="Bursty processor hogs in the second kind.")] = 2,
    page: Annotated[Path | None, typer.Option("--page", help="Write what came out beside what was asked.")] = None,
) -> None:
    """Count false alarms, quiet and beside hogs, and how often a true difference of 5 % is found."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        spin, hog = build(folder, "spin"), build(folder, "hog")
        count = count_for(spin, RUN_S)
        base, more = [str(spin), str(count)], [str(spin), str(int(count * (1 + EFFECT)))]
        tallies = [trials("A/A, nothing beside", number, base, base, folder / "home")]
        with hogs(hog, beside):
            tallies.append(trials(f"A/A beside {beside} hogs", number, base, base, folder / "home"))
        tallies.append(trials(f"{EFFECT:.0%} more work", number, base, more, folder / "home"))
    if page is not None:
        write_figures(page, *tallies)


def write_figures(page: Path, quiet: Tally, beside: Tally, more: Tally) -> None:
    """Write what came out beside what was asked."""
    most, least = f"at most {MOST_FALSE:.0%}", f"at least {LEAST_FOUND:.0%}"
    lines = [
        Asked(f"false alarms, {one.title}", most, one.reached(one.called), one.share <= MOST_FALSE)
        for one in (quiet, beside)
    ]
    found = more.verdicts.count("slower")
    enough = found >= LEAST_FOUND * len(more.verdicts)
    lines.append(Asked(f"found, {more.title}", least, more.reached(found), enough))
    about = [
        f"A program of some {RUN_S * 1e3:.0f} ms is compared with itself, and with one that does {EFFECT:.0%} more, by",
        f"`rooftop compare` with at most {PAIRS} pairs. On the same program a verdict other than *not resolved* is",
        "a false alarm.",
    ]
    title = "How often `rooftop compare` is right: asked and reached"
    write_page(page, title, "verdicts --page", asked_table(lines), "\n".join(about))
