"""How elasticity's rungs scale, and sizes around powers of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.command import printed
from benchmarks.form import RESULTS, ROOT, PageOption, table, write_page
from rooftop.compare.document import CompareDocument
from rooftop.scale.document import Curve, ScaleDocument
from rooftop.scale.fits import Interval

PAGE = RESULTS / "elasticity-scaling.md"
SAMPLES = ROOT / ".rooftop" / "elasticity_scaling"
_SCALING = """\
## Scaling

By `rooftop scale`, with one worker and with two: threads, or MPI ranks of one thread each. Strong: 80x80x80 nodes.
Weak: 80x80x40 nodes with one worker and twice as many along z with two; its speed-up is work per time. Intervals are
95 % intervals.
"""
_AFTER_SCALING = """\
A product with a matrix in memory is limited by the memory's bandwidth: where one core already uses most of it, the
second core adds only what is left.
"""
_SIZES = """\
## Sizes around powers of two

By `rooftop compare`, on two threads or two ranks: nanoseconds per node and iteration on cubes, by the number of nodes
along an edge, with the median's 95 % interval. *Nodes as in the mesh* is the lecture's program without reordering,
in which it saw bank conflicts at sizes near powers of two; *interior first* reorders.
"""


@dataclass(frozen=True)
class Scaled:
    """A rung whose scaling is measured."""

    name: str
    title: str
    rung: str
    by: str
    case: str | None = None


SCALED = [
    Scaled("ranks", "rows of blocks, no overlap", "elasticity/34-ranks", "ranks"),
    Scaled("overlap", "rows of blocks, interior first", "elasticity/37-overlap", "ranks"),
    Scaled("merged", "rows of blocks, merged sweeps", "elasticity/40-merged-sweeps", "threads"),
    Scaled("slices", "slices of rows", "elasticity/50-slices", "threads"),
    Scaled("offsets", "half of the matrix, by offset", "elasticity/65-offsets", "threads"),
    Scaled("elements", "elements, no matrix", "elasticity/70-elements", "threads"),
    Scaled("uniform", "sum factorization", "elasticity/90-sum-factorization", "threads"),
    Scaled("multigrid", "the solver, distorted", "elasticity_solution/50-multigrid", "threads", "distorted 80x80x80"),
    Scaled("solver", "the solver, uniform", "elasticity_solution/60-multigrid-uniform", "threads", "uniform 80x80x80"),
]
EDGES = (31, 32, 33, 62, 63, 64, 65, 66, 68)
ITERATIONS = 10
SWEPT = {
    "elasticity/34-ranks": "nodes as in the mesh",
    "elasticity/37-overlap": "interior first",
    "elasticity/50-slices": "slices of rows",
    "elasticity/65-offsets": "half of the matrix, by offset",
}


def scale(one: Scaled, budget: str) -> ScaleDocument:
    """Scale one rung over one and two workers."""
    words = ["scale", "--json", one.rung, f"--{one.by}", "1,2", "--size", "M", "--budget", budget, "--max-pairs", "12"]
    words += ["--case", one.case] if one.case is not None else []
    words += ["--strong", "--size", "nz=40", "--weak", "nz=40*workers"]
    return ScaleDocument.model_validate_json(printed("scaling", words))


def sweep(rung: str, budget: str) -> CompareDocument:
    """Compare one rung with itself on cubes of other sizes."""
    cubes = [f"{rung} nx={n} ny={n} nz={n} iterations={ITERATIONS}" for n in EDGES]
    words = ["compare", "--json", "--size", "M", "--threads", "2", "--budget", budget, "--max-pairs", "12"]
    return CompareDocument.model_validate_json(printed("scaling", [*words, *cubes]))


def told(interval: Interval | None) -> str:
    """Return a figure with its interval."""
    if interval is None:
        return "–"
    ends = "" if interval.lo is None or interval.hi is None else f" [{interval.lo:.2f}, {interval.hi:.2f}]"
    return f"{interval.value:.2f}{ends}"


def scaling_row(one: Scaled, document: ScaleDocument) -> list[str]:
    """Return a rung's row of the first table."""
    curves: Mapping[str, Curve] = {curve.mode: curve for curve in document.curves}
    times = ["–" if point.median is None else f"{point.median * 1e3:.4g} ms" for point in curves["strong"].points]
    speedups = [told(curves[mode].points[-1].speedup) for mode in ("strong", "weak")]
    return [one.title, one.by, *times, *speedups]


