"""What overlap and dynamic scheduling gain in elasticity's products."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks import form
from benchmarks.form import RESULTS, ROOT
from benchmarks.overlap.hosts import shaped_hosts
from benchmarks.overlap.solver_overlap import PRECONDITIONERS, mesh, options
from benchmarks.overlap.solver_overlap import section as solver_section
from rooftop.compare.document import CompareDocument
from rooftop.subject.rung import named_rung

PAGE = RESULTS / "elasticity-overlap.md"
SAMPLES = ROOT / ".rooftop" / "overlap"
NONE, BY_FLAG, STATIC = "elasticity/34-ranks", "elasticity/36-overlap-by-flag", "elasticity/37-overlap"
CONTROL, MASTER = "elasticity/35-dynamic", "elasticity/38-overlap-dynamic"
CHUNKS = (50, 100, 200, 300, 500, 750, 1000)
GUIDED = "schedule=guided chunk=50"
# Seconds an iteration, from the lecture that the experiment's README names.
SOURCE = {
    NONE: 0.311,
    STATIC: 0.313,
    **{
        f"{MASTER} chunk={chunk}": s
        for chunk, s in zip(CHUNKS, (0.309, 0.300, 0.297, 0.302, 0.309, 0.310, 0.314), strict=True)
    },
    f"{MASTER} {GUIDED}": 0.323,
}
_TITLES = {
    NONE: "no overlap, static",
    BY_FLAG: "overlap by flag, static",
    STATIC: "overlap, interior first, static",
    CONTROL: "no overlap, dynamic",
    MASTER: "overlap, master communicates, dynamic",
}
_ABOUT = """\
Conjugate gradients on ranks of MPI with threads, each rank a box of nodes. What a product needs of other ranks is
exchanged before it, or while rows that do not need it are multiplied. *Gain*: how many times as fast as without
overlap, by `rooftop compare`: the median of interleaved pairs with its 95 % interval. It is bold where it is claimed,
which takes an interval without 1 and an effect beyond the A/A noise floor. The source's figures are seconds an
iteration at 400x400x600 nodes on 12 nodes of 16 cores, one number each without an interval.
"""
_READING = """\
## How to read it

