"""``rooftop pin``: where the threads of a command really run, what is wrong with that, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from rooftop import errors
from rooftop.cli.compare import sentence
from rooftop.cli.how import (
    BetterOption,
    CheckOption,
    ExpectRegexOption,
    ExpectSameOutputOption,
    HowCommand,
    IgnoreFailureOption,
    MaxPairsOption,
    MemoryLimitOption,
    MetricOption,
    MetricRegexOption,
    OrderSeedOption,
    TimeoutOption,
    ToleranceOption,
    WarmupOption,
    how_options,
)
from rooftop.cli.output import JsonOption, messages, print_document, tables
from rooftop.cli.progress import Progress
from rooftop.cli.resume import HOW, ResumeOption, read_resume
from rooftop.climb.request import parse_budget
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.pin.document import PinDocument
    from rooftop.pin.findings import Finding


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _tell(word: str, one: Finding, console: Console) -> None:
    _say(console, f"{word}: {one.finding}: {one.evidence}", style="bold" if word == "finding" else "")
    _say(console, f"    {one.remedy}")


def _cost(document: PinDocument, console: Console) -> None:
    if document.left is not None:
        _say(console, f"with the fix: {', '.join(document.left) or 'nothing is found'}")
    if document.cost is None:
        _say(console, f"not compared: {document.no_cost}")
        return
    for one in document.cost.comparisons:
        _say(console, sentence(one, document.cost.better), style="bold")
    for command in document.cost.commands:
        if command.outcome != "ok":
            _say(console, f"{command.name}  {command.outcome}: {command.reason}")
    for doubt in document.cost.doubts:
        _say(console, f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.")


def _print(document: PinDocument, console: Console) -> None:
    from rooftop.pin.picture import picture

    if any(row.busy for row in document.threads):
        console.print(picture(document))
    else:
        _say(console, "no busy thread was seen among the command and its children on this machine")
    looked = document.sampling
    _say(
        console,
        f"{looked.looks} looks in {document.elapsed_s:.3g} s, which took {looked.share:.2%} of one CPU's time; "
        f"{document.at_once} busy thread{'' if document.at_once == 1 else 's'} at once on {len(document.cores)} CPUs",
    )
    if document.failure is not None:
        _say(console, f"the command failed: it {document.failure}")
    for doubt in document.doubts:
        _say(console, f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.")
    if document.cut:
        _say(console, "the command was ended when the time of --for was over")
    if not document.findings and any(row.busy for row in document.threads):
        _say(console, "nothing is wrong with where its threads are", style="bold")
    for one in document.findings:
        _tell("finding", one, console)
    for one in document.hints:
        _tell("hint", one, console)
    if document.fix is None:
        _say(console, f"no line to copy: {document.no_fix}")
    for fix in document.fixes:
        _say(console, f"{fix.launcher}: {fix.line}", style="bold" if fix.line == document.fix else "")
    _cost(document, console)


def exit_code(document: PinDocument) -> int:
    """Return 1 if the command failed or was wrong, else 0: findings are read from the document."""
    compared = document.cost.commands if document.cost is not None else []
    wrong = any(command.outcome in ("wrong", "failed") for command in compared)
    return errors.WRONG if wrong or document.failure is not None else errors.FINE


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("pin", cls=HowCommand)
    def pin(
        context: typer.Context,
        command: Annotated[
            list[str] | None, typer.Argument(metavar="-- CMD", help="The command and its words.")
        ] = None,
        for_time: Annotated[
            str | None, typer.Option("--for", help="Look so long at most, such as 10s, then end the command.")
        ] = None,
        cost: Annotated[bool, typer.Option("--cost/--no-cost", help="Compare the command with the fixed one.")] = True,
        metric: MetricOption = "wall",
        metric_regex: MetricRegexOption = None,
        better: BetterOption = "lower",
        check: CheckOption = None,
        expect_regex: ExpectRegexOption = None,
        expect_same_output: ExpectSameOutputOption = False,
        tolerance: ToleranceOption = "0",
        ignore_failure: IgnoreFailureOption = False,
        warmup: WarmupOption = 0,
        budget: Annotated[str, typer.Option("--budget", help="Time for the comparison, such as 30s or 5m.")] = "60s",
        max_pairs: MaxPairsOption = 60,
        timeout: TimeoutOption = "1h",
        memory_limit: MemoryLimitOption = None,
        seed: OrderSeedOption = None,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        """See where all threads and ranks of a command run, what is wrong with that, what mends it, what it costs."""
        how = how_options(
            metric=metric,
            metric_regex=metric_regex,
            better=better,
            check=check,
            expect_regex=expect_regex,
            expect_same_output=expect_same_output,
            tolerance=tolerance,
            ignore_failure=ignore_failure,
            setup=None,
            prepare=None,
            cleanup=None,
            warmup=warmup,
            budget=budget,
            max_pairs=max_pairs,
            timeout=timeout,
            memory_limit=memory_limit,
            seed=seed,
        )
        for_s = parse_budget(for_time, "--for") if for_time is not None else None
        if resume is not None and command:
            raise Misuse("--resume goes on with the command that was interrupted: leave the command out")
        if not command and resume is None:
            raise Misuse("there is no command to look at: rooftop pin -- CMD")
        from rooftop.command.campaign import Bench
        from rooftop.command.line import from_arguments
        from rooftop.command.this_machine import ThisMachine
        from rooftop.pin.run import Pinning
        from rooftop.settings import Settings

        console = messages()
        progress = Progress(console)
        pinning = Pinning(Bench(Settings(), ThisMachine(), progress))
        try:
            if command:
                ended = pinning.look(from_arguments(command), how, for_s, cost=cost)
            elif (resumed := pinning.resume(how, read_resume(resume, context, how.stored(), HOW))) is not None:
                ended = resumed
            else:
                raise Misuse("there is no comparison of 'rooftop pin' to go on with: rooftop pin -- CMD")
        finally:
            progress.done()
        if as_json:
            print_document(ended.document)
        else:
            _print(ended.document, tables())
        if ended.interrupted:
            if ended.document.cost is not None:
                console.print("every sample taken so far is kept: 'rooftop pin --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document):
            raise typer.Exit(code)
