"""How much of the I/O time `solvers/h5io` hides behind computing."""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import psutil
import typer

from benchmarks.form import asked_table, write_page
from benchmarks.h5_async.async_cases import CASES, Case, can_drop_caches, missing
from benchmarks.h5_async.async_page import COMMAND, TITLE, lines, remarks
from benchmarks.h5_async.async_runs import Busy, Measured, Wrong
from benchmarks.h5_async.async_samples import Samples, Surroundings
from rooftop.errors import RooftopError
from rooftop.text.durations import parse_budget

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "h5-async.md"
SAMPLES = ROOT / ".rooftop" / "h5_async" / "samples.jsonl"


def chosen(only: list[str] | None) -> list[Case]:
    """Return the cases whose names hold one of these words. Ends the program where there is none."""
    cases = [case for case in CASES if not only or any(word in case.name for word in only)]
    if not cases:
        sys.exit(f"h5_async: --only is {', '.join(only or [])}, expected a part of {', '.join(c.name for c in CASES)}")
    return cases


def around(samples: Path) -> Path:
    """Return where it is kept what else is known of samples."""
    return samples.with_suffix(".around.json")


def measure(cases: list[Case], folder: Path, blocks: int, budget_s: float, file: Path, seed: int) -> None:
    """Measure blocks of all cases until there are enough, or the budget is spent. Raises Wrong."""
    began_s, before = time.monotonic(), psutil.cpu_times()
    skipped, measured = [], []
    busy = Busy()
    for case in cases:
        if (reason := missing(case, folder)) is not None:
            skipped.append(f"{case.name}: {reason}")
        else:
            measured.append(Measured(case, folder, busy, seed))
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as kept:
        for block in range(blocks):
            for one in measured:
                for sample in one.block():
                    kept.write(sample.model_dump_json() + "\n")
            spent_s = time.monotonic() - began_s
            print(f"block {block + 1} of {blocks}, {spent_s:.0f} s", file=sys.stderr)
            if spent_s * (block + 2) / (block + 1) > budget_s:
                break
    spent = [after - earlier for after, earlier in zip(psutil.cpu_times(), before, strict=True)]
    stolen = spent[before._fields.index("steal")] / max(sum(spent[:8]), 1e-9)  # what follows are guests' parts of these
    fadvise = "`posix_fadvise` drops the file"
    dropped = f"{fadvise}, and `drop_caches` all that is clean," if can_drop_caches() else fadvise
    surroundings = Surroundings(dropped=dropped, skipped=tuple(skipped), stolen=stolen)
    around(file).write_text(surroundings.model_dump_json() + "\n", encoding="utf-8")


def main(
    page: Annotated[Path | None, typer.Option("--page", help="Write what came out beside what was asked.")] = None,
    page_only: Annotated[bool, typer.Option("--page-only", help="Write it from the samples, measure nothing.")] = False,
    only: Annotated[list[str] | None, typer.Option("--only", help="Cases with this in their name; repeatable.")] = None,
    blocks: Annotated[int, typer.Option("--blocks", min=1, help="In each, every program runs once.")] = 12,
    budget: Annotated[str, typer.Option("--budget", help="No block is begun that would end later.")] = "210s",
    folder: Annotated[Path | None, typer.Option("--folder", help="For files; default: among temporary ones.")] = None,
    samples: Annotated[Path, typer.Option("--samples", help="Where samples are kept.")] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the order of programs.")] = 1,
) -> None:
    """Measure, print what came out, and write the page."""
    if not page_only:
        cases = chosen(only)
        with ExitStack() as stack:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="rooftop-h5-async-", dir=folder))
            try:
                measure(cases, Path(scratch), blocks, parse_budget(budget, "--budget"), samples, seed)
            except RooftopError as error:
                print(f"h5_async: {error}", file=sys.stderr)
                raise typer.Exit(2) from None
            except Wrong as error:
                sys.exit(f"h5_async: {error}")
    found = Samples.read(samples)
    if not found.all:
        sys.exit(f"h5_async: {samples} holds no samples, expected some; leave out --page-only")
    for line in lines(found):
        print(line.row)
    if page is not None or page_only:
        surroundings = Surroundings.model_validate_json(around(samples).read_text(encoding="utf-8"))
        write_page(page or PAGE, TITLE, COMMAND, asked_table(lines(found)), *remarks(found, surroundings))
