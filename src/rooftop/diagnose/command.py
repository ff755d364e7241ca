"""Find what holds a program back, how many seconds it costs, and the cure, proven by paired runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from rooftop import errors
from rooftop.compare.observed import CommandArgument, observed
from rooftop.diagnose.findings import AS_GIVEN
from rooftop.diagnose.options import Options
from rooftop.diagnose.text import print_diagnosis
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.diagnose.document import DiagnoseDocument

GROUP = YOUR_PROGRAMS


def exit_code(document: DiagnoseDocument) -> int:
    """Return 1 if the command as given failed or was wrong, else 0, even if there are findings."""
    compared = document.cost.commands if document.cost is not None else []
    wrong = any(one.name == AS_GIVEN and one.outcome in ("wrong", "failed") for one in compared)
    return errors.WRONG if wrong or document.failure is not None else errors.FINE


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
    ) -> None:
        from rooftop.diagnose.run import Diagnosing

        options = given.request()
        ended = observed(
            "diagnose",
            context,
            command,
            resume,
            options.how,
            lambda bench, line: Diagnosing(bench).look(line, options),
            lambda bench, wanted: Diagnosing(bench).resume(options.how, wanted),
        )
        kept = ended.document.cost is not None
        finish("diagnose", ended, exit_code(ended.document), print_diagnosis, as_json=as_json, kept=kept)
