"""Time one command, with the noise floor beside it."""

from __future__ import annotations

from typing import Annotated

import typer

from rooftop import errors
from rooftop.command.figure import figure
from rooftop.command.measurement import Measurement
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import MeasuringCommand, bench_for, end, measuring, stored_places
from rooftop.terminal.output import JsonOption, messages, print_document, say, say_findings, tables
from rooftop.terminal.resume import ResumeOption, read_resume

GROUP = YOUR_PROGRAMS


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("template", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring()
    def template(
        context: typer.Context,
        command: Annotated[list[str] | None, typer.Argument(metavar="-- CMD", help="The command to time.")] = None,
        *,
        how: Measurement,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop._template.run import KIND, Options
        from rooftop.campaign.run import run_campaign
        from rooftop.command.line import from_arguments

        options = Options(from_arguments(command).words if command else (), how=how)
        with bench_for(messages(), how.budget_s) as bench:
            wanted = read_resume(resume, context, options.stored(), stored_places("how.") | {"command": "words"})
            ended = run_campaign(bench, KIND, options, resume=wanted)
        document, result = ended.document, ended.document.command
        if as_json:
            print_document(document)
        else:
            told = f"{result.outcome}: {result.reason}"
            if result.median is not None:
                floor = f", A/A floor {document.floor:.2%}" if document.floor is not None else ""
                told = f"{figure(result.median, document.unit)}, {len(result.samples)} samples{floor}"
            say(tables(), f"{result.name}  {told}")
            say_findings(tables(), "doubt: ", document.doubts)
        failed = result.outcome in ("wrong", "failed")
        end("template", errors.WRONG if failed else errors.FINE, interrupted=ended.interrupted)
