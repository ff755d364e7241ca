"""What simulations predict, beside what was published of the source cases and what was measured of twelve others."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, write_page
from benchmarks.simulate import validation_samples

PAGE = RESULTS / "simulate.md"
_ABOUT = """\
Predictions by `rooftop simulate` on machines that are described in `src/rooftop/simulate/machines`, where each
figure has its source. What was *published* was not used, unless the row or the text below it says so.
"""


@dataclass(frozen=True)
class Part:
    """A section of the page: what was asked and reached, and paragraphs or tables below."""

    rows: Sequence[Asked]
    below: Sequence[str] = ()


def modules() -> list[Any]:
    """Return the modules of all sections, in their order."""
    files = sorted(Path(__file__).parent.glob("part_*.py"))
    found = [importlib.import_module(f"benchmarks.simulate.{file.stem}") for file in files]
    return sorted(found, key=lambda module: int(module.ORDER))


def sections(only: Sequence[str] = ()) -> list[str]:
    """Return the sections of the page; `only`: those of these files."""
    found: list[str] = []
    for module in modules():
        if not only or module.__name__.rpartition(".part_")[2] in only:
            part: Part = module.part()
            found += [f"## {module.TITLE}", asked_table(part.rows), *part.below]
    return found


def main(
    only: Annotated[list[str] | None, typer.Option(help="Only this section, such as model. Can be repeated.")] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="First measure the cases of the validation: five minutes, as root.")
    ] = False,
    to: PageOption = PAGE,
) -> None:
    """Predict, and write docs/results/simulate.md. What is measured comes from the samples that are kept."""
    if measure:
        try:
            validation_samples.measure()
        except OSError as error:
            print(f"simulate: the validation cannot be measured: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
    processors = {one.processor for one in validation_samples.measured().values()}
    on = f"Measured on {' and '.join(sorted(processors))}" if processors else "Nothing was measured"
    write_page(to, "Simulations: asked and reached", "simulate", _ABOUT, *sections(only or ()), on=on)
