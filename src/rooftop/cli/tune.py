"""``rooftop tune``: the best configuration of a command, searched, raced, and confirmed in pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

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
from rooftop.command.figure import figure
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.tune.document import Chosen, TuneDocument
    from rooftop.tune.parameters import Parameter

_SHOWN = 10


def _named(option: str, texts: list[str] | None) -> list[tuple[str, str]]:
    """Give the (name, values) of NAME=VALUES. Raises Misuse."""
    found = []
    for text in texts or ():
        name, equals, values = text.partition("=")
        if not equals:
            raise Misuse(f"{option} is {text!r}, expected NAME=VALUES such as N=8,16,32")
        found.append((name, values))
    return found


def _lines(title: str, one: Chosen, console: Console) -> None:
    console.print(f"{title}: {one.line}", style="bold", markup=False, highlight=False, soft_wrap=True)
    for launcher, line in one.lines.items():
        console.print(f"  {launcher}: {line}", markup=False, highlight=False, soft_wrap=True)


def _print(document: TuneDocument, console: Console) -> None:
    usable = [one for one in document.tried if one.speed is not None]
    usable.sort(key=lambda one: -(one.speed or 0.0))
    table = Table(title="as the race saw them, beside the default", title_justify="left")
    for name in document.default.parameters:
        table.add_column(name)
    for name in ("median", "speed", "samples"):
        table.add_column(name, justify="right")
    for one in usable[:_SHOWN]:
        median = figure(one.median, document.unit) if one.median is not None else "first run only"
        values = [str(value) for value in one.parameters.values()]
        table.add_row(*values, median, f"{one.speed:.3g}×", str(len(one.samples)))
    console.print(table)
    unusable: dict[str, int] = {}
    for one in document.tried:
        if one.speed is None:
            unusable[one.outcome] = unusable.get(one.outcome, 0) + 1
    told = "".join(f", {count} {outcome}" for outcome, count in sorted(unusable.items()))
    whole = "all" if document.exhausted else f"{len(document.tried)} of {document.configurations}"
    console.print(f"{whole} configurations tried: {len(usable)} usable{told}", highlight=False)
    for comparison in document.comparisons:
        told = sentence(comparison, document.better)
        console.print(told, markup=False, highlight=False, soft_wrap=True)
    _lines("default", document.default, console)
    if document.best is None:
        return
    if document.best.parameters == document.default.parameters:
        console.print("nothing that was tried is better than the default", style="bold")
    elif document.confirmed:
        _lines("best", document.best, console)
    else:
        _lines("best of the race, but not shown to be better than the default", document.best, console)
    for doubt in document.doubts:
        console.print(f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.", markup=False, soft_wrap=True)


def exit_code(document: TuneDocument) -> int:
    """Give 1 if the default is wrong or fails, 3 if nothing could be used, else 0: what else fails is data."""
    if not any(one.outcome == "ok" for one in document.tried):
        return errors.NOTHING_MEASURED
    default = next((one for one in document.tried if one.parameters == document.default.parameters), None)
    return errors.WRONG if default is not None and default.outcome in ("wrong", "failed") else errors.FINE


def _parameters(
    ranks: str | None,
    threads: str | None,
    bind: str | None,
    schedule: str | None,
    malloc: str | None,
    env: list[str] | None,
    param: list[str] | None,
) -> list[Parameter]:
    from rooftop.tune.parameters import parameter

    found = []
    if ranks is not None:
        found.append(parameter("--ranks", "ranks", "ranks", ranks))
    if threads is not None:
        found.append(parameter("--threads", "threads", "threads", threads))
    if bind is not None:
        found.append(parameter("--bind", "bind", "bind", bind))
    if schedule is not None:
        found.append(parameter("--schedule", "schedule", "schedule", schedule))
    if malloc is not None:
        found.append(parameter("--malloc", "malloc", "malloc", malloc))
    found += [parameter("--env", "env", name, values) for name, values in _named("--env", env)]
    found += [parameter("--param", "param", name, values) for name, values in _named("--param", param)]
    return found


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("tune", cls=HowCommand)
    def tune(
        command: Annotated[
            list[str] | None, typer.Argument(metavar="-- CMD", help="The command; {NAME} is a parameter's value.")
        ] = None,
        ranks: Annotated[str | None, typer.Option("--ranks", help="MPI processes, such as 1,2,4.")] = None,
        threads: Annotated[str | None, typer.Option("--threads", help="OpenMP threads, such as 1..8.")] = None,
        bind: Annotated[str | None, typer.Option("--bind", help="Of close, spread, none.")] = None,
        schedule: Annotated[
            str | None, typer.Option("--schedule", help="OMP_SCHEDULE, such as static,dynamic:64,guided.")
        ] = None,
        malloc: Annotated[str | None, typer.Option("--malloc", help="Of glibc, tbb, mimalloc, jemalloc.")] = None,
        env: Annotated[
            list[str] | None, typer.Option("--env", metavar="KEY=a,b", help="An environment variable's values.")
        ] = None,
        param: Annotated[
            list[str] | None, typer.Option("--param", metavar="N=8,16", help="Values that {N} stands for.")
        ] = None,
        file: Annotated[
            Path | None, typer.Option("--file", metavar="FILE.toml", help="Parameters and conditions from a file.")
        ] = None,
        where: Annotated[
            list[str] | None,
            typer.Option("--where", metavar="COND", help="What must hold, such as 'ranks*threads <= cores'."),
        ] = None,
        default: Annotated[
            list[str] | None,
            typer.Option("--default", metavar="NAME=VALUE", help="The default's value, where it is not the first."),
        ] = None,
        strategy: Annotated[
            str, typer.Option("--strategy", help="How configurations are proposed: auto, shuffled, tpe, …")
        ] = "auto",
        launcher: Annotated[
            str | None, typer.Option("--launcher", help="Of openmpi, mpich, srun; the first that is here by default.")
        ] = None,
        metric: MetricOption = "wall",
        metric_regex: MetricRegexOption = None,
        better: BetterOption = "lower",
        check: CheckOption = None,
        expect_regex: ExpectRegexOption = None,
        expect_same_output: ExpectSameOutputOption = False,
        tolerance: ToleranceOption = "0",
        ignore_failure: IgnoreFailureOption = False,
        prepare: Annotated[str | None, typer.Option("--prepare", help="Runs before every run, untimed.")] = None,
        warmup: WarmupOption = 0,
        budget: Annotated[str, typer.Option("--budget", help="Time for all of it, such as 5m or 1h.")] = "5m",
        max_pairs: MaxPairsOption = 60,
        timeout: TimeoutOption = "1h",
        memory_limit: MemoryLimitOption = None,
        seed: OrderSeedOption = None,
        resume: Annotated[bool, typer.Option("--resume", help="Go on with the tuning that was interrupted.")] = False,
        as_json: JsonOption = False,
    ) -> None:
        """Find a command's best configuration: raced beside the best so far, then confirmed against the default."""
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
            prepare=[prepare] if prepare is not None else None,
            cleanup=None,
            warmup=warmup,
            budget=budget,
            max_pairs=max_pairs,
            timeout=timeout,
            memory_limit=memory_limit,
            seed=seed,
        )
        from rooftop.command.campaign import Bench
        from rooftop.command.this_machine import ThisMachine
        from rooftop.settings import Settings
        from rooftop.tune.options import Options, read_file
        from rooftop.tune.parameters import read_values
        from rooftop.tune.run import Tuning

        found, conditions = read_file(file) if file is not None else ([], [])
        found += _parameters(ranks, threads, bind, schedule, malloc, env, param)
        options = Options(
            words=tuple(command or ()),
            parameters=tuple((one.name, one.kind, one.values) for one in found),
            where=(*conditions, *(where or ())),
            default=tuple((name, read_values("--default", value)[0]) for name, value in _named("--default", default)),
            strategy=strategy,
            launcher=launcher,  # type: ignore[arg-type]
            how=how,
        )
        console = messages()
        progress = Progress(console)
        try:
            ended = Tuning(Bench(Settings(), ThisMachine(), progress)).tune(options, resume=resume)
        finally:
            progress.done()
        if as_json:
            print_document(ended.document)
        else:
            _print(ended.document, tables())
        if ended.interrupted:
            console.print("every sample taken so far is kept: 'rooftop tune --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document):
            raise typer.Exit(code)
