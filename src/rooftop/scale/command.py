"""Measure strong and weak scaling of a command over ranks and threads, and fit the laws of scaling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rooftop import errors
from rooftop.command.number import figure
from rooftop.scale.options import Options
from rooftop.terminal.campaigns import measured
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, check_writable, say, say_findings
from rooftop.terminal.output_files import Files, PictureOption, kept_files, kept_with
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.scale.document import Curve, ScaleDocument

GROUP = YOUR_PROGRAMS


_FACTORS = {"PE": "parallel_efficiency", "LB": "load_balance", "CommE": "communication_efficiency"}


def _table(curve: Curve, unit: str) -> Table:
    """Return the table; what cannot be used has its outcome in place of a time, and its reason in a line below."""
    from rooftop.scale.curve_text import CROWDED, interval_text

    table = Table(title=f"{curve.mode} scaling", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    varied = [name for name in ("ranks", "threads") if getattr(curve.points[0], name) is not None]
    sizes = list(curve.points[0].sizes) if curve.mode == "weak" else []
    traced = any(point.factors is not None for point in curve.points)
    speedup = "speed-up" if curve.mode == "strong" else "scaled speed-up"
    for name in ("workers", *varied, *sizes, "median", speedup, "efficiency", *(_FACTORS if traced else ())):
        table.add_column(name, justify="right")
    for point in curve.points:
        row = [f"{point.workers}{CROWDED if point.oversubscribed else ''}"]
        row += [str(getattr(point, name)) for name in varied]
        row += [str(point.sizes[name]) for name in sizes]
        row.append(figure(point.median, unit) if point.median is not None else point.outcome)
        row.append(interval_text(point.speedup))
        row.append(f"{point.efficiency.value:.0%}" if point.efficiency is not None else "")
        if traced:
            got = point.factors
            row += [f"{getattr(got, field):.0%}" if got is not None else "" for field in _FACTORS.values()]
        table.add_row(*row)
    return table


def _print(document: ScaleDocument, console: Console) -> None:
    from rooftop.scale.curve_text import curve_lines

    for curve in document.curves:
        console.print(_table(curve, document.unit))
        for line in curve_lines(curve, document):
            say(console, line)
    say_findings(console, "doubt: ", document.doubts)


def exit_code(document: ScaleDocument) -> int:
    """Return 1 if any point or the serial program is wrong or failed, 3 if no point has a time, else 0."""
    points = [point for curve in document.curves for point in curve.points]
    if all(point.median is None for point in points):
        return errors.NOTHING_MEASURED
    serial = [curve.serial for curve in document.curves if curve.serial is not None]
    return errors.WRONG if any(one.outcome in ("wrong", "failed") for one in [*points, *serial]) else errors.FINE


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("scale", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        Options,
        helps={
            "setups": "Command to run once before each point's first run.",
            "cleanups": "Command to run once after each point's last run.",
        },
    )
    def scale(
        context: typer.Context,
        command: Annotated[
            list[str] | None,
            typer.Argument(metavar="-- CMD", help="Command to scale. {NAME} is replaced by a size."),
        ] = None,
        *,
        given: Given[Options],
        resume: ResumeOption = None,
        picture: PictureOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.command.line import from_arguments
        from rooftop.report.figures.style import load_drawing
        from rooftop.scale.run import KIND
        from rooftop.settings import Settings

        settings = Settings()
        check_writable("--picture", picture)
        words = from_arguments(command, given.how.shell).words if command else ()
        options = given.request(words=words).as_given(strong="strong" in given.own.get("modes", ()))
        load_drawing()
        with Files(picture) as files:
            kept = kept_with(picture=picture)
            ended = measured(KIND, options, resume, context, {"command": "words"}, beside=kept)
            (picture,) = kept_files(ended.beside, picture=picture)
            page = picture or settings.campaigns_folder / f"{ended.document.campaign}.html"
            files.attempt("--picture", page, lambda: KIND.write_page(ended.document, page))
            code = exit_code(ended.document)
            finish("scale", ended, code, _print, as_json=as_json, files=files, written={"page": page})
