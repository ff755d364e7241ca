"""Run the 3x3 convolutions of a layer list and report the time, rate, memory and error of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from rooftop import errors
from rooftop.solvers.running.options import ThreadsOption, one_of, within
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.measuring import finish
from rooftop.terminal.output import JsonOption, messages, say, say_findings
from rooftop.terminal.resume import ResumeCommand, ResumeOption, read_resume

if TYPE_CHECKING:
    from rich.console import Console

    from rooftop.solvers.conv.document import SolveDocument

REPEAT_MAX = 100_000


def _show(document: SolveDocument, console: Console) -> None:
    from rooftop.solvers.conv.table import layer_table, total_lines

    console.print(layer_table(document))
    for line in total_lines(document):
        say(console, line)
    say_findings(console, "doubt: ", document.doubts)


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command("conv", cls=ResumeCommand, help=__doc__)
    def conv(
        context: typer.Context,
        file: Annotated[
            Path | None,
            typer.Argument(
                metavar="FILE.conf", help="Layer list: the number of layers, then one line C H W K N for each."
            ),
        ] = None,
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
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.campaign.run import run_campaign
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.conv import Accuracy, Layout
        from rooftop.solvers.conv.request import FilterTerms, Request
        from rooftop.solvers.conv.run import KIND

        both: tuple[FilterTerms, ...] = get_args(FilterTerms)
        if filter_terms is not None:
            one_of("--filter", filter_terms, both)
        request = Request(
            file=file,
            padding=within("--padding", padding, 0, 1),
            accuracy=one_of("--accuracy", accuracy, get_args(Accuracy)),  # type: ignore[arg-type]
            layout=one_of("--layout", layout, get_args(Layout)),  # type: ignore[arg-type]
            filters=tuple(name for name in both if filter_terms in (None, name)),
            threads=cores_now() if threads is None else within("--threads", threads),
            check=check,
            repeat=within("--repeat", repeat, most=REPEAT_MAX),
        )
        if file is not None:
            request = replace(request, file=file.absolute())
        places = {name: name for name in ("file", "padding", "accuracy", "layout", "threads", "check", "repeat")}
        wanted = read_resume(resume, context, request.stored(), places | {"filter_terms": "filters"})
        with bench_for(messages()) as bench:
            ended = run_campaign(bench, KIND, request, resume=wanted)
        wrong = [f"line {layer.line}: {layer.reason}" for layer in ended.document.layers if layer.outcome == "wrong"]
        for reason in wrong:
            say(messages(), f"wrong: {reason}")
        finish(KIND.name, ended, errors.WRONG if wrong else errors.FINE, _show, as_json=as_json)
