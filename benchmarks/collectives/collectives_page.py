"""The page: which collectives of which MPI library lose to algorithms written from its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from benchmarks.form import table, write_page
from rooftop.documents import CaseResult, ExperimentResult, Machine, RungResult
from rooftop.files.document import Document
from rooftop.measure.rules import Rules
from rooftop.text.plural import plural
from rooftop.text.quantities import ABSENT, NARROW_SPACE, interval, ratio, seconds

MARGIN = 0.05  # by which all of the interval must exceed 1
_TITLE = "The MPI libraries' collectives beside algorithms written from messages"
_ABOUT = """\
*Ratio*: the time of the library's collective over that of the best mock-up, an algorithm that the lab writes from the
same library's messages: the median of pairs of samples that were taken in turn (not the ratio of the medians beside
it), with its 95 % interval. The library *loses* if all of the interval is above {high}, *wins* if all of it is below
{low}, and is *level* if all of it is between. *Open*: the interval tells none of them, or the ratio is no more
than two drivers of the same collective differed by in this case. The best mock-up is the fastest by these samples,
which favours the mock-ups a little where several are about as fast. Of {judged} intervals, some {by_chance:.0f} miss
the true ratio by chance. More ranks than the {cores} take turns: their times tell how a library waits, too. Likely
reasons are in [the benchmark's README](../../benchmarks/collectives/README.md)."""
_HEAD = ("collective", "case", "ranks", "library", "best mock-up", "its time", "ratio", "95 % interval", "the library")


class LibraryResult(Document):
    """What was measured with a library."""

    name: str
    title: str
    version: str | None = None
    reason: str | None = None  # why it could not be used
    experiments: list[ExperimentResult] = Field(default_factory=list)

    @property
    def heading(self) -> str:
        """The library with its version."""
        return f"{self.title}, {self.version}" if self.version else self.title


class CollectivesDocument(Document):
    """What the benchmark keeps, and the page is written from."""

    started: str  # ISO 8601, UTC
    machine: Machine
    libraries: list[LibraryResult]


Verdict = Literal["loses", "wins", "level", "open"]


def is_collective(name: str) -> bool:
    """Whether a variant of a lab is the library's own collective, by its name."""
    return "library" in name.split("-")


def judge(lo: float, hi: float, *, beyond_noise: bool) -> Verdict:
    """Return the verdict on an interval of the ratio of times."""
    if lo > 1 + MARGIN:
        return "loses" if beyond_noise else "open"
    if hi < 1 / (1 + MARGIN):
        return "wins" if beyond_noise else "open"
    return "level" if lo >= 1 / (1 + MARGIN) and hi <= 1 + MARGIN else "open"


@dataclass(frozen=True)
class Row:
    """A collective on a case, beside the best mock-up.

    ratio         of the library's time to the best mock-up's, lo and hi its interval; None: there is none
    beyond_noise  whether the ratio is beyond the noise floor of the case
    reason        why there is no interval
    """

    collective: str
    case: str
    ranks: int
    library_s: float | None = None
    best: str = ABSENT
    best_s: float | None = None
    ratio: float | None = None
    lo: float | None = None
    hi: float | None = None
    beyond_noise: bool = False
    reason: str | None = None

    @property
    def verdict(self) -> Verdict | None:
        """Whether the library loses."""
        if self.lo is None or self.hi is None:
            return None
        return judge(self.lo, self.hi, beyond_noise=self.beyond_noise)

    @property
    def where(self) -> str:
        """The case and by how much, for the summary."""
        return f"{self.case} on {plural(self.ranks, 'rank')} ({ratio(self.ratio)})"

    @property
    def cells(self) -> list[str]:
        """The row of its library's table."""
        verdict = f"**{self.verdict}**" if self.verdict == "loses" else self.verdict or self.reason or "not measured"
        times = (seconds(self.library_s), self.best, seconds(self.best_s))
        figures = (ratio(self.ratio), interval(self.lo, self.hi), verdict)
        cells = (self.collective, self.case, str(self.ranks), *times, *figures)
        return [cell.replace(NARROW_SPACE, " ") for cell in cells]


def _variant(rung: RungResult) -> str:
    """Return a variant's name without its workers."""
    return rung.name.partition(",")[0]


def _row(case: CaseResult, collective: RungResult) -> Row:
    row = Row(collective.idea.rstrip("."), case.case.rpartition(", ")[0], collective.threads or 0, collective.median_s)
    if collective.outcome != "ok":
        return replace(row, reason=f"{collective.outcome}: {collective.reason}")
    against = collective.vs_best_peer
    if against is None:
        told = [f"{_variant(one)} {one.outcome}: {one.reason}" for one in case.rungs if one.outcome != "ok"]
        return replace(row, reason="; ".join(told) or "not compared")
    best = next(one for one in case.rungs if one.name == against.against)
    # A comparison is of speeds: the inverse is of times, and the ends of its interval change places.
    row = replace(row, best=_variant(best), best_s=best.median_s, ratio=1 / against.ratio)
    if against.pairs < Rules().min_pairs:
        return replace(row, reason=f"{plural(against.pairs, 'pair')} only")
    return replace(row, lo=1 / against.hi, hi=1 / against.lo, beyond_noise=against.verdict != "not resolved")


def rows(library: LibraryResult) -> list[Row]:
    """Return the rows of a library, by lab, case and ranks."""
    return [
        _row(case, rung)
        for experiment in library.experiments
        for case in experiment.cases
        for rung in case.rungs
        if is_collective(_variant(rung))
    ]


def _section(library: LibraryResult) -> list[str]:
    if library.reason is not None:
        return [f"## {library.heading}", f"Not measured: {library.reason}."]
    return [f"## {library.heading}", table(_HEAD, [row.cells for row in rows(library)])]


def losers(libraries: Sequence[LibraryResult]) -> str:
    """Return the table of which collective loses where, each library a column."""
    usable = [one for one in libraries if one.reason is None]
    found = {one.name: rows(one) for one in usable}
    names = dict.fromkeys(row.collective for own in found.values() for row in own)
    lines = []
    for name in names:
        lost = [
            "; ".join(row.where for row in found[one.name] if row.collective == name and row.verdict == "loses")
            for one in usable
        ]
        lines.append([name, *(cell or ABSENT for cell in lost)])
    return table(["loses", *(one.heading for one in usable)], lines)


def summary(libraries: Sequence[LibraryResult]) -> str:
    """Return what each library loses, and how often."""
    lines = []
    for one in libraries:
        if one.reason is not None:
            lines.append(f"- {one.heading}: not measured: {one.reason}.")
            continue
        judged = [row for row in rows(one) if row.verdict is not None]
        lost = dict.fromkeys(row.collective for row in judged if row.verdict == "loses")
        counts = ", ".join(f"{word} {sum(row.verdict == word for row in judged)}" for word in get_args(Verdict))
        lines.append(f"- {one.heading}: **{', '.join(lost) or 'none'}**.")
        lines.append(f"  Of {plural(len(judged), 'comparison')}: {counts}.")
    return "\n".join(lines)


def write_collectives(path: Path, document: CollectivesDocument) -> None:
    """Write the page. Raises OSError."""
    machine, libraries = document.machine, document.libraries
    judged = sum(row.verdict is not None for one in libraries for row in rows(one))
    about = _ABOUT.format(
        high=f"{1 + MARGIN:.2f}",
        low=f"{1 / (1 + MARGIN):.2f}",
        judged=judged,
        by_chance=0.05 * judged,
        cores=plural(machine.cores, "core"),
    )
    parts = ["Collectives that lose to a mock-up somewhere, by library:", summary(libraries), losers(libraries), about]
    parts += [part for one in libraries for part in _section(one)]
    on = f"{machine.processor}, {plural(machine.cores, 'core')}"
    write_page(path, _TITLE, "collectives", *parts, on=on, date=document.started[:10])
