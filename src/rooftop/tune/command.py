"""Find the best configuration of a command, and confirm it against the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop import errors
from rooftop.command.measurement import Measurement
from rooftop.errors import Misuse
from rooftop.launchers import names
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import MeasuringCommand, bench_for, end, measuring, stored_places
from rooftop.terminal.output import JsonOption, check_writable, messages, print_document, say, tables
from rooftop.terminal.output_files import Files, PictureOption, kept_files, kept_with
from rooftop.terminal.resume import ResumeOption, read_resume
from rooftop.tune.text import print_tuning

if TYPE_CHECKING:
    from rooftop.parameters.space import Parameter
    from rooftop.tune.document import TuneDocument

GROUP = YOUR_PROGRAMS


# By parameter, where the stored request has what it says.
_PLACES = stored_places("how.")
_PLACES |= dict.fromkeys(("ranks", "threads", "bind", "schedule", "malloc", "env", "param", "file"), "parameters")
_PLACES |= {"command": "words"} | {
    name: name for name in ("where", "default", "strategy", "n_trials", "launcher", "build")
}


def _named(option: str, texts: list[str] | None) -> list[tuple[str, str]]:
    """Return the (name, values) of NAME=VALUES. Raises Misuse."""
    found = []
    for text in texts or ():
        name, equals, values = text.partition("=")
        if not equals:
            raise Misuse(f"{option} is {text!r}, expected NAME=VALUES such as N=8,16,32")
        found.append((name, values))
    return found


def exit_code(document: TuneDocument) -> int:
    """Return 1 if the default or all of the last comparison is wrong or fails, 3 if nothing could be used, else 0.

    What else fails is data.
    """
    if not any(one.outcome == "ok" for one in document.tried):
        return errors.NOTHING_MEASURED
    default = next((one for one in document.tried if one.parameters == document.default.parameters), None)
    if default is not None and default.outcome in ("wrong", "failed"):
        return errors.WRONG
    # All that the last comparison was of: nothing that was found can be held against anything.
    lost = [one for one in document.later if one.comparison == "final"]
    return errors.WRONG if len(lost) > 1 and not document.comparisons else errors.FINE


def _parameters(
    ranks: str | None,
    threads: str | None,
    bind: str | None,
    schedule: str | None,
    malloc: str | None,
    env: list[str] | None,
    param: list[str] | None,
) -> list[Parameter]:
    from rooftop.parameters.space import parameter

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

    @app.command("tune", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        without=("ranks", "workers"),
        defaults={"budget_s": 300.0, "max_pairs": 60},
        helps={
            "setups": "Command to run once before the runs of each configuration.",
            "cleanups": "Command to run once after the runs of each configuration.",
        },
    )
    def tune(
        context: typer.Context,
        command: Annotated[
            list[str] | None,
            typer.Argument(metavar="-- CMD", help="The command. {NAME} is replaced by a parameter's value."),
        ] = None,
        ranks: Annotated[str | None, typer.Option("--ranks", help="Numbers of MPI processes, such as 1,2,4.")] = None,
        threads: Annotated[
            str | None, typer.Option("--threads", help="Numbers of OpenMP threads, such as 1..8.")
        ] = None,
        bind: Annotated[str | None, typer.Option("--bind", help="Bindings to try, of close, spread, none.")] = None,
        schedule: Annotated[
            str | None, typer.Option("--schedule", help="Values of OMP_SCHEDULE, such as static,dynamic:64,guided.")
        ] = None,
        malloc: Annotated[
            str | None, typer.Option("--malloc", help="Allocators to try, of glibc, tbb, mimalloc, jemalloc.")
        ] = None,
        env: Annotated[
            list[str] | None, typer.Option("--env", metavar="KEY=a,b", help="Values of an environment variable.")
        ] = None,
        param: Annotated[
            list[str] | None, typer.Option("--param", metavar="N=8,16", help="Values of {N} in the command.")
        ] = None,
        file: Annotated[
            Path | None, typer.Option("--file", metavar="FILE.toml", help="Read parameters and conditions from a file.")
        ] = None,
        where: Annotated[
            list[str] | None,
            typer.Option(
                "--where",
                "--restrictions",
                metavar="COND",
                help="Condition on the parameters, such as 'ranks*threads <= cores'.",
            ),
        ] = None,
        default: Annotated[
            list[str] | None,
            typer.Option(
                "--default", metavar="NAME=VALUE", help="Value of the default configuration, if it is not the first."
            ),
        ] = None,
        strategy: Annotated[str, typer.Option("--strategy", help="Search strategy: auto, shuffled, tpe, …")] = "auto",
        n_trials: Annotated[
            int | None, typer.Option("--n-trials", help="Maximum number of configurations to try.")
        ] = None,
        launcher: Annotated[
            str | None,
            typer.Option(
                "--launcher", help=f"MPI launcher: {', '.join(names())}. Default: the first that is installed."
            ),
        ] = None,
        build: Annotated[
            str | None,
            typer.Option("--build", help="Command that builds a configuration, such as 'make CC={cc}'. See the guide."),
        ] = None,
        *,
        how: Measurement,
        resume: ResumeOption = None,
        picture: PictureOption = None,
        sbatch: Annotated[
            Path | None,
            typer.Option("--sbatch", metavar="FILE", help="Write a Slurm script that runs the best configuration."),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.command.line import from_arguments
        from rooftop.report.figures.style import load_drawing
        from rooftop.settings import Settings
        from rooftop.tune.options import Options, read_file
        from rooftop.tune.page import write
        from rooftop.tune.run import Tuning
        from rooftop.tune.strategies import own_name

        settings = Settings()
        check_writable("--picture", picture)
        check_writable("--sbatch", sbatch)
        found, conditions, file_build = read_file(file) if file is not None else ([], [], None)
        found += _parameters(ranks, threads, bind, schedule, malloc, env, param)
        options = Options(
            words=from_arguments(command, how.shell).words if command else (),
            parameters=tuple((one.name, one.kind, one.values) for one in found),
            where=(*conditions, *(where or ())),
            default=tuple(_named("--default", default)),
            strategy=own_name(strategy),
            n_trials=n_trials,
            launcher=launcher,
            build=build if build is not None else file_build,
            how=how,
        )
        console = messages()
        load_drawing()
        with Files(picture, sbatch) as files:
            with bench_for(console, how.budget_s) as bench:
                wanted = read_resume(resume, context, options.stored(), _PLACES)
                kept = kept_with(picture=picture, sbatch=sbatch)
                ended = Tuning(bench).tune(options, resume=wanted, beside=kept)
            picture, sbatch = kept_files(ended.beside, picture=picture, sbatch=sbatch)
            page = picture or settings.campaigns_folder / f"{ended.document.campaign}.html"
            files.attempt("--picture", page, lambda: write(ended.document, page))
            files.write("--sbatch", sbatch, lambda: (ended.document.best or ended.document.default).sbatch)
            if as_json:
                print_document(ended.document)
            else:
                print_tuning(ended.document, tables())
            files.require_written()
        say(console if as_json else tables(), f"page: {page}")
        end("tune", exit_code(ended.document), interrupted=ended.interrupted)
