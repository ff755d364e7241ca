"""Find what holds a program back, how many seconds it costs, and the cure, proven by paired runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rooftop import errors
from rooftop.compare.options import Options as CompareOptions
from rooftop.diagnose.options import Options
from rooftop.diagnose.text import print_diagnosis
from rooftop.errors import Misuse
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, bench_for, finish, measuring, wanted_campaign
from rooftop.terminal.output import JsonOption, messages
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.diagnose.document import DiagnoseDocument

GROUP = YOUR_PROGRAMS


def exit_code(document: DiagnoseDocument) -> int:
    """Return 1 if the command failed, else 0, even if there are findings."""
    return errors.WRONG if document.failure is not None else errors.FINE


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
        command: Annotated[
            list[str] | None, typer.Argument(metavar="-- CMD", help="The command and its arguments.")
        ] = None,
        *,
        given: Given[Options],
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        options = given.request()
        if resume is not None and command:
            raise Misuse("--resume continues the interrupted command: leave out the command")
        if not command and resume is None:
            raise Misuse("there is no command to diagnose, expected: rooftop diagnose -- CMD")
        from rooftop.command.line import from_arguments
        from rooftop.diagnose.run import Diagnosing

        with bench_for(messages()) as bench:
            diagnosing = Diagnosing(bench)
            if command:
                ended = diagnosing.look(from_arguments(command), options)
            else:
                ended = diagnosing.resume(options.how, wanted_campaign(resume, context, CompareOptions.of(options.how)))
        kept = ended.document.cost is not None
        finish("diagnose", ended, exit_code(ended.document), print_diagnosis, as_json=as_json, kept=kept)
