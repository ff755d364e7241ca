"""Solve a travelling salesman problem: find a short tour within a time limit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.solvers.running.options import (
    RankThreadsOption,
    SeedOption,
    TimeOption,
    require_outputs,
    require_seed_and_threads,
    search_seconds,
    within,
)
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.output import JsonOption

NAME = "tsp"


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command(NAME, help=__doc__)
    def tsp(
        file: Annotated[
            Path, typer.Argument(metavar="FILE.tsp", help="TSPLIB 95 file of TYPE TSP or ATSP, may be gzipped.")
        ],
        time: TimeOption = None,
        iterations: Annotated[
            int | None,
            typer.Option("--iterations", help="Number of ants, instead of --time; gives the same tour on any machine."),
        ] = None,
        seed: SeedOption = 1,
        ranks: Annotated[
            int, typer.Option("--ranks", help="Number of MPI ranks; they exchange their best tours during the search.")
        ] = 1,
        threads: RankThreadsOption = None,
        initial_tour: Annotated[
            Path | None,
            typer.Option(
                "--initial-tour",
                "--initial-tour-file",
                metavar="FILE.tour",
                help="Start from this tour (TSPLIB, TYPE TOUR); the result is never longer.",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="FILE.tour", help="Write the tour to this file in TSPLIB format."),
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Plot the tour and its length over time to this file.",
            ),
        ] = None,
        live: Annotated[
            bool,
            typer.Option(
                "--live",
                help="Update the page of --plot during the search (uses a tenth of a core).",
            ),
        ] = False,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.routing import Progress as Standing
        from rooftop.solvers.routing.run import Terms, solve_tsp
        from rooftop.text.quantities import whole

        time_s = search_seconds(time, iterations)
        require_seed_and_threads(seed, threads)
        within("--ranks", ranks)
        if iterations is not None and iterations < ranks:
            raise Misuse(f"--iterations is {iterations}, expected at least {ranks}, one for each rank")
        require_outputs(out, plot, file)
        if live and (plot is None or plot.suffix.lower() != ".html"):
            raise Misuse(f"--live needs a page to update, but --plot is {plot or 'missing'}: expected --plot FILE.html")
        if live and ranks > 1:
            raise Misuse(f"--live works with one rank only, but --ranks is {ranks}: omit one of them")
        threads = max(1, cores_now() // ranks) if threads is None else threads
        terms = Terms(time_s, iterations or 0, seed, threads, ranks)
        with progress("reading") as tell:

            def watch(standing: Standing) -> None:
                tell(f"{whole(standing.length)} after {whole(standing.iterations)} ants")

            solved = solve_tsp(file, terms, watch, out, plot if live else None, initial_tour)
        document = solved.document
        if plot is not None:
            from rooftop.solvers.routing.picture import write

            write(solved.problem, solved.tour, seed, plot)
        line = (
            f"{document.name or file.name}: {document.cities} cities, length {document.length}, found in "
            f"{document.history[-1].seconds:.2f} s of {document.seconds:.2f} s with {document.iterations} ants, "
            f"seed {seed}"
        )
        finish(document, as_json, [line] if document.valid else [])
