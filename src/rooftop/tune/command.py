"""Find the best configuration of a command, and confirm it against the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop import errors
from rooftop.command.option import read_options
from rooftop.terminal.campaigns import measured
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, check_writable
from rooftop.terminal.output_files import Files, PictureOption, kept_files, kept_with
from rooftop.terminal.resume import ResumeOption
from rooftop.tune.options import SEARCH, Options
from rooftop.tune.text import print_tuning

if TYPE_CHECKING:
    from rooftop.tune.document import TuneDocument

GROUP = YOUR_PROGRAMS


def exit_code(document: TuneDocument) -> int:
    """Return 1 if the default, or all of the final comparison, was wrong or failed; 3 if nothing was usable; else 0.

    Failures of other configurations are results, not errors.
    """
    if not any(one.outcome == "ok" for one in document.tried):
        return errors.NOTHING_MEASURED
    default = next((one for one in document.tried if one.parameters == document.default.parameters), None)
    if default is not None and default.outcome in ("wrong", "failed"):
        return errors.WRONG
    # If all of the final comparison failed, no result can be compared with anything.
    lost = [one for one in document.later if one.comparison == "final"]
    return errors.WRONG if len(lost) > 1 and not document.comparisons else errors.FINE


def register(app: typer.Typer) -> None:
    @app.command("tune", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        Options,
        helps={
            "setups": "Command to run once before the runs of each configuration.",
            "cleanups": "Command to run once after the runs of each configuration.",
        },
    )
    def tune(
        context: typer.Context,
        command: Annotated[
            list[str] | None,
            typer.Argument(metavar="-- CMD", help="Command to tune. {NAME} is replaced by a parameter's value."),
        ] = None,
        *,
        given: Given[Options],
        file: Annotated[
            Path | None,
            typer.Option(
                "--file", metavar="FILE.toml", help="TOML file with any of these options.", rich_help_panel=SEARCH
            ),
        ] = None,
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
        from rooftop.tune.run import KIND

        settings = Settings()
        check_writable("--picture", picture)
        check_writable("--sbatch", sbatch)
        filed = read_options(file, Options, str) if file is not None else {}  # str: numbers stay as written
        words = from_arguments(command, given.how.shell).words if command else ()
        options = given.request(filed, words=words)
        load_drawing()
        with Files(picture, sbatch) as files:
            places, kept = {"command": "words", "file": "parameters"}, kept_with(picture=picture, sbatch=sbatch)
            ended = measured(KIND, options, resume, context, places, beside=kept, budget_s=options.how.budget_s)
            picture, sbatch = kept_files(ended.beside, picture=picture, sbatch=sbatch)
            page = picture or settings.campaigns_folder / f"{ended.document.campaign}.html"
            files.attempt("--picture", page, lambda: KIND.write_page(ended.document, page))
            files.write("--sbatch", sbatch, lambda: (ended.document.best or ended.document.default).sbatch)
            code = exit_code(ended.document)
            finish("tune", ended, code, print_tuning, as_json=as_json, files=files, written={"page": page})