What the program whose master communicates gains has two parts: what dynamic scheduling gains without any overlap
(*imbalance absorbed*, which the lecture did not measure), and what the overlap gains beyond that with the same chunks
(*communication hidden*). One rank has nothing to hide. Hosts are network namespaces of this machine, each with a rank
on one core, whose two threads take turns on it: a thread that waits leaves the core to the other. Links have a rate and
a delay. The two sums of an iteration wait for a delay each way as well, which none of these programs hides.
"""


@dataclass(frozen=True)
class Place:
    """Where the programs run: ranks of threads on this machine, or a rank on each of two hosts."""

    name: str
    title: str
    size: str
    ranks: int
    threads: int
    rate_mbit: int = 0
    delay_us: int = 0


PLACES = [
    Place("one-rank", "One rank of two threads", "M", 1, 2),
    Place("two-ranks", "Two ranks of one thread, one machine's memory", "M", 2, 1),
    *(
        Place(f"hosts-{size}-{delay}", f"Two hosts, 12.8 Gbit/s, {delay} µs", size, 2, 2, 12800, delay)
        for size, delay in (("S", 250), ("S", 1000), ("M", 1000))
    ),
]
#: Where the solver is measured, and nodes along an edge of its cube.
SOLVED = {"two-ranks": 40, "hosts-S-1000": 40}
SOLVER = "solver"


def groups(place: Place) -> list[list[str]]:
    """Return the rungs that are compared with each other, the base first. Chunks mean nothing to one thread.

    All programs at once would not leave the memory that huge pages take: the later ones would be slower for that.
    """
    if place.threads == 1:
        return [[NONE, BY_FLAG, STATIC], [NONE, CONTROL, MASTER]]
    schedules = [*(f"chunk={chunk}" for chunk in CHUNKS), GUIDED]
    return [[NONE, BY_FLAG, STATIC], *([NONE, f"{CONTROL} {how}", f"{MASTER} {how}"] for how in schedules)]


def asked(place: Place, subjects: Sequence[str], budget: str, pairs: int) -> list[str]:
    """Return what compares some rungs at one place, after `rooftop compare --json`."""
    return [
        *("--size", place.size, "--ranks", str(place.ranks), "--threads", str(place.threads)),
        *("--budget", budget, "--pairs", str(pairs), "--max-pairs", str(pairs), *subjects),
    ]


def compared(place: Place, asked: Sequence[str]) -> CompareDocument:
    """Compare at one place. Ends the program where it fails."""
    words = [str(ROOT / "rooftop"), "compare", "--json", *asked]
    with tempfile.TemporaryDirectory() as folder:
        if not place.rate_mbit:
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        else:
            with shaped_hosts(2, place.rate_mbit, place.delay_us, Path(folder)) as hosts:
                environment = os.environ | hosts.environment()
                done = subprocess.run(
                    hosts.words(words), cwd=ROOT, env=environment, capture_output=True, text=True, check=False
                )
    if done.returncode:
        sys.exit(f"schedules: {place.title}: rooftop ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return CompareDocument.model_validate_json(done.stdout)


@dataclass(frozen=True)
class Gain:
    """How many times as fast one program is as another."""

    ratio: float
    lo: float
    hi: float
    claimed: bool

    def __str__(self) -> str:
        """As the page has it."""
        ratio = f"**{self.ratio:.3f}**" if self.claimed else f"{self.ratio:.3f}"
        return f"{ratio} [{self.lo:.3f}, {self.hi:.3f}]"


def gain(documents: Sequence[CompareDocument], subject: str, against: str) -> Gain | None:
    """Return how many times as fast `subject` is as `against`, or None where they were not paired."""
    for one in (one for document in documents for one in document.comparisons):
        if (one.subject, one.against) == (subject, against):
            return Gain(one.ratio, one.lo, one.hi, one.verdict in ("faster", "slower"))
        if (one.subject, one.against) == (against, subject):
            return Gain(1 / one.ratio, 1 / one.hi, 1 / one.lo, one.verdict in ("faster", "slower"))
    return None


def title(subject: str) -> str:
    """Return what a row is called."""
    rung, _, parameters = subject.partition(" ")
    chunk = parameters.replace("schedule=guided chunk=", "guided, ").replace("chunk=", "chunks of ")
    return _TITLES[rung] + (f", {chunk}" if chunk else "")


def programs(documents: Sequence[CompareDocument], iterations: int) -> str:
    """Return one place's table. The base's time is that of the first comparison."""
    rows = []
    commands = {command.name: command for document in reversed(documents) for command in document.commands}
    for name in sorted(commands, key=_place_of):
        found = gain(documents, name, NONE) if name != NONE else None
        told, median = SOURCE.get(name), commands[name].median
        time = "–" if median is None else f"{median / iterations * 1e3:.3g}"
        source = ("–", "–") if told is None else (f"{told:.3f}", f"{SOURCE[NONE] / told:.3f}")
        rows.append((title(name), time, found or "–", *source))
    return form.table(("program", "ms an iteration", "gain", "the source's s", "the source's gain"), rows)


def parts(documents: Sequence[CompareDocument]) -> str:
    """Return the table of a gain's two parts."""
    names = {command.name for document in documents for command in document.commands}
    rows = []
    for controlled in sorted((name for name in names if name.startswith(CONTROL)), key=_place_of):
        overlapping = controlled.replace(CONTROL, MASTER)
        found = [
            gain(documents, overlapping, NONE),
            gain(documents, controlled, NONE),
            gain(documents, overlapping, controlled),
        ]
        chunk = title(controlled).removeprefix(_TITLES[CONTROL]).removeprefix(", ") or "a thread has all"
        rows.append((chunk, *(one or "–" for one in found)))
    return form.table(("chunks", "gain in all", "imbalance absorbed", "communication hidden"), rows)


def in_short(documents: Sequence[CompareDocument]) -> str:
    """Return on how many of the schedules each part of the gain is claimed, or a loss."""
    names = {command.name for document in documents for command in document.commands}
    controls = [name for name in names if name.startswith(CONTROL)]
    hidden = [gain(documents, name.replace(CONTROL, MASTER), name) for name in controls]
    absorbed = [gain(documents, name, NONE) for name in controls]
    told = []
    for part, gains in (("communication hidden", hidden), ("imbalance absorbed", absorbed)):
        claimed = [one.ratio for one in gains if one is not None and one.claimed]
        more, less = sum(ratio > 1 for ratio in claimed), sum(ratio < 1 for ratio in claimed)
        told.append(f"{part}: a gain on {more} of {len(gains)} schedules, a loss on {less}")
    return f"Claimed: {'; '.join(told)}."


