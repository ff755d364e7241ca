"""Find what holds a program back, how many seconds it costs, and the cure, proven by paired runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop import errors
from rooftop.command.option import declared
from rooftop.compare.observed import CommandArgument, observed
from rooftop.diagnose.findings import AS_GIVEN
from rooftop.diagnose.options import Options
from rooftop.diagnose.text import print_diagnosis
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, check_writable
from rooftop.terminal.output_files import Files
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.diagnose.document import DiagnoseDocument
    from rooftop.observe.recording import Recording

GROUP = YOUR_PROGRAMS


def exit_code(document: DiagnoseDocument) -> int:
    """Return 1 if the command as given failed or was wrong, else 0, even if there are findings."""
    compared = document.cost.commands if document.cost is not None else []
    wrong = any(one.name == AS_GIVEN and one.outcome in ("wrong", "failed") for one in compared)
    return errors.WRONG if wrong or document.failure is not None else errors.FINE


def refuse_with_resume(options: Options) -> None:
    """Raise Misuse for an option that chooses what is observed or tried: that was chosen when the diagnosis began."""
    for one in declared(Options):
        value = getattr(options, one.field)
        if value != one.default:
            told = ", ".join(repr(each) for each in (value if isinstance(value, tuple) else (value,)))
            raise errors.Misuse(
                f"{one.option.name} is {told}, but --resume goes on with what the diagnosis was begun with: "
                "leave it out, or start a new one without --resume"
            )


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("diagnose", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        Options,
        without=("setups", "prepares", "cleanups"),
        helps={"budget_s": "Time for trying cures, such as 30s or 5m."},
    )
    def diagnose(
        context: typer.Context,
        command: CommandArgument = None,
        *,
        given: Given[Options],
        as_json: JsonOption = False,
        resume: ResumeOption = None,
        picture: Annotated[
            Path | None,
            typer.Option("--picture", metavar="FILE.html", help="HTML file to write: what was seen, and the cures."),
        ] = None,
        trace: Annotated[
            Path | None,
            typer.Option("--trace", metavar="FILE", help="Write what each thread did over time, for ui.perfetto.dev."),
        ] = None,
    ) -> None:
        from rooftop.diagnose.run import KIND, Diagnosing, asked_of
        from rooftop.diagnose.trace import trace as trace_of
        from rooftop.report.figures.style import load_drawing

        options = given.request()
        check_writable("--picture", picture)
        check_writable("--trace", trace)
        if trace is not None and resume is not None:
            raise errors.Misuse("--trace is written when a command is observed: leave it out with --resume")
        if resume is not None:
            refuse_with_resume(options)
        if picture is not None:
            load_drawing()
        with Files(picture, trace) as files:

            def looked(recording: Recording) -> None:
                files.write("--trace", trace, lambda: json.dumps(trace_of(recording)))

            ended = observed(
                "diagnose",
                context,
                command,
                resume,
                options.how,
                lambda bench, line: Diagnosing(bench).look(line, options, looked),
                lambda bench, wanted: Diagnosing(bench).resume(options.how, wanted),
                KIND,
                lambda line: asked_of(line, options),
            )
            document = ended.document
            if picture is not None:
                files.attempt("--picture", picture, lambda: KIND.write_page(document, picture))
            finish(
                "diagnose",
                ended,
                exit_code(document),
                print_diagnosis,
                as_json=as_json,
                files=files,
                written={what: path for what, path in (("page", picture), ("trace", trace)) if path is not None},
                kept=document.cost is not None,
            )
