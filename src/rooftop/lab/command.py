"""List the labs by chapter or symptom, or run one and compare its predictions with measurements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from rooftop.climb.command import exit_code
from rooftop.climb.request import Request
from rooftop.errors import Misuse
from rooftop.files.atomic import write_whole
from rooftop.lab.lessons import by_symptom, chapters, entry, find_lab, find_labs, short_name
from rooftop.ladder.location import place_of
from rooftop.settings import Settings
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.measuring import finish
from rooftop.terminal.output import (
    JsonOption,
    VerboseCommand,
    check_writable,
    messages,
    print_document,
    say,
    say_findings,
    tables,
)
from rooftop.text.durations import parse_budget

if TYPE_CHECKING:
    from rooftop.documents import ClimbDocument
    from rooftop.ladder.discovery import Found

GROUP = LADDERS

SCHEMA = "rooftop/labs/1"
_BUDGET = "5s"


def _table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))


def _print_chapters(labs: list[Found]) -> None:
    console = tables()
    for chapter in chapters(labs):
        table = _table(chapter.title, "symptom")
        for lab in chapter.labs:
            lesson = lab.declaration.lesson
            table.add_row(short_name(lab), "\n".join(lesson.symptoms) if lesson else lab.declaration.question)
        console.print(table)
        console.print()
    say(console, "run one with 'rooftop lab NAME', all with 'rooftop climb labs'")


def _print_symptoms(labs: list[Found]) -> None:
    table = _table("symptom", "lab")
    for symptom, lab in by_symptom(labs):
        table.add_row(symptom, short_name(lab))
    tables().print(table)


def _list(symptoms: bool, as_json: bool) -> None:
    labs = find_labs(place_of(Settings(), None), lambda reason: say(messages(), f"rooftop: {reason}"))
    if as_json:
        entries = [entry(chapter.title, lab) for chapter in chapters(labs) for lab in chapter.labs]
        print_document({"schema": SCHEMA, "labs": entries})
    elif symptoms:
        _print_symptoms(labs)
    else:
        _print_chapters(labs)


def _write_course(path: Path) -> None:
    from rooftop.lab.lessons import course_page

    check_writable("--course", path)
    text = course_page(find_labs(place_of(Settings(), None)))
    try:
        write_whole(path, text)
    except OSError as error:
        raise Misuse(f"--course {path} cannot be written: {error.strerror or error}") from error


def _show_elsewhere(lab: Found, topology: str, threads: int | None) -> None:
    from rooftop.lab.placement import elsewhere
    from rooftop.probe.measure import remembered

    if threads is not None and not 1 <= threads <= 4096:
        raise Misuse(f"--threads is {threads}, expected a number of threads from 1 to 4096")
    console = tables()
    for line in elsewhere(lab, topology, threads, remembered()):
        say(console, line)


def _run(lab: Found, request: Request, *, report: bool, as_json: bool) -> None:
    """Climb the lab, draw its picture, and show what was predicted and measured."""
    # The store and the statistics take a while to import: only those who climb pay for it.
    from rooftop.climb.live import LiveClimb
    from rooftop.climb.run import KIND, Climbing
    from rooftop.driver.process import ProcessExecutor
    from rooftop.lab.picture import write_picture
    from rooftop.lab.summary import summary
    from rooftop.probe.surroundings import ThisMachine
    from rooftop.report.figures.style import load_drawing

    def show(document: ClimbDocument, console: Console) -> None:
        for line in summary(lab, document.experiments[0]):
            console.print(line, highlight=False, soft_wrap=True)
        say_findings(console, "doubt: ", document.doubts)

    if report:
        load_drawing()
    live = LiveClimb(messages())
    with live:
        ended = Climbing(Settings(), ProcessExecutor(), ThisMachine(), live).climb(request)
    document, written = ended.document, {}
    if not ended.interrupted:
        folder = Settings().campaigns_folder
        written["picture"] = folder / f"{document.campaign}.png"
        write_picture(lab, document.experiments[0], written["picture"])
        if report:
            written["report"] = folder / f"{document.campaign}.html"
            KIND.write_page(document, written["report"])
    finish("climb", ended, exit_code(document), show, as_json=as_json, written=written)


def _refuse_together(first: str, others: dict[str, Any]) -> None:
    """Raise Misuse for the first option given that cannot be combined with another."""
    for option, value in others.items():
        if value not in (None, False):
            raise Misuse(f"{option} {first}")


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("lab", cls=VerboseCommand, help=__doc__, rich_help_panel=GROUP)
    def lab(
        name: Annotated[
            str | None,
            typer.Argument(metavar="[NAME]", help="Lab to run, such as false_sharing (default: list all labs)."),
        ] = None,
        symptoms: Annotated[
            bool, typer.Option("--symptoms", help="List labs by symptom instead of by chapter.")
        ] = False,
        course: Annotated[
            Path | None,
            typer.Option("--course", metavar="FILE.md", help="Write the course page, all labs in order, as Markdown."),
        ] = None,
        on: Annotated[
            str | None,
            typer.Option(
                "--on",
                metavar="TOPOLOGY",
                help="Show where the lab's threads would run on a synthetic hwloc topology, such as 'pack:2 numa:4 "
                "core:8 pu:1', and what the lab predicts there. Nothing is measured.",
            ),
        ] = None,
        size: Annotated[str | None, typer.Option("--size", help="Set of cases: quick (default), S, …")] = None,
        budget: Annotated[str | None, typer.Option("--budget", help=f"Measuring time (default: {_BUDGET}).")] = None,
        threads: Annotated[
            int | None, typer.Option("--threads", help="Number of threads (default: one per usable core).")
        ] = None,
        seed: Annotated[int | None, typer.Option("--seed", help="Seed of data and order (default: a new one).")] = None,
        no_report: Annotated[bool, typer.Option("--no-report", help="Do not write an HTML report.")] = False,
        as_json: JsonOption = False,
    ) -> None:
        measuring = {"--size": size, "--budget": budget, "--threads": threads, "--seed": seed, "--no-report": no_report}
        if name is None:
            _refuse_together("applies to a single lab, expected its NAME", {**measuring, "--on": on})
        else:
            _refuse_together("applies to all labs, expected no NAME", {"--symptoms": symptoms, "--course": course})
        if course is not None:
            _refuse_together(
                "lists labs and --course writes a page, expected one of them",
                {"--symptoms": symptoms, "--json": as_json},
            )
            _write_course(course)
        elif name is None:
            if symptoms and as_json:
                raise Misuse("--symptoms and --json are both given, expected one of them: the document has both orders")
            _list(symptoms, as_json)
        elif on is not None:
            _refuse_together("has no effect with --on, which measures nothing", {**measuring, "--threads": None})
            _refuse_together("cannot be combined with --on, which prints lines", {"--json": as_json})
            _show_elsewhere(find_lab(place_of(Settings(), None), name), on, threads)
        else:
            found = find_lab(place_of(Settings(), None), name)
            request = Request(
                names=(found.name,), size=size, budget_s=parse_budget(budget or _BUDGET), threads=threads, seed=seed
            ).checked()
            _run(found, request, report=not no_report, as_json=as_json)