def _place_of(name: str) -> tuple[int, bool, int]:
    """Order programs as they are named above, and each by its chunks."""
    chunk = name.rpartition("=")[2]
    return list(_TITLES).index(name.partition(" ")[0]), "guided" in name, int(chunk) if chunk.isdigit() else 0


def section(place: Place, documents: Sequence[CompareDocument]) -> list[str]:
    """Return what the page says of one place."""
    rung = named_rung(NONE, place.size)
    assert rung is not None
    (case,) = rung.cases
    floors = [document.floor for document in documents if document.floor is not None]
    floor = f"{min(floors):.1%} to {max(floors):.1%}" if floors else "not known"
    pairs = sorted(one.pairs for document in documents for one in document.comparisons)
    taken = f"{pairs[0]} to {pairs[-1]}" if pairs[0] < pairs[-1] else str(pairs[0])
    iterations = case.parameters["iterations"]
    head = f"{case.name} nodes, {iterations} iterations a run, {taken} pairs of runs, A/A floors {floor}."
    return [f"## {place.title}", head, programs(documents, iterations), parts(documents), in_short(documents)]


def page(
    measured: Sequence[tuple[Place, Sequence[CompareDocument]]],
    solved: Mapping[tuple[str, int, str], CompareDocument] | None = None,
) -> str:
    """Return the page. `solved`: by place, nodes along an edge and preconditioner, what overlap gains in the solver."""
    sections = [part for place, documents in measured for part in section(place, documents)]
    solver = solver_section(solved) if solved else ()
    title = "Elasticity: what overlap gains, and what dynamic scheduling does"
    return form.page(title, "schedules", _ABOUT, *sections, *solver, _READING)


def files_of_solver(samples: Path) -> dict[Path, tuple[Place, int, str]]:
    """Return where comparisons of the solver are kept, with their place, nodes along an edge and preconditioner."""
    return {
        samples / place.name / f"solver-{nodes}-{preconditioner}.json": (place, nodes, preconditioner)
        for place in PLACES
        if (nodes := SOLVED.get(place.name)) is not None
        for preconditioner in PRECONDITIONERS
    }


def measured_or_told(place: Place, asked: Sequence[str], file: Path) -> None:
    """Compare, and keep the document. Ends the program with 2 where hosts cannot be made."""
    try:
        document = compared(place, asked)
    except OSError as error:
        print(
            f"schedules: {place.title}: hosts cannot be made, see README.md for what they take: {error}",
            file=sys.stderr,
        )
        raise typer.Exit(2) from None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(document.model_dump_json(by_alias=True), encoding="utf-8")


def main(
    budget: Annotated[str, typer.Option(help="Of each comparison.")] = "60s",
    pairs: Annotated[int, typer.Option(help="Of each two programs.")] = 10,
    only: Annotated[list[str] | None, typer.Option(help="Only this place, or solver. Can be repeated.")] = None,
    page_only: Annotated[bool, typer.Option("--page", help="Write the page from what was measured before.")] = False,
    to: Annotated[Path, typer.Option(help="Where the page goes.")] = PAGE,
    samples: Annotated[Path, typer.Option(help="Where the comparisons are kept.")] = SAMPLES,
) -> None:
    """Measure, and write the page."""
    for place in PLACES:
        if page_only or (only and place.name not in only):
            continue
        for number, subjects in enumerate(groups(place)):
            file = samples / place.name / f"{number}.json"
            measured_or_told(place, asked(place, subjects, budget, pairs), file)
    solver_files = files_of_solver(samples)
    for file, (place, nodes, preconditioner) in solver_files.items():
        if page_only or (only and SOLVER not in only):
            continue
        cube = samples / f"cube-{nodes}.inp"
        cube.write_text(mesh(nodes), encoding="ascii")
        measured_or_told(place, options(cube, preconditioner, budget, pairs), file)
    measured = []
    for place in PLACES:
        files = [samples / place.name / f"{number}.json" for number in range(len(groups(place)))]
        documents = [
            CompareDocument.model_validate_json(file.read_text(encoding="utf-8")) for file in files if file.is_file()
        ]
        if documents:
            measured.append((place, documents))
    solved = {
        (place.title, nodes, preconditioner): CompareDocument.model_validate_json(file.read_text(encoding="utf-8"))
        for file, (place, nodes, preconditioner) in solver_files.items()
        if file.is_file()
    }
    to.write_text(page(measured, solved), encoding="utf-8")
