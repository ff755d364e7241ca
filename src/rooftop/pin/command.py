"""Show where threads and ranks of a command run, what is wrong with it, how to fix it, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.console import Console

from rooftop import errors
from rooftop.compare.observed import CommandArgument, observed
from rooftop.compare.text import sentence
from rooftop.pin.options import Options
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, say, say_findings
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.pin.document import PinDocument

GROUP = YOUR_PROGRAMS


def _cost(document: PinDocument, console: Console) -> None:
    if document.left is not None:
        say(console, f"with the fix: {', '.join(document.left) or 'no problem was found'}")
    if document.cost is None:
        say(console, f"not compared: {document.no_cost}")
        return
    for one in document.cost.comparisons:
        say(console, sentence(one, document.cost.better), style="bold")
    for command in document.cost.commands:
        if command.outcome != "ok":
            say(console, f"{command.name}  {command.outcome}: {command.reason}")
    say_findings(console, "doubt: ", document.cost.doubts)


def _print(document: PinDocument, console: Console) -> None:
    from rooftop.pin.picture import picture

    if any(row.busy for row in document.threads):
        console.print(picture(document))
    else:
        say(console, "no busy thread was seen in the command and its children on this machine")
    looked = document.sampling
    say(
        console,
        f"{looked.looks} samples in {document.elapsed_s:.3g} s, at a cost of {looked.share:.2%} of one CPU; "
        f"{document.at_once} busy thread{'' if document.at_once == 1 else 's'} at once on {len(document.cores)} CPUs",
    )
    if document.failure is not None:
        say(console, f"the command failed: it {document.failure}")
    say_findings(console, "doubt: ", document.doubts)
    if document.cut:
        say(console, "the command was stopped after the time given by --for")
    if not document.findings and any(row.busy for row in document.threads):
        say(console, "no placement problem was found", style="bold")
    say_findings(console, "finding: ", document.findings)
    say_findings(console, "hint: ", document.hints)
    if document.fix is None:
        say(console, f"no fix: {document.no_fix}")
    for fix in document.fixes:
        say(console, f"{fix.launcher}: {fix.line}", style="bold" if fix.line == document.fix else "")
    _cost(document, console)


def exit_code(document: PinDocument) -> int:
    """Return 1 if the command failed or was wrong, else 0, even if there are findings."""
    compared = document.cost.commands if document.cost is not None else []
    wrong = any(command.outcome in ("wrong", "failed") for command in compared)
    return errors.WRONG if wrong or document.failure is not None else errors.FINE


def register(app: typer.Typer) -> None:
    @app.command("pin", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        Options,
        without=("setups", "prepares", "cleanups"),
        in_jobs=False,
        helps={"budget_s": "Time of the comparison, such as 30s or 5m."},
    )
    def pin(
        context: typer.Context,
        command: CommandArgument = None,
        *,
        given: Given[Options],
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.pin.run import Pinning

        options = given.request()
        ended = observed(
            "pin",
            context,
            command,
            resume,
            options.how,
            lambda bench, line: Pinning(bench).look(line, options.how, options.for_s, cost=options.cost),
            lambda bench, wanted: Pinning(bench).resume(options.how, wanted),
        )
        kept = ended.document.cost is not None
        finish("pin", ended, exit_code(ended.document), _print, as_json=as_json, kept=kept)
