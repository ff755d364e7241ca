"""Run the 3x3 convolutions of a layer list and report the time, rate, memory and error of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from rooftop.solvers.running.options import ThreadsOption, one_of, within
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.output import JsonOption

REPEAT_MAX = 100_000


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command("conv", help=__doc__)
    def conv(
        file: Annotated[
            Path,
            typer.Argument(
                metavar="FILE.conf", help="Layer list: the number of layers, then one line C H W K N for each."
            ),
        ],
        padding: Annotated[int, typer.Option("--padding", help="Zero padding on each side of the image: 0 or 1.")] = 0,
        accuracy: Annotated[
            str,
            typer.Option(
                "--accuracy",
                help="Algorithms allowed: strict (direct, F(2)), balanced (up to F(4)) or relaxed (up to F(6)).",
            ),
        ] = "balanced",
        layout: Annotated[
            str, typer.Option("--layout", help="Memory layout: nchw, or blocked (blocks of 16 channels).")
        ] = "nchw",
        filter_terms: Annotated[
            str | None,
            typer.Option(
                "--filter", help="Time with (timed) or without (prepared) the filter transform (default: both)."
            ),
        ] = None,
        threads: ThreadsOption = None,
        check: Annotated[
            bool, typer.Option("--check/--no-check", help="Check sampled outputs against double precision.")
        ] = True,
        repeat: Annotated[
            int, typer.Option("--repeat", help="Samples per layer; 6 or more give a 95 % interval.")
        ] = 10,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.conv import Accuracy, Layout
        from rooftop.solvers.conv.run import FilterTerms, Terms, solve_layer_list
        from rooftop.solvers.conv.table import layer_table, total_lines

        both: tuple[FilterTerms, ...] = get_args(FilterTerms)
        if filter_terms is not None:
            one_of("--filter", filter_terms, both)
        terms = Terms(
            padding=within("--padding", padding, 0, 1),
            accuracy=one_of("--accuracy", accuracy, get_args(Accuracy)),  # type: ignore[arg-type]
            layout=one_of("--layout", layout, get_args(Layout)),  # type: ignore[arg-type]
            filters=tuple(name for name in both if filter_terms in (None, name)),
            threads=cores_now() if threads is None else within("--threads", threads),
            check=check,
            repeat=within("--repeat", repeat, most=REPEAT_MAX),
        )
        with progress("reading the list") as tell:
            document = solve_layer_list(file, terms, lambda done, count, doing: tell(f"{doing}, {done + 1} of {count}"))
        wrong = [f"line {layer.line}: {layer.reason}" for layer in document.layers if layer.outcome == "wrong"]
        finish(document, as_json, [layer_table(document), *total_lines(document)], wrong=wrong)
