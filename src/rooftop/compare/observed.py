"""Commands that observe one command of the user's, then measure: the command's words, or an interrupted one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

import typer
from pydantic import BaseModel

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.run import Ended
from rooftop.command.line import CommandLine, from_arguments
from rooftop.command.measurement import Measurement
from rooftop.compare.options import Options as CompareOptions
from rooftop.errors import Misuse
from rooftop.store.interrupted import Resume
from rooftop.terminal.campaigns import bench_for, gone_on_with, wanted_campaign
from rooftop.terminal.output import messages

DocumentT = TypeVar("DocumentT", bound=BaseModel)

CommandArgument = Annotated[list[str] | None, typer.Argument(metavar="-- CMD", help="The command and its arguments.")]


def observed(
    name: str,
    context: typer.Context,
    command: list[str] | None,
    resume: str | None,
    how: Measurement,
    look: Callable[[Bench, CommandLine], Ended[DocumentT]],
    go_on: Callable[[Bench, Resume | None], Ended[DocumentT] | None],
    kind: Kind[CompareOptions, DocumentT] | None = None,
    asked: Callable[[CommandLine], CompareOptions] | None = None,
) -> Ended[DocumentT]:
    """Observe a command, or go on with what was interrupted after it was observed. Raises Misuse and Busy.

    name    of the command that the user typed
    look    observes, and measures what follows
    go_on   goes on with measuring; returns None if nothing was interrupted
    kind    of the campaign, where the whole may run in a job
    asked   checks what is asked of a command before a job is submitted; raises Misuse
    """
    if resume is not None and command:
        raise Misuse("--resume continues the interrupted command: leave out the command")
    if not command and resume is None:
        raise Misuse(f"there is no command to observe, expected: rooftop {name} -- CMD")
    line = from_arguments(command) if command else None
    with bench_for(messages()) as bench:
        wanted = wanted_campaign(resume, context, CompareOptions.of(how)) if line is None else None
        if kind is not None:
            request = asked(line) if asked is not None and line is not None else CompareOptions.of(how)

            def again(campaign: str) -> Resume | None:
                return wanted_campaign(campaign, context, CompareOptions.of(how))

            ended, wanted = gone_on_with(bench, kind, request, wanted, context, again)
            if ended is not None:
                return ended
        if line is not None and wanted is None:
            return look(bench, line)
        if (resumed := go_on(bench, wanted)) is None:
            raise Misuse(
                f"there is no interrupted comparison of 'rooftop {name}' to resume, expected: rooftop {name} -- CMD"
            )
        return resumed
