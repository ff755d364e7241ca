"""Find the plans that no other plan beats in cost, time and CO2e at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop import errors
from rooftop.cli.output import JsonOption, check_writable, messages, print_document, tables
from rooftop.errors import Misuse
from rooftop.solvers.running.search_options import read_time, require_seed_and_threads

PLANS_MAX = 10_000
PICTURES = (".svg", ".png", ".html")


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command("network", help=__doc__)
    def network(
        files: Annotated[
            list[Path],
            typer.Argument(
                metavar="FILE…", help="A folder with node.csv, link.csv (GMNS) and demand.csv, or these files."
            ),
        ],
        time: Annotated[
            str | None, typer.Option("--time", help="Time limit, reading included, such as 2m. Default: 10s.")
        ] = None,
        iterations: Annotated[
            int | None,
            typer.Option("--iterations", help="Number of ants instead of a time limit: the same front on any machine."),
        ] = None,
        weights: Annotated[
            str | None,
            typer.Option("--weights", help="Weights to choose a plan by, such as cost=0.5,time=0.2,co2e=0.3."),
        ] = None,
        reference: Annotated[
            str | None,
            typer.Option("--reference", help="Reference point of the hypervolume, such as cost=1e6,time=2e5,co2e=9e4."),
        ] = None,
        plans: Annotated[int, typer.Option("--plans", help="Maximum number of plans on the front.")] = 100,
        seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 1,
        threads: Annotated[
            int | None, typer.Option("--threads", help="Number of threads. Default: one per usable core.")
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE.csv", help="Write the chosen plan to this file.")
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Draw the front and the plan's flows to this file (.html, .svg or .png).",
            ),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        from rooftop.machine.identity import cores_now
        from rooftop.report.quantities import whole
        from rooftop.solvers.network import Standing
        from rooftop.solvers.network.front import parse_reference, parse_weights
        from rooftop.solvers.network.plan_file import write_plan
        from rooftop.solvers.network.run import Terms, solve_network
        from rooftop.solvers.network.tables import OPTIONAL, REQUIRED

        time_s = read_time(time, iterations)
        require_seed_and_threads(seed, threads)
        if not 1 <= plans <= PLANS_MAX:
            raise Misuse(f"--plans is {plans}, expected a whole number from 1 to {PLANS_MAX}")
        if plot is not None and plot.suffix.lower() not in PICTURES:
            raise Misuse(f"--plot is {plot}, expected a name that ends in {', '.join(PICTURES)}")
        read = [file for path in files for file in (sorted(path.glob("*.csv")) if path.is_dir() else [path])]
        read = [file for file in read if file.stem.lower() in (*REQUIRED, *OPTIONAL)]
        check_writable("--out", out, *read)
        check_writable("--plot", plot, *read)
        terms = Terms(
            time_s=time_s,
            iterations=iterations or 0,
            seed=seed,
            threads=cores_now() if threads is None else threads,
            plans=plans,
            weights=None if weights is None else parse_weights(weights),
            reference=None if reference is None else parse_reference(reference),
        )
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=messages(), transient=True, disable=not messages().is_terminal) as bar:
            task = bar.add_task("reading")

            def watch(standing: Standing) -> None:
                ants = whole(standing.iterations)
                found = f"{len(standing.points)} plans"
                if standing.overload_kg:
                    found = f"{standing.overload_kg / 1000:g} t beyond capacities"
                bar.update(task, description=f"{found} after {ants} ants")

            solved = solve_network(files, terms, watch)
        document = solved.document
        for remark in document.remarks:
            messages().print(f"remark: {remark}", markup=False, highlight=False, soft_wrap=True)
        if out is not None and solved.plan is not None and solved.bill is not None:
            write_plan(solved.network, solved.plan, solved.bill, out)
        if plot is not None and document.valid:
            from rooftop.solvers.network.picture import write

            write(solved, plot)
        if as_json:
            print_document(document)
        elif document.chosen is not None:
            best = document.chosen.figures
            figures = f"cost {best.cost:.6g}, {best.time:.6g} tonne-hours, {best.co2e:.6g} kg CO2e"
            line = (
                f"{document.name}: {len(document.front)} plans with {document.iterations} ants in "
                f"{document.seconds:.2f} s, seed {seed}; chosen: {figures}"
            )
            tables().print(line, highlight=False, markup=False, soft_wrap=True)
        if not document.valid:
            messages().print(f"wrong: {document.reason}", markup=False, soft_wrap=True)
            raise typer.Exit(errors.WRONG)
        if document.interrupted:
            raise typer.Exit(errors.INTERRUPTED)
