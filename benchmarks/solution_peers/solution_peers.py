"""Set-up and iterations of elasticity's multigrid and aggregation, apart, beside PETSc's GAMG and hypre's BoomerAMG."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.command import printed
from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from benchmarks.solution_peers import bandwidth_bounds
from rooftop.documents import CaseResult, ClimbDocument, RungResult
from rooftop.errors import WRONG
from rooftop.ladder.discovery import load_declaration

PAGE = RESULTS / "elasticity-peers.md"
SAMPLES = ROOT / ".rooftop" / "elasticity_peers"
#: Sizes of experiments/elasticity_solution.
BODIES = ("cube", "plate", "tetrahedra", "bracket")
#: What makes the mesh of a body, once.
MESHED = {"bracket": ROOT / "experiments" / "elasticity_solution" / "bracket.py"}
PROGRAMS = {
    "50-multigrid": "multigrid, told of a box",
    "40-aggregation": "aggregation, told of elements",
    "petsc_gamg": "PETSc GAMG with rigid-body modes",
    "petsc_boomeramg": "hypre BoomerAMG",
}
PEER, LEAST = "petsc_gamg", 8.0
_ABOUT = """\
Seconds from the mesh to the displacement, for each program on all cores: the same mesh, load and tolerance, and the
true residual of each result is verified to be at most 1e-8 of the load. *Set-up*: everything before the first
iteration, the assembly of a matrix included, in the run that was verified. *Iterations*: the rest of the median.
PETSc and hypre run one rank a core, the solver one thread a core. The ladder `elasticity_solution` has the programs,
their options and the verification.

AMGCL is no peer: its last release for Python, pyamgcl 1.0.0.post4, is of 2017, and Debian 12 has no package of it.

A campaign has each run in fresh memory, as a user's only run has: 0.3 GB of aggregation on the uniform cube, which a
virtual machine gives at 0.6 GB/s. Coarse matrices were made in two ways: from a stored product of matrix and
interpolation, and a row at once, which takes half the processor time. A plate of 80x80x9 nodes takes GAMG longer than
its share of the budget. The memory's bandwidth, below, does not explain what aggregation falls short of: its set-up
takes most of the time, which is computing and the first touch of memory.

The bracket is a plate and an upright with a hole through each, meshed by Gmsh: 60 000 nodes, 320 000 tetrahedra.
"""


_BOUNDS = """\
What each program keeps of matrices and vectors of all levels is written once in the set-up. An iteration reads the
matrix of conjugate gradients once and that of the finest level's smoothing once a *sweep*: steps before and after a
correction, and the residual between them. All at the rate at which the memory of the same campaign reads, copies or
writes at best; of each pass the L3 cache may hold its size. The programs count bytes and sweeps themselves. Each moves
more: coarse levels, interpolations and vectors are left out of the iteration. *At most*: GAMG's time over the program's
bound. *Bound to bound*: GAMG's bound over the program's, the factor if both reached the memory's bandwidth.
"""


def mesh(body: str) -> None:
    """Make the mesh of a body that has one of its own, unless it is there. Ends the program on failure."""
    if body not in MESHED:
        return
    (case,) = load_declaration(MESHED[body].with_name("experiment.py")).cases(body)
    if Path(case.parameters["file"]).is_file():
        return
    done = subprocess.run([sys.executable, str(MESHED[body])], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"solution_peers: no mesh of the body '{body}': {done.stderr.strip()[-400:]}")


def climb(body: str, budget: str) -> ClimbDocument:
    """Measure all programs on a body; one whose result is wrong is part of the answer. Ends the program on failure."""
    words = ["climb", "elasticity_solution", "--size", body, "--budget", budget, "--json", "--no-report"]
    words += [word for program in PROGRAMS for word in ("--only", program)]
    return ClimbDocument.model_validate_json(printed("solution_peers", words, WRONG))


def seconds(value: float | None) -> str:
    """Return a time."""
    return "–" if value is None else f"{value:.3g} s"


def apart(result: RungResult) -> tuple[float, float] | None:
    """Return the seconds of set-up and of iterations; None where either is not known."""
    set_up = (result.figures or {}).get("setup_ns")
    if result.median_s is None or set_up is None:
        return None
    return set_up / 1e9, result.median_s - set_up / 1e9


def over_peer(case: CaseResult, program: str) -> tuple[float, str] | None:
    """Return how many times as fast as GAMG a program is, and how that is told; None: one of them has no time.

    By interleaved pairs where the campaign compared the two, else by their medians.
    """
    found = {rung.name: rung for rung in case.rungs}
    own, peer = found.get(program), found.get(PEER)
    if own is None or peer is None or own.median_s is None or peer.median_s is None:
        return None
    paired = next((one for one in own.comparisons if one.against == PEER), None)
    if paired is None:
        ratio = peer.median_s / own.median_s
        return ratio, f"{ratio:.3g}× (medians)"
    interval = f" [{paired.lo:.3g}, {paired.hi:.3g}]" if paired.pairs >= 6 else ""
    return paired.ratio, f"{paired.ratio:.3g}×{interval}, {paired.pairs}"


def case_rows(case: CaseResult) -> list[list[str]]:
    """Return a case's rows: a program each; one that does not apply to it tells why."""
    rows = []
    for name, title in PROGRAMS.items():
        result = next((rung for rung in case.rungs if rung.name == name), None)
        if result is None:
            continue
        if result.outcome != "ok":
            rows.append([case.case, title, "–", "–", "–", "–", result.reason or result.outcome])
            continue
        figures = result.figures or {}
        count = f"{figures['iterations']:.0f}" if "iterations" in figures else "–"
        both = apart(result) or (None, None)
        ratio = None if name == PEER else over_peer(case, name)
        told = "" if ratio is None else ratio[1]
        rows.append([case.case, title, seconds(both[0]), seconds(both[1]), count, seconds(result.median_s), told])
    return rows