def per_node_ns(document: CompareDocument, place: int) -> tuple[float, float, float] | None:
    """Return the median of one size's time for each node and iteration, with its interval; None: it has no time."""
    command = document.commands[place]
    if command.median is None or command.lo is None or command.hi is None:
        return None
    median, lo, hi = (one * 1e9 / ITERATIONS / EDGES[place] ** 3 for one in (command.median, command.lo, command.hi))
    return median, lo, hi


def sweep_rows(found: Mapping[str, CompareDocument]) -> list[list[str]]:
    """Return the rows of the second table."""
    rows = []
    for place, edge in enumerate(EDGES):
        cells = []
        for document in found.values():
            figures = per_node_ns(document, place)
            cells.append("–" if figures is None else "{:.3g} [{:.3g}, {:.3g}]".format(*figures))
        rows.append([str(edge), *cells])
    return rows


def conflicts(found: Mapping[str, CompareDocument]) -> str:
    """Return, for each program and power of two, how much longer a node takes there than at one node more."""
    lines = []
    for rung, document in found.items():
        for power in (32, 64):
            at, after = (per_node_ns(document, EDGES.index(edge)) for edge in (power, power + 1))
            if at is None or after is None:
                continue
            apart = at[1] > after[2] or at[2] < after[1]
            more = "the intervals do not overlap" if apart else "the intervals overlap, so no effect is claimed"
            lines.append(f"- {SWEPT[rung]}, {power}: {at[0] / after[0]:.2f} times as long as at {power + 1}; {more}.")
    return "\n".join(lines)


def parts(scaled: Mapping[str, ScaleDocument], swept: Mapping[str, CompareDocument]) -> list[str]:
    """Return what stands on the page."""
    head = ["program", "workers", "time with one", "time with two", "strong speed-up", "weak speed-up"]
    return [
        _SCALING,
        table(head, [scaling_row(one, scaled[one.name]) for one in SCALED if one.name in scaled]),
        _AFTER_SCALING,
        _SIZES,
        table(["nodes along an edge", *(SWEPT[rung] for rung in swept)], sweep_rows(swept)),
        conflicts(swept),
    ]


def main(
    budget: Annotated[str, typer.Option(help="Time for each rung.")] = "75s",
    only: Annotated[list[str] | None, typer.Option(help="Only this part; may be repeated.")] = None,
    page_only: Annotated[bool, typer.Option("--page-only", help="Write the page from earlier measurements.")] = False,
    to: PageOption = PAGE,
    samples: Annotated[Path, typer.Option(help="Folder that keeps the measurements.")] = SAMPLES,
) -> None:
    """Measure, and write the page."""
    samples.mkdir(parents=True, exist_ok=True)
    files = {one.name: samples / f"{one.name}.json" for one in SCALED}
    sweeps = {rung: samples / f"sweep-{rung.rpartition('/')[2]}.json" for rung in SWEPT}
    for one in SCALED:
        if not page_only and (not only or one.name in only):
            files[one.name].write_text(scale(one, budget).model_dump_json(by_alias=True), encoding="utf-8")
    for rung, file in sweeps.items():
        if not page_only and (not only or file.stem in only):
            file.write_text(sweep(rung, budget).model_dump_json(by_alias=True), encoding="utf-8")
    scaled = {
        name: ScaleDocument.model_validate_json(file.read_text(encoding="utf-8"))
        for name, file in files.items()
        if file.is_file()
    }
    swept = {
        rung: CompareDocument.model_validate_json(file.read_text(encoding="utf-8"))
        for rung, file in sweeps.items()
        if file.is_file()
    }
    write_page(
        to, "Elasticity: strong and weak scaling, and sizes around powers of two", "scaling", *parts(scaled, swept)
    )
