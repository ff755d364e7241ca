"""Run the convolutions of a layer list: algorithm, time, direct-equivalent rate, scratch memory and error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from rooftop import errors
from rooftop.cli.output import JsonOption, messages, print_document, tables
from rooftop.errors import Misuse

THREADS_MAX = 4096
REPEAT_MAX = 100_000


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise Misuse(f"{option} is '{value}', expected one of {', '.join(choices)}")
    return value


def _within(option: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise Misuse(f"{option} is {value}, expected a whole number from {least} to {most}")
    return value


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command("conv", help=__doc__)
    def conv(
        file: Annotated[
            Path,
            typer.Argument(metavar="FILE.conf", help="File with the number of layers, then C H W K N on each line."),
        ],
        padding: Annotated[
            int, typer.Option("--padding", help="Zero padding around the image: 0, as in the contest, or 1.")
        ] = 0,
        accuracy: Annotated[
            str, typer.Option("--accuracy", help="strict: direct or F(2), balanced: up to F(4), relaxed: up to F(6).")
        ] = "balanced",
        layout: Annotated[
            str, typer.Option("--layout", help="nchw, or blocked: image and output in blocks of 16 channels.")
        ] = "nchw",
        filter_terms: Annotated[
            str | None,
            typer.Option(
                "--filter", help="timed: the filter's transform is timed. prepared: it is not. Default: both."
            ),
        ] = None,
        threads: Annotated[
            int | None, typer.Option("--threads", help="Number of threads. Default: one per usable core.")
        ] = None,
        check: Annotated[
            bool, typer.Option("--check/--no-check", help="Check sampled outputs against double precision.")
        ] = True,
        repeat: Annotated[int, typer.Option("--repeat", help="Samples per layer. 6 give a 95 % interval.")] = 10,
        as_json: JsonOption = False,
    ) -> None:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        from rooftop.machine.identity import cores_now
        from rooftop.solvers.conv import Accuracy, Layout
        from rooftop.solvers.conv.layer_list_run import solve_layer_list
        from rooftop.solvers.conv.layer_run import FilterTerms, Terms
        from rooftop.solvers.conv.table import layer_table, total_lines

        both: tuple[FilterTerms, ...] = get_args(FilterTerms)
        if filter_terms is not None:
            _one_of("--filter", filter_terms, both)
        terms = Terms(
            padding=_within("--padding", padding, 0, 1),
            accuracy=_one_of("--accuracy", accuracy, get_args(Accuracy)),  # type: ignore[arg-type]
            layout=_one_of("--layout", layout, get_args(Layout)),  # type: ignore[arg-type]
            filters=tuple(name for name in both if filter_terms in (None, name)),
            threads=cores_now() if threads is None else _within("--threads", threads, 1, THREADS_MAX),
            check=check,
            repeat=_within("--repeat", repeat, 1, REPEAT_MAX),
        )
        # Where nobody watches, a bar would be a line of its own among the messages.
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=messages(), transient=True, disable=not messages().is_terminal) as bar:
            task = bar.add_task("reading the list", total=None)

            def watch(done: int, count: int, doing: str) -> None:
                bar.update(task, completed=done, total=count, description=doing)

            document = solve_layer_list(file, terms, watch)
        if as_json:
            print_document(document)
        else:
            console = tables()
            console.print(layer_table(document))
            for line in total_lines(document):
                console.print(line, highlight=False, markup=False, soft_wrap=True)
        for layer in document.layers:
            if layer.outcome == "wrong":
                messages().print(f"line {layer.line}: wrong: {layer.reason}", markup=False, soft_wrap=True)
        if any(layer.outcome == "wrong" for layer in document.layers):
            raise typer.Exit(errors.WRONG)
        if document.interrupted:
            raise typer.Exit(errors.INTERRUPTED)
