"""Optimize the layout of HDF5 files: advise on chunks and filters, and rewrite files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop.errors import FINE, Misuse
from rooftop.solvers.h5io.repack import command as repack
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import finish
from rooftop.terminal.output import JsonOption, messages, say, say_findings
from rooftop.terminal.resume import ResumeCommand, ResumeOption, read_resume

if TYPE_CHECKING:
    from rich.console import Console

    from rooftop.solvers.h5io.advice.document import AdviceDocument

NAME = "h5"
GROUP = YOUR_PROGRAMS


def _show(document: AdviceDocument, console: Console) -> None:
    from rooftop.solvers.h5io.advice.lines import conclusion, rewriting, table
    from rooftop.solvers.h5io.advice.reading_lines import rank_table, reading_lines

    console.print(table(document))
    say(console, conclusion(document))
    if (ranks := rank_table(document)) is not None:
        console.print(ranks)
    for line in reading_lines(document):
        say(console, line)
    if (command := rewriting(document)) is not None:
        say(console, f"rewrite it: {command}")
    say_findings(console, "doubt: ", document.doubts)


def register(app: typer.Typer) -> None:
    """Add the command to ``rooftop``."""
    h5 = typer.Typer(name=NAME, help=__doc__, no_args_is_help=True)
    app.add_typer(h5, rich_help_panel=GROUP)

    @h5.callback()
    def group() -> None:
        pass

    @h5.command(
        "advise",
        cls=ResumeCommand,
        help="Measure what other chunks and filters would gain for one way of reading a dataset.",
    )
    def advise_command(
        context: typer.Context,
        file: Annotated[Path | None, typer.Argument(metavar="FILE.h5", help="HDF5 file, opened read-only.")] = None,
        dataset: Annotated[
            str | None, typer.Option("--dataset", metavar="/PATH", help="Dataset (default: the file's only one).")
        ] = None,
        access: Annotated[
            str,
            typer.Option(
                "--access",
                help="Access pattern: all, rows (first dimension), columns (last dimension), strided:N or random:N.",
            ),
        ] = "all",
        threads: Annotated[
            int | None, typer.Option("--threads", min=1, help="Number of reader threads (default: usable cores).")
        ] = None,
        ranks: Annotated[
            str,
            typer.Option(
                "--ranks", help="Numbers of processes to compare, such as 1,2,4; they share the reads and the threads."
            ),
        ] = "1",
        cold: Annotated[bool, typer.Option("--cold", help="Drop files from the page cache before each read.")] = False,
        sample: Annotated[
            str, typer.Option("--sample", help="Maximum amount of data to copy into each trial file.")
        ] = "256MiB",
        budget: Annotated[
            str | None,
            typer.Option(
                "--budget",
                help="Time for the comparisons (default: 20s). Each has 6 pairs of reads even if they take longer.",
            ),
        ] = None,
        scratch: Annotated[
            Path | None, typer.Option("--scratch", help="Folder for trial files (default: the file's folder).")
        ] = None,
        seed: Annotated[
            int, typer.Option("--seed", min=0, help="Seed of the order, and of the random positions of random:N.")
        ] = 1,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.campaign.run import run_campaign
        from rooftop.command.reported_values import read_bytes
        from rooftop.machine.identity import cores_now
        from rooftop.parameters.space import counts
        from rooftop.parameters.values import read_values
        from rooftop.solvers.h5io.advice.access import access_named
        from rooftop.solvers.h5io.advice.request import Request
        from rooftop.solvers.h5io.advice.run import KIND
        from rooftop.text.durations import parse_budget

        request = Request(
            file=None if file is None else file.absolute(),
            dataset=dataset,
            access=str(access_named(access)),
            threads=threads or cores_now(),
            cold=cold,
            sample_bytes=read_bytes("--sample", sample),
            budget_s=None if budget is None else parse_budget(budget, "--budget"),
            scratch=None if scratch is None else scratch.absolute(),
            seed=seed,
            ranks=counts("--ranks", read_values("--ranks", ranks)),
        )
        if scratch is not None and not scratch.is_dir():
            raise Misuse(f"--scratch is {scratch}, expected a folder")
        places = {name: name for name in ("file", "dataset", "access", "threads", "ranks", "cold", "scratch", "seed")}
        wanted = read_resume(resume, context, request.stored(), places | {"sample": "sample_bytes"})
        with bench_for(messages(), request.budget_s) as bench:
            ended = run_campaign(bench, KIND, request, resume=wanted)
        for remark in ended.document.remarks:
            say(messages(), f"remark: {remark}")
        finish(KIND.name, ended, FINE, _show, as_json=as_json)

    repack.add_to(h5)
