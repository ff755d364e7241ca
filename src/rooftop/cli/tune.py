"""``rooftop tune``: the best configuration of a command, searched, raced, and confirmed in pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop import errors
from rooftop.cli.files import Files
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
from rooftop.cli.output import JsonOption, check_writable, messages, print_document, tables
from rooftop.cli.progress import Progress
from rooftop.cli.resume import HOW, ResumeOption, read_resume
from rooftop.cli.tuned import print_tuning
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.tune.document import TuneDocument
    from rooftop.tune.parameters import Parameter


# By parameter, where the stored request has what it says.
_PLACES = {name: f"how.{place}" for name, place in HOW.items()}
_PLACES |= dict.fromkeys(("ranks", "threads", "bind", "schedule", "malloc", "env", "param", "file"), "parameters")
_PLACES |= {"command": "words"} | {name: name for name in ("where", "default", "strategy", "launcher", "build")}


def _named(option: str, texts: list[str] | None) -> list[tuple[str, str]]:
    """Return the (name, values) of NAME=VALUES. Raises Misuse."""
    found = []
    for text in texts or ():
        name, equals, values = text.partition("=")
        if not equals:
            raise Misuse(f"{option} is {text!r}, expected NAME=VALUES such as N=8,16,32")
        found.append((name, values))
    return found


def _write_page(document: TuneDocument, path: Path) -> None:
    from rooftop.report.figure_page import write_figure_page
    from rooftop.tune.page import parts

    heading = f"Tuning of {' '.join(document.command)}"
    aside = f"Campaign {document.campaign}, begun {document.started}, on {document.machine.processor}"
    write_figure_page(path, heading, aside, parts(document), document.rooftop)


def exit_code(document: TuneDocument) -> int:
    """Return 1 if the default is wrong or fails, 3 if nothing could be used, else 0: what else fails is data."""
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
        context: typer.Context,
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
        build: Annotated[
            str | None,
            typer.Option(
                "--build", help="Builds a configuration before it runs, such as 'make CC={cc}'; see the guide."
            ),
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
        resume: ResumeOption = None,
        picture: Annotated[
            Path | None,
            typer.Option("--picture", metavar="FILE.html", help="Where the page goes; else among the campaigns."),
        ] = None,
        sbatch: Annotated[
            Path | None, typer.Option("--sbatch", metavar="FILE", help="Write a script for Slurm that starts the best.")
        ] = None,
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
        from rooftop.command.line import from_arguments
        from rooftop.command.this_machine import ThisMachine
        from rooftop.report.figures.style import load_drawing
        from rooftop.settings import Settings
        from rooftop.tune.options import Options, read_file
        from rooftop.tune.run import Tuning

        settings = Settings()
        check_writable("--picture", picture)
        check_writable("--sbatch", sbatch)
        found, conditions, file_build = read_file(file) if file is not None else ([], [], None)
        found += _parameters(ranks, threads, bind, schedule, malloc, env, param)
        options = Options(
            words=from_arguments(command).words if command else (),
            parameters=tuple((one.name, one.kind, one.values) for one in found),
            where=(*conditions, *(where or ())),
            default=tuple(_named("--default", default)),
            strategy=strategy,
            launcher=launcher,  # type: ignore[arg-type]
            build=build if build is not None else file_build,
            how=how,
        )
        console = messages()
        progress = Progress(console, how.budget_s)
        load_drawing()
        with Files(picture, sbatch) as files:
            try:
                wanted = read_resume(resume, context, options.stored(), _PLACES)
                ended = Tuning(Bench(settings, ThisMachine(), progress)).tune(options, resume=wanted)
            finally:
                progress.done()
            page = picture or settings.campaigns_folder / f"{ended.document.campaign}.html"
            files.attempt("--picture", page, lambda: _write_page(ended.document, page))
            files.write("--sbatch", sbatch, lambda: (ended.document.best or ended.document.default).sbatch)
            if as_json:
                print_document(ended.document)
            else:
                print_tuning(ended.document, tables())
            files.require_written()
        told = console if as_json else tables()
        told.print(f"page: {page}", markup=False, highlight=False, soft_wrap=True)
        if ended.interrupted:
            console.print("every sample taken so far is kept: 'rooftop tune --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document):
            raise typer.Exit(code)
