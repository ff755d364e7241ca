"""Whether NPB's classes are verified by every number of ranks, and in how much memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from benchmarks import form
from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, row, table
from rooftop.files.atomic import write_whole
from rooftop.solvers.fft.document import FtDocument

PAGE = RESULTS / "ft-classes.md"
CLASSES = ("S", "W", "A", "B", "C")
UNEVEN = ("30x14x21", "35x33x37", "64x50x27")
MOST_RANKS = 8
MOST_ARRAYS = 4.0
CLASS_C_GIB = 10.0
_VALUE_BYTES = 16
_OWN_BYTES = 256 << 20  # below it, a grid is small beside what programs and MPI hold themselves
_HEAD = ("problem", "grid, iterations", "workers", "verified", "seconds", "Mop/s", "memory", "arrays")
_ABOUT = """\
*Verified*: every checksum of a class is NPB's published one within 1e-12; of a grid that is no class, the values
sampled are within the tolerance of sums over the initial values. *Memory*: the most that all processes held, the
programs and MPI themselves and the verification among it; *arrays*: the same over the grid's 16 bytes a value, where
that is 256 MiB or more. Ranks of one node write into each other's memory unless they are to send messages, as between
hosts. Seconds are those of one run; more ranks than cores take turns, and theirs tell little."""


@dataclass(frozen=True)
class Problem:
    """A class or a grid, and on how many ranks or threads."""

    what: str
    ranks: int
    threads: int = 1
    messages: bool = False

    @property
    def words(self) -> list[str]:
        """The command that solves it."""
        chosen = ["--class", self.what] if self.what in CLASSES else ["--size", self.what, "--iterations", "6"]
        chosen += ["--ranks", str(self.ranks), "--threads", str(self.threads)]
        return [str(ROOT / "rooftop"), "solve", "ft", *chosen, *(["--messages"] if self.messages else []), "--json"]

    @property
    def workers(self) -> str:
        """As the page has them."""
        if self.ranks == 1:
            return f"{self.threads} threads"
        return f"{self.ranks} ranks{', messages' if self.messages else ''}"


@dataclass(frozen=True)
class Solved:
    """A problem and its document."""

    problem: Problem
    found: FtDocument

    @property
    def grid_bytes(self) -> int:
        """What an array of the grid takes."""
        return _VALUE_BYTES * self.found.nx * self.found.ny * self.found.nz

    @property
    def arrays(self) -> float | None:
        """Arrays of the grid that were held; None of small ones."""
        return self.found.memory_bytes / self.grid_bytes if self.grid_bytes >= _OWN_BYTES else None

    def cells(self) -> list[str]:
        """Return its row of the table."""
        found = self.found
        return [
            f"class {self.problem.what}" if self.problem.what in CLASSES else "no class",
            f"{found.nx}x{found.ny}x{found.nz}, {found.iterations}",
            self.problem.workers,
            "yes" if found.verified else f"**no**: {found.reason}",
            f"{found.seconds:.3g}" if found.seconds is not None else "–",
            f"{found.mops:.0f}" if found.mops is not None else "–",
            f"{found.memory_bytes / 2**30:.2f} GiB",
            f"{self.arrays:.2f}" if self.arrays is not None else "–",
        ]


def problems(classes: Sequence[str], most_ranks: int) -> Iterator[Problem]:
    """Yield all of them, the small ones first."""
    for what in (*UNEVEN, *classes):
        yield Problem(what, 1, threads=2)
        for ranks in range(2, most_ranks + 1):
            yield Problem(what, ranks)
        for ranks in sorted({min(ranks, most_ranks) for ranks in (2, 3, 8)}):
            if ranks > 1:
                yield Problem(what, ranks, messages=True)


def solve(problem: Problem) -> Solved:
    """Solve it. Ends the program where that fails; a wrong result is told on the page."""
    done = subprocess.run(problem.words, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        return Solved(problem, FtDocument.model_validate_json(done.stdout))
    except ValueError:
        sys.exit(f"classes: {' '.join(problem.words[1:])} ended with {done.returncode}: {done.stderr.strip()[-400:]}")


def asked_lines(solved: Sequence[Solved]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    right = sum(one.found.verified for one in solved)
    names = ", ".join(dict.fromkeys(one.problem.what for one in solved if one.problem.what in CLASSES))
    most_ranks = max(one.problem.ranks for one in solved)
    lines = [
        Asked(
            f"{names} verified, from 1 to {most_ranks} ranks, and uneven divisions",
            "all",
            f"{right} of {len(solved)}",
            right == len(solved),
        )
    ]
    held = [(one.arrays, one) for one in solved if one.arrays is not None]
    if held:
        most, where = max(held, key=lambda pair: pair[0])
        what = f"arrays of the grid (most: class {where.problem.what}, {where.problem.workers})"
        lines.append(Asked.at_most(what, MOST_ARRAYS, most))
    if large := [one.found.memory_bytes / 2**30 for one in solved if one.problem.what == "C"]:
        lines.append(Asked.at_most("memory of class C", CLASS_C_GIB, max(large), "GiB"))
    return lines


def page(solved: Sequence[Solved]) -> str:
    """Return the page."""
    rows = table(_HEAD, (one.cells() for one in solved))
    title = "NPB's classes by ranks: asked and reached"
    return form.page(title, "classes", asked_table(asked_lines(solved)), rows, _ABOUT)


def main(
    chosen: Annotated[list[str] | None, typer.Option("--class", help="Only this class; may be repeated.")] = None,
    most_ranks: Annotated[int, typer.Option(min=1, max=14, help="Of a run.")] = MOST_RANKS,
    to: PageOption = PAGE,
) -> None:
    """Solve all, and write the page."""
    if unknown := set(chosen or []) - set(CLASSES):
        print(f"classes: --class is {unknown.pop()!r}, expected one of {', '.join(CLASSES)}", file=sys.stderr)
        raise typer.Exit(2)
    solved: list[Solved] = []
    for problem in problems([one for one in CLASSES if one in (chosen or CLASSES)], most_ranks):
        solved.append(solve(problem))
        print(row(solved[-1].cells()), file=sys.stderr)
    write_whole(to, page(solved))
    if not all(one.found.verified for one in solved):
        raise typer.Exit(1)
