"""What overlap gains in a whole solution by `rooftop solve elasticity --ranks 2`, with each preconditioner."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.form import table
from rooftop.compare.document import CompareDocument

PRECONDITIONERS = ("bjacobi", "cheby", "multigrid")  # without one, a run takes too long for pairs
SECONDS = r'"seconds": ([0-9.e+-]+)'
BEFORE, DURING = "before", "during"
_SECTION = """\
## The solver

`rooftop solve elasticity --ranks 2` with each preconditioner: seconds to the solution, set-up included, by `rooftop
compare`. With overlap, products with the elements between ranks are made twice, once for each side.
"""
_HEAD = ("where", "nodes", "preconditioner", "without overlap", "with overlap", "gain", "pairs", "A/A floor")


def mesh(nodes: int) -> str:
    """Return the source's mesh.inp for a cube in two parts along z."""
    return f"{nodes} {nodes} {nodes}\n1 1 2\n1 1\n10000\n"


def options(file: Path, preconditioner: str, budget: str, pairs: int) -> list[str]:
    """Return what comes after `rooftop compare --json`."""
    solve = f"./rooftop solve elasticity {file} --ranks 2 --json --preconditioner {preconditioner}"
    return [
        *("--metric-regex", SECONDS, "--budget", budget, "--pairs", str(pairs), "--max-pairs", str(pairs)),
        *("-n", BEFORE, "-n", DURING, f"{solve} --no-overlap", f"{solve} --overlap"),
    ]


def row(where: str, nodes: int, preconditioner: str, document: CompareDocument) -> list[str]:
    """Return a comparison's row of the table."""
    (found,) = document.comparisons
    medians = {command.name: command.median for command in document.commands}
    times = ["–" if median is None else f"{median:.3g} s" for median in (medians[BEFORE], medians[DURING])]
    claimed = found.verdict in ("faster", "slower")
    gain = f"**{found.ratio:.3f}**" if claimed else f"{found.ratio:.3f}"
    floor = "–" if document.floor is None else f"{document.floor:.1%}"
    interval = f"{gain} [{found.lo:.3f}, {found.hi:.3f}]"
    return [where, f"{nodes}³", preconditioner, *times, interval, str(found.pairs), floor]


def section(measured: Mapping[tuple[str, int, str], CompareDocument]) -> tuple[str, str]:
    """Return what the page says of the solver; by the place, the nodes along an edge and the preconditioner."""
    return _SECTION, table(_HEAD, [row(*key, document) for key, document in measured.items()])
