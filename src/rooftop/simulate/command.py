"""Predict how long a program takes on a machine that is described: by counts and bytes, for any number of ranks."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from rooftop.command.measurement import Measurement
from rooftop.command.option import OUTPUT, declared, spelled
from rooftop.simulate.options import SIMULATED, Options
from rooftop.terminal.campaigns import measured
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, check_writable, print_document, say, tables
from rooftop.terminal.output_files import Files
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.simulate.document import SimulateDocument

GROUP = YOUR_PROGRAMS

# Options of campaigns that run something.
_OF_COMMANDS = {one.name for one in fields(Measurement)} - {one.field for one in declared(Options)}


def _print(document: SimulateDocument, console: Console) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from rooftop.simulate.told import HEAD, need_sentence, point_cells, remarks
    from rooftop.text.plural import plural
    from rooftop.text.quantities import ratio, seconds

    say(console, f"{document.program} on {document.platform_title}, by the {document.method}", style="bold")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in HEAD:
        table.add_column(name, justify="right")
    for point in document.points:
        table.add_row(*(text for text, _ in point_cells(point)))
    console.print(table)
    for line in remarks(document):
        say(console, line)
    for row in sorted(document.changes, key=lambda one: (one.ranks, -one.gain)):
        say(console, f"{plural(row.ranks, 'rank')}, {row.change}: {seconds(row.seconds)}, {ratio(row.gain)}")
    for one in document.placements:
        told = f"{seconds(one.seconds)}, {ratio(one.gain)} over {document.placement}"
        say(console, f"{plural(one.ranks, 'rank')}, placement {one.placement}: {told}")
    for need in document.needs:
        say(console, need_sentence(need, document.target_s or 0.0))


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("simulate", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(Options, without=_OF_COMMANDS, in_jobs=False)
    def simulate(
        context: typer.Context,
        words: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="NAME | FILE.jsonl | -- CMD",
                help="Program: ft, elasticity, ant_colony, halo, …; a recording; with --record, what is recorded.",
            ),
        ] = None,
        *,
        given: Given[Options],
        resume: ResumeOption = None,
        as_json: JsonOption = False,
        record: Annotated[
            Path | None,
            typer.Option(
                metavar="FILE.jsonl",
                help="Run an MPI program and write what each of its ranks does.",
                rich_help_panel=SIMULATED,
            ),
        ] = None,
        trace: Annotated[
            Path | None,
            typer.Option(
                "--trace",
                metavar="FILE",
                help="Write what each rank does over time in a replay, of most ranks, for ui.perfetto.dev.",
                rich_help_panel=OUTPUT,
            ),
        ] = None,
        build: Annotated[
            str | None,
            typer.Option(
                metavar="CMD",
                help="Command that builds what is recorded, such as 'make CC={cc}'; also {cxx} and {fc}.",
                rich_help_panel=SIMULATED,
            ),
        ] = None,
    ) -> None:
        from rooftop.errors import FINE, Misuse
        from rooftop.simulate import recorded
        from rooftop.simulate.run import KIND, Simulation
        from rooftop.simulate.trace import MOST_SPANS
        from rooftop.simulate.trace import trace as trace_of

        check_writable("--trace", trace)
        if record is not None:
            if trace is not None:
                raise Misuse("--trace is of a replay: leave it out with --record")
            check_writable("--record", record)
            for line in recorded.record_to(record, words or [], given.request(), build):
                say(tables(), line)
            return
        if build is not None:
            raise Misuse("--build is for what is recorded, expected --record FILE.jsonl with it")
        if words and len(words) > 1:
            raise Misuse(
                f"there are {len(words)} programs, expected one; a command is recorded with --record FILE.jsonl"
            )
        if words and words[0].endswith(recorded.ENDING):
            file = Path(words[0])
            with Files(trace) as files:
                spans = MOST_SPANS if trace is not None else 0
                found = recorded.replay_file(file, given.request(words=tuple(words)), spans)
                files.write("--trace", trace, lambda: json.dumps(trace_of(found)))
                if as_json:
                    print_document(found)
                else:
                    for line in recorded.lines(file, found):
                        say(tables(), line)
                files.require_written()
            return
        options = given.request(words=tuple(words or ()))
        if trace is not None and (resume is not None or not options.replay):
            raise Misuse("--trace is of a replay: expected --replay, or a recording, and no --resume")
        subject = [*options.words, *spelled(options)]  # what lists of campaigns show
        ended = measured(KIND, options, resume, context, {"words": "words"}, beside={"command": subject})
        with Files(trace) as files:
            if trace is not None:
                simulation = Simulation(options.prepared())
                files.write(
                    "--trace",
                    trace,
                    lambda: json.dumps(trace_of(simulation.traced(max(options.ranks), MOST_SPANS))),
                )
            finish("simulate", ended, FINE, _print, as_json=as_json, files=files)