def asked_rows(cases: Sequence[CaseResult]) -> list[Asked]:
    """Return whether each of the solver's programs is as much faster than GAMG as was asked."""
    rows = []
    for case in cases:
        for program in ("50-multigrid", "40-aggregation"):
            if (found := over_peer(case, program)) is not None:
                what = f"{case.case}: {PROGRAMS[program]}, set-up included"
                rows.append(Asked(what, f"at least {LEAST:g}× GAMG", found[1], found[0] >= LEAST))
    return rows


def parts(documents: Sequence[ClimbDocument]) -> list[str]:
    """Return what stands on the page."""
    cases = [case for document in documents for experiment in document.experiments for case in experiment.cases]
    bounds = bandwidth_bounds.document_rows(documents, PROGRAMS, PEER)
    bound_head = ["body", "program", "kept", "iterations", "sweeps", "bound", "whole", "of the bound", "at most"]
    bound_head.append("bound to bound")
    bound_parts = ["## What the memory's bandwidth allows", _BOUNDS, table(bound_head, bounds)] if bounds else []
    head = ["body", "program", "set-up", "iterations", "number", "whole", "times as fast as GAMG [95 %], pairs"]
    return [
        _ABOUT,
        asked_table(asked_rows(cases)),
        "## Set-up and iterations",
        table(head, [row for case in cases for row in case_rows(case)]),
        *bound_parts,
    ]


def main(
    budget: Annotated[str, typer.Option(help="Time for each body.")] = "5m",
    only: Annotated[list[str] | None, typer.Option(help="Only this body; may be repeated.")] = None,
    page_only: Annotated[bool, typer.Option("--page-only", help="Write the page from earlier measurements.")] = False,
    to: PageOption = PAGE,
    samples: Annotated[Path, typer.Option(help="Folder that keeps the measurements.")] = SAMPLES,
) -> None:
    """Measure, and write the page."""
    samples.mkdir(parents=True, exist_ok=True)
    files = {body: samples / f"{body}.json" for body in BODIES}
    for body in () if page_only else only or BODIES:
        if body not in files:
            sys.exit(f"solution_peers: no body '{body}': choose one of {', '.join(BODIES)}")
        mesh(body)
        files[body].write_text(climb(body, budget).model_dump_json(by_alias=True), encoding="utf-8")
    found = [file.read_text(encoding="utf-8") for file in files.values() if file.is_file()]
    documents = [ClimbDocument.model_validate_json(text) for text in found]
    write_page(to, "Elasticity beside algebraic multigrid of others", "solution_peers", *parts(documents))
