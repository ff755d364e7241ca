"""Find a short tour through all cities within a time limit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop import errors
from rooftop.cli.output import JsonOption, check_writable, messages, print_document, tables
from rooftop.errors import Misuse
from rooftop.solvers.running.search_options import read_time, require_seed_and_threads

NAME = "tsp"

RANKS_MAX = 4096
PICTURES = (".svg", ".png", ".html")


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command(NAME, help=__doc__)
    def tsp(
        file: Annotated[
            Path, typer.Argument(metavar="FILE.tsp", help="A TSPLIB 95 file of TYPE TSP or ATSP. May be gzipped.")
        ],
        time: Annotated[
            str | None, typer.Option("--time", help="Time limit, reading included, such as 2m. Default: 10s.")
        ] = None,
        iterations: Annotated[
            int | None,
            typer.Option("--iterations", help="Number of ants instead of a time limit: the same tour on any machine."),
        ] = None,
        seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
        ranks: Annotated[
            int, typer.Option("--ranks", help="Number of MPI ranks. They exchange their best tours during the search.")
        ] = 1,
        threads: Annotated[
            int | None,
            typer.Option("--threads", help="Threads of each rank. Default: the usable cores divided by the ranks."),
        ] = None,
        initial_tour: Annotated[
            Path | None,
            typer.Option(
                "--initial-tour",
                "--initial-tour-file",
                metavar="FILE.tour",
                help="Begin with this tour, a TSPLIB file of TYPE TOUR. The result is never longer.",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="FILE.tour", help="Write the tour to this file, in TSPLIB's format."),
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Draw the tour and how it was found to this file (.html, .svg or .png).",
            ),
        ] = None,
        live: Annotated[
            bool,
            typer.Option(
                "--live",
                help="Also redraw the page of --plot during the search. Uses a tenth of a core.",
            ),
        ] = False,
        as_json: JsonOption = False,
    ) -> None:
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        from rooftop.machine.identity import cores_now
        from rooftop.report.quantities import whole
        from rooftop.solvers.routing import Progress as Standing
        from rooftop.solvers.routing.run import Terms, solve_tsp

        time_s = read_time(time, iterations)
        require_seed_and_threads(seed, threads)
        if not 1 <= ranks <= RANKS_MAX:
            raise Misuse(f"--ranks is {ranks}, expected a whole number from 1 to {RANKS_MAX}")
        if iterations is not None and iterations < ranks:
            raise Misuse(f"--iterations is {iterations}, expected at least one for each of {ranks} ranks")
        if plot is not None and plot.suffix.lower() not in PICTURES:
            raise Misuse(f"--plot is {plot}, expected a name that ends in {', '.join(PICTURES)}")
        if live and (plot is None or plot.suffix.lower() != ".html"):
            raise Misuse(
                f"--live draws a page on the way, and --plot is {plot or 'missing'}: expected --plot FILE.html"
            )
        if live and ranks > 1:
            raise Misuse(f"--live is for one rank, and --ranks is {ranks}: leave out one of them")
        check_writable("--out", out, file)
        check_writable("--plot", plot, file)
        threads = max(1, cores_now() // ranks) if threads is None else threads
        terms = Terms(time_s, iterations or 0, seed, threads, ranks)
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=messages(), transient=True, disable=not messages().is_terminal) as bar:
            task = bar.add_task("reading")

            def watch(standing: Standing) -> None:
                bar.update(task, description=f"{whole(standing.length)} after {whole(standing.iterations)} ants")

            solved = solve_tsp(file, terms, watch, out, plot if live else None, initial_tour)
        document = solved.document
        for remark in document.remarks:
            messages().print(f"remark: {remark}", markup=False, highlight=False, soft_wrap=True)
        if plot is not None:
            from rooftop.solvers.routing.picture import write

            write(solved.problem, solved.tour, seed, plot)
        if as_json:
            print_document(document)
        elif document.valid:
            name = document.name or file.name
            console = tables()
            line = (
                f"{name}: {document.cities} cities, length {document.length}, found in "
                f"{document.history[-1].seconds:.2f} s of {document.seconds:.2f} s with {document.iterations} ants, "
                f"seed {seed}"
            )
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        if not document.valid:
            messages().print(f"wrong: {document.reason}", markup=False, soft_wrap=True)
            raise typer.Exit(errors.WRONG)
        if document.interrupted:
            raise typer.Exit(errors.INTERRUPTED)
