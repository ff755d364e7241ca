"""Hold MPI libraries' collectives against algorithms written from messages."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from benchmarks.collectives.collective_runs import RANKS, cases_of, is_lab_of_collectives, measured
from benchmarks.collectives.collectives_page import CollectivesDocument, LibraryResult, write_collectives
from benchmarks.collectives.mpi_libraries import LIBRARIES, Built, Library, Unusable, built
from benchmarks.form import RESULTS, ROOT
from rooftop.documents import Machine
from rooftop.driver.executor import DriverFailed
from rooftop.errors import RooftopError
from rooftop.files.atomic import write_whole
from rooftop.lab.lessons import chapters, find_labs
from rooftop.ladder.discovery import Found
from rooftop.ladder.location import place_of
from rooftop.machine import identity
from rooftop.machine.lock import machine_to_itself
from rooftop.settings import Settings
from rooftop.text.durations import budget_text, parse_budget

PAGE = RESULTS / "collectives.md"
KEPT = ROOT / ".rooftop" / "collectives" / "collectives.json"
BUDGET = "3m40s"


def _labs() -> list[Found]:
    """Return the labs of collectives, in the order of the course."""
    found = find_labs(place_of(Settings(root=ROOT), None))
    return [lab for chapter in chapters(found) for lab in chapter.labs if is_lab_of_collectives(lab)]


def _prepared(labs: list[Found]) -> dict[Library, Built | Unusable]:
    """Build the labs with each library before anything is measured."""
    prepared: dict[Library, Built | Unusable] = {}
    for library in LIBRARIES:
        print(f"building the labs with {library.title}", file=sys.stderr)
        try:
            prepared[library] = built(library, labs)
        except Unusable as error:
            prepared[library] = error
    return prepared


def measure(budget_s: float, labs: list[Found], prepared: dict[Library, Built | Unusable]) -> CollectivesDocument:
    """Measure all libraries that can be used. Raises RooftopError."""
    usable = sum(isinstance(one, Built) for one in prepared.values())
    cases = usable * len(RANKS) * sum(len(cases_of(lab)) for lab in labs)
    started, machine, found = datetime.now(UTC), Machine(**identity().fields()), []
    with machine_to_itself(Settings(root=ROOT), lambda remark: print(remark, file=sys.stderr)):
        for library, one in prepared.items():
            known = LibraryResult(name=library.name, title=library.title)
            found.append(known)
            if isinstance(one, Unusable):
                known.reason = str(one)
                continue
            known.version = one.version
            try:
                known.experiments = measured(library.title, one, budget_s / cases, budget_text(budget_s), machine)
            except DriverFailed as failure:
                known.reason = failure.message
    return CollectivesDocument(started=started.isoformat(timespec="seconds"), machine=machine, libraries=found)


def main(
    budget: Annotated[str, typer.Option("--budget", help="Of all cases; starting programs comes on top.")] = BUDGET,
    build_only: Annotated[bool, typer.Option("--build", help="Get and build all, measure nothing.")] = False,
    page_only: Annotated[bool, typer.Option("--page", help="Write the page from what was measured last.")] = False,
) -> None:
    """Measure, and write the page. Exit code 1 where a variant is wrong or fails."""
    try:
        if page_only:
            document = CollectivesDocument.model_validate_json(KEPT.read_bytes())
        else:
            budget_s, labs = parse_budget(budget, "--budget"), _labs()
            prepared = _prepared(labs)
            if build_only:
                return
            document = measure(budget_s, labs, prepared)
            KEPT.parent.mkdir(parents=True, exist_ok=True)
            write_whole(KEPT, document.model_dump_json(by_alias=True, indent=1))
    except (RooftopError, OSError) as error:
        sys.exit(f"collectives: {error}")
    write_collectives(PAGE, document)
    rungs = [rung for one in document.libraries for lab in one.experiments for case in lab.cases for rung in case.rungs]
    if any(rung.outcome in ("wrong", "failed") for rung in rungs):
        raise typer.Exit(1)
