"""Measure strong and weak scaling of a command over ranks and threads, and fit the laws of scaling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rooftop import errors
from rooftop.command.figure import figure
from rooftop.command.measurement import Measurement
from rooftop.errors import Misuse
from rooftop.launchers import names
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import MeasuringCommand, bench_for, end, measuring, stored_places
from rooftop.terminal.output import JsonOption, check_writable, messages, print_document, say, say_findings, tables
from rooftop.terminal.output_files import Files, PictureOption, kept_files, kept_with
from rooftop.terminal.resume import ResumeOption, read_resume

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


# By parameter, where the stored request has what it says.
_PLACES = stored_places("how.") | {
    "command": "words",
    "size": "sizes",
    "strong": "modes",
}
_PLACES |= {name: name for name in ("ranks", "threads", "bind", "launcher", "weak", "serial", "factors")}


def _counts(option: str, text: str | None) -> tuple[int, ...] | None:
    from rooftop.parameters.space import counts
    from rooftop.parameters.values import read_values

    return counts(option, read_values(option, text)) if text is not None else None


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("scale", cls=MeasuringCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        without=("size", "ranks", "workers"),
        defaults={"budget_s": 180.0, "max_pairs": 60},
        helps={
            "setups": "Command to run once before each point's first run.",
            "cleanups": "Command to run once after each point's last run.",
        },
    )
    def scale(
        context: typer.Context,
        command: Annotated[
            list[str] | None, typer.Argument(metavar="-- CMD", help="The command. {NAME} is replaced by a size.")
        ] = None,
        ranks: Annotated[str | None, typer.Option("--ranks", help="Numbers of MPI processes, such as 1,2,4.")] = None,
        threads: Annotated[
            str | None, typer.Option("--threads", help="Numbers of OpenMP threads, such as 1..8.")
        ] = None,
        bind: Annotated[str | None, typer.Option("--bind", help="Binding of threads: close, spread or none.")] = None,
        launcher: Annotated[str | None, typer.Option("--launcher", help=f"MPI launcher: {', '.join(names())}.")] = None,
        size: Annotated[
            list[str] | None,
            typer.Option(
                "--size", metavar="NAME=VALUE", help="Value of {NAME}. Of a rung: the set of cases, or a parameter."
            ),
        ] = None,
        strong: Annotated[
            bool, typer.Option("--strong", help="Keep the problem size. Default, unless --weak is given.")
        ] = False,
        weak: Annotated[
            list[str] | None,
            typer.Option(
                "--weak", metavar="NAME=EXPR", help="How a size grows with the workers, such as size=1000*workers."
            ),
        ] = None,
        serial: Annotated[
            str | None,
            typer.Option("--serial", metavar="CMD", help="The best serial program, as the base of the speed-ups."),
        ] = None,
        factors: Annotated[
            bool,
            typer.Option(
                "--factors/--no-factors", help="Time the MPI calls, in separate runs, for the POP efficiencies."
            ),
        ] = True,
        *,
        how: Measurement,
        resume: ResumeOption = None,
        picture: PictureOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.command.line import from_arguments
        from rooftop.parameters.values import read_values
        from rooftop.report.figures.style import load_drawing
        from rooftop.scale.laws import Mode
        from rooftop.scale.options import Options
        from rooftop.scale.page import write
        from rooftop.scale.points import read_sizes
        from rooftop.scale.run import Scaling
        from rooftop.settings import Settings

        settings = Settings()
        check_writable("--picture", picture)
        growing = read_sizes("--weak", weak or ())
        sets = [text for text in size or () if "=" not in text]
        if len(sets) > 1:
            raise Misuse(f"--size names {len(sets)} sets of cases ({', '.join(sets)}), expected one")
        how = replace(how, size=sets[0] if sets else None)
        set_values = read_sizes("--size", [text for text in size or () if "=" in text])
        sizes = tuple((name, read_values("--size", value)) for name, value in set_values)
        for name, values in sizes:
            if len(values) != 1:
                raise Misuse(f"--size {name} has {len(values)} values, expected one")
        modes: tuple[Mode, ...] = ("strong", "weak") if strong and growing else ("weak",) if growing else ("strong",)
        options = Options(
            words=from_arguments(command, how.shell).words if command else (),
            ranks=_counts("--ranks", ranks),
            threads=_counts("--threads", threads),
            bind=bind,
            launcher=launcher,
            sizes=tuple((name, values[0]) for name, values in sizes),
            weak=growing,
            modes=modes,
            serial=serial,
            factors=factors,
            how=how,
        )
        console = messages()
        load_drawing()
        with Files(picture) as files:
            with bench_for(console) as bench:
                wanted = read_resume(resume, context, options.stored(), _PLACES)
                ended = Scaling(bench).scale(options, resume=wanted, beside=kept_with(picture=picture))
            (picture,) = kept_files(ended.beside, picture=picture)
            page = picture or settings.campaigns_folder / f"{ended.document.campaign}.html"
            files.attempt("--picture", page, lambda: write(ended.document, page))
            if as_json:
                print_document(ended.document)
            else:
                _print(ended.document, tables())
            files.require_written()
        say(console if as_json else tables(), f"page: {page}")
        end("scale", exit_code(ended.document), interrupted=ended.interrupted)
