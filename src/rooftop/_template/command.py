"""Time one command, with the noise floor beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from rooftop import errors
from rooftop._template.options import Options
from rooftop.command.number import figure
from rooftop.terminal.campaigns import measured
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, say, say_findings
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop._template.run import TemplateDocument

GROUP = YOUR_PROGRAMS


def _print(document: TemplateDocument, console: Console) -> None:
    result = document.command
    told = f"{result.outcome}: {result.reason}"
    if result.median is not None:
        floor = f", A/A floor {document.floor:.2%}" if document.floor is not None else ""
        told = f"{figure(result.median, document.unit)}, {len(result.samples)} samples{floor}"
    say(console, f"{result.name}  {told}")
    say_findings(console, "doubt: ", document.doubts)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("template", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(Options)
    def template(
        context: typer.Context,
        command: Annotated[list[str] | None, typer.Argument(metavar="-- CMD", help="The command to time.")] = None,
        *,
        given: Given[Options],
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop._template.run import KIND
        from rooftop.command.line import from_arguments

        options = given.request(words=from_arguments(command).words if command else ())
        ended = measured(KIND, options, resume, context, {"command": "words"}, budget_s=options.how.budget_s)
        failed = ended.document.command.outcome in ("wrong", "failed")
        finish("template", ended, errors.WRONG if failed else errors.FINE, _print, as_json=as_json)
