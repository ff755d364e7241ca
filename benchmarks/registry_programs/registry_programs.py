"""How often `rooftop diagnose` names the fault first in programs of the package registries whose cure is public."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.diagnose.diagnose import finding_text
from benchmarks.form import RESULTS, Asked, PageOption, asked_table, table, write_page
from benchmarks.registry_programs.registry_runs import Compared, RegistryRow, registry_row
from benchmarks.registry_programs.registry_table import registry_programs
from rooftop.text.nearest import nearest

PAGE = RESULTS / "diagnose-programs.md"
ASKED = 6  # of 8
_NONE = "–"
_ABOUT = """\
Each program is somebody else's, or calls somebody else's library, and was diagnosed by
`rooftop diagnose --json --budget {budget}`. *Known*: where its users tell the fault and the cure. *Cured*: how many
times as fast it is with that cure, with the interval of `rooftop compare`. *Findings*: as they were told, with the
seconds that each is ordered by; in brackets the cure that helped, and how many times as fast the program was with it.
*Right*: names that are right for a first finding, from `benchmarks/registry_programs/programs.toml`."""


def asked(rows: Sequence[RegistryRow]) -> list[Asked]:
    """Return the figures reached beside those asked."""
    judged = [one.found.right for one in rows if one.found.right is not None]
    cured = [one.found.cured for one in rows if one.found.cured is not None]
    least = ASKED * len(judged) // 8
    return [
        Asked(
            "programs whose right finding comes first",
            f"{least} of {len(judged)}",
            f"{sum(judged)}",
            sum(judged) >= least if judged else None,
        ),
        Asked(
            "programs with a cure from outside that was tried and helped",
            f"{len(cured)} of {len(cured)}",
            f"{sum(cured)}",
            all(cured) if cured else None,
        ),
    ]


def _cells(one: RegistryRow) -> list[str]:
    program, found = one.program, one.found
    mark = {True: "right", False: "wrong", None: "left out"}[found.right]
    told = found.missing or found.failed or "; ".join(map(finding_text, found.told)) or "none"
    seconds = [_NONE, _NONE, _NONE if one.compared is None else str(one.compared)]
    if isinstance(one.compared, Compared):
        cost = one.compared
        seconds = [f"{cost.before_s:.2f}", f"{cost.after_s:.2f}", f"{cost.ratio:.3g}× [{cost.lo:.3g}, {cost.hi:.3g}]"]
    return [f"{program.name} ({program.what})", program.known, *seconds, told, ", ".join(program.findings), mark]


def rows_table(rows: Sequence[RegistryRow]) -> str:
    """Return the table of all programs."""
    return table(["program", "known", "s", "cured, s", "cured", "findings", "right", ""], map(_cells, rows))


def own_words_table(rows: Sequence[RegistryRow]) -> str:
    """Return the table of what programs say of themselves; empty where none does."""
    said = [[one.program.name, f"`{one.own}`"] for one in rows if one.own]
    return table(["program", "what it prints itself"], said) if said else ""


def main(
    budget: Annotated[str, typer.Option(help="Time for trying the cures of a program.")] = "60s",
    scale: Annotated[float, typer.Option(min=0.01, help="Share of the work of each program.")] = 1.0,
    only: Annotated[list[str] | None, typer.Option(help="A program, by its name. Can be repeated.")] = None,
    documents: Annotated[
        Path | None, typer.Option(file_okay=False, exists=True, help="A folder where the documents are kept.")
    ] = None,
    *,
    pairs: Annotated[bool, typer.Option(help="Compare each program with the cured one.")] = True,
    to: PageOption = PAGE,
) -> None:
    """Diagnose all programs, and write docs/results/diagnose-programs.md."""
    every = {one.name: one for one in registry_programs()}
    for name in only or ():
        if name not in every:
            raise typer.BadParameter(f"there is no program {name!r}; {nearest(name, every)}")
    rows = []
    with tempfile.TemporaryDirectory(prefix="rooftop-programs-") as folder:
        for name in only or every:
            rows.append(registry_row(every[name], Path(folder), budget, scale, documents, pairs=pairs))
            print(" | ".join(_cells(rows[-1])), flush=True)
    title = "Programs of the package registries: what rooftop diagnose tells"
    about = _ABOUT.format(budget=budget)
    tables = (asked_table(asked(rows)), rows_table(rows), own_words_table(rows))
    write_page(to, title, "registry_programs", *tables, about)
