"""Plan a transport network: find the Pareto front of cost, time and CO2e."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.solvers.running.options import (
    SeedOption,
    ThreadsOption,
    TimeOption,
    require_outputs,
    require_seed_and_threads,
    search_seconds,
    within,
)
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.output import JsonOption

PLANS_MAX = 10_000


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
        time: TimeOption = None,
        iterations: Annotated[
            int | None,
            typer.Option(
                "--iterations", help="Number of ants, instead of --time; gives the same front on any machine."
            ),
        ] = None,
        weights: Annotated[
            str | None,
            typer.Option(
                "--weights", help="Weights that choose a plan from the front, such as cost=0.5,time=0.2,co2e=0.3."
            ),
        ] = None,
        reference: Annotated[
            str | None,
            typer.Option("--reference", help="Reference point of the hypervolume, such as cost=1e6,time=2e5,co2e=9e4."),
        ] = None,
        plans: Annotated[int, typer.Option("--plans", help="Maximum number of plans on the front.")] = 100,
        seed: SeedOption = 1,
        threads: ThreadsOption = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE.csv", help="Write the chosen plan to this CSV file.")
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Plot the front and the chosen plan's flows to this file.",
            ),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.network import Standing
        from rooftop.solvers.network.front import parse_reference, parse_weights
        from rooftop.solvers.network.plan_file import write_plan
        from rooftop.solvers.network.run import Terms, solve_network
        from rooftop.solvers.network.tables import OPTIONAL, REQUIRED
        from rooftop.text.quantities import whole

        time_s = search_seconds(time, iterations)
        require_seed_and_threads(seed, threads)
        within("--plans", plans, most=PLANS_MAX)
        read = [file for path in files for file in (sorted(path.glob("*.csv")) if path.is_dir() else [path])]
        read = [file for file in read if file.stem.lower() in (*REQUIRED, *OPTIONAL)]
        require_outputs(out, plot, *read)
        terms = Terms(
            time_s=time_s,
            iterations=iterations or 0,
            seed=seed,
            threads=cores_now() if threads is None else threads,
            plans=plans,
            weights=None if weights is None else parse_weights(weights),
            reference=None if reference is None else parse_reference(reference),
        )
        with progress("reading") as tell:

            def watch(standing: Standing) -> None:
                found = f"{len(standing.points)} plans"
                if standing.overload_kg:
                    found = f"{standing.overload_kg / 1000:g} t beyond capacities"
                tell(f"{found} after {whole(standing.iterations)} ants")

            solved = solve_network(files, terms, watch)
        document = solved.document
        if out is not None and solved.plan is not None and solved.bill is not None:
            write_plan(solved.network, solved.plan, solved.bill, out)
        if plot is not None and document.valid:
            from rooftop.solvers.network.picture import write

            write(solved, plot)
        lines = []
        if document.chosen is not None:
            best = document.chosen.figures
            lines = [
                f"{document.name}: {len(document.front)} plans with {document.iterations} ants in "
                f"{document.seconds:.2f} s, seed {seed}; chosen: cost {best.cost:.6g}, {best.time:.6g} tonne-hours, "
                f"{best.co2e:.6g} kg CO2e"
            ]
        finish(document, as_json, lines)
