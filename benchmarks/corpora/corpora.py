"""Try the solvers on files of packages that many people use, and write a page."""

from __future__ import annotations

import importlib
import json
import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer

from benchmarks.corpora.corpora_page import page, unmet
from benchmarks.corpora.corpus_packages import CACHE, all_fetched
from benchmarks.corpora.corpus_runs import run_all
from benchmarks.corpora.corpus_steps import Outcome, Part
from benchmarks.form import RESULTS
from rooftop.files.atomic import write_whole

PARTS = sorted(file.stem.removeprefix("part_") for file in Path(__file__).parent.glob("part_*.py"))


def part_named(name: str) -> Part:
    """Return a part's module. Raises BadParameter."""
    if name not in PARTS:
        raise typer.BadParameter(f"{name!r} is no part; expected one of {', '.join(PARTS)}")
    return cast(Part, importlib.import_module(f"benchmarks.corpora.part_{name}"))


def main(
    name: Annotated[str, typer.Argument(metavar="PART", help=f"One of {', '.join(PARTS)}.")],
    only: Annotated[str, typer.Option(help="Inputs whose name holds this; writes no page.")] = "",
    every: Annotated[int, typer.Option(min=1, help="One of so many inputs; above 1 no page is written.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Inputs tried at a time.")] = 1,
) -> None:
    """Try all inputs of a part."""
    part = part_named(name)
    work = CACHE / name
    work.mkdir(parents=True, exist_ok=True)
    packages = all_fetched(part.PACKAGES)
    for package in packages:
        if package.folder is None:
            print(f"{package.kind} {package.name} cannot be had: {package.reason}")
    inputs = [given for given in part.inputs(packages, work) if only in given.name][::every]
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    outcomes: list[Outcome] = []
    with (work / "outcomes.jsonl").open("w", encoding="utf-8") as kept:
        for _, found in run_all(part, inputs, jobs):
            outcomes += found
            for one in found:
                kept.write(json.dumps(asdict(one)) + "\n")
            kept.flush()
    for (task, kind), count in sorted(Counter((one.task, one.kind) for one in outcomes).items()):
        print(f"{task:24} {kind:14} {count}")
    short = unmet(part, outcomes)
    for line in short:
        print(line)
    if not only and every == 1:
        write_whole(RESULTS / f"corpora-{name}.md", page(name, part, packages, len(inputs), outcomes))
    raise typer.Exit(1 if short else 0)
