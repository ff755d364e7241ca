"""Solve linear elasticity with finite elements: displacements and stresses of a body under a load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop.errors import Misuse
from rooftop.solvers.running.options import require_outputs, require_seed_and_threads, within
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.output import JsonOption

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rooftop.solvers.elasticity.run import Solved

PRECONDITIONERS = ("none", "bjacobi", "cheby", "multigrid")


def _write(solved: Solved, von_mises: NDArray[np.float64], out: Path) -> None:
    from rooftop.solvers.elasticity.files.vtu import write_pvtu, write_vtu

    problem, displacement = solved.problem, solved.solution.displacement
    if out.suffix.lower() == ".pvtu" and solved.division is not None:
        write_pvtu(problem, solved.division, displacement, von_mises, out)
    else:
        write_vtu(problem, displacement, von_mises, out)


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command("elasticity", help=__doc__)
    def elasticity(
        file: Annotated[
            Path,
            typer.Argument(
                metavar="MESH",
                help="Mesh (.vtu, .vtk, .msh), Abaqus or CalculiX deck (.inp), or mesh.inp.",
            ),
        ],
        clamp: Annotated[
            list[str] | None,
            typer.Option(
                "--clamp",
                metavar="FACE",
                help="Fix a face, such as x-min, or a named group of the mesh. Repeatable.",
            ),
        ] = None,
        symmetry: Annotated[
            list[str] | None,
            typer.Option(
                "--symmetry",
                metavar="FACE",
                help="Fix a face's displacement along its normal, as in a plane of symmetry. Repeatable.",
            ),
        ] = None,
        traction: Annotated[
            list[str] | None,
            typer.Option(
                "--traction", metavar="FACE=X,Y,Z", help="Force per area on a face or named group. Repeatable."
            ),
        ] = None,
        young: Annotated[
            str | None,
            typer.Option("--young", help="Young's modulus, or the name of cell data (default: the deck's, or 1)."),
        ] = None,
        poisson: Annotated[
            str | None,
            typer.Option(
                "--poisson",
                help="Poisson's ratio, or the name of cell data (default: the deck's, or 0.3).",
            ),
        ] = None,
        grade: Annotated[
            str | None,
            typer.Option(
                "--grade",
                metavar="1:R",
                help="Grade the box of a mesh.inp: length of its first edge to that of its last, such as 1:10.",
            ),
        ] = None,
        distort: Annotated[
            float,
            typer.Option(
                "--distort", help="Move the nodes of a mesh.inp's box at random, by up to this fraction of an edge."
            ),
        ] = 0.0,
        seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers of --distort.")] = 1,
        unstructured: Annotated[
            bool, typer.Option("--unstructured", help="Treat a box as an unstructured mesh.")
        ] = False,
        preconditioner: Annotated[
            str, typer.Option("--preconditioner", help=f"Preconditioner: {', '.join(PRECONDITIONERS)}.")
        ] = "multigrid",
        tolerance: Annotated[float, typer.Option("--tolerance", help="Relative residual at which to stop.")] = 1e-8,
        iterations: Annotated[
            int | None,
            typer.Option("--iterations", help="Maximum number of iterations (default: mesh.inp's, or 100000)."),
        ] = None,
        time: Annotated[
            str | None, typer.Option("--time", help="Time limit, including reading, such as 2m (default: none).")
        ] = None,
        threads: Annotated[
            int | None,
            typer.Option("--threads", help="Threads per rank (default: mesh.inp's, or usable cores)."),
        ] = None,
        ranks: Annotated[
            int | None,
            typer.Option("--ranks", help="Number of MPI ranks (default: one process without MPI)."),
        ] = None,
        overlap: Annotated[
            bool | None,
            typer.Option(
                "--overlap/--no-overlap",
                help="Overlap communication with computation (default: no overlap).",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option(
                "--out",
                metavar="FILE.vtu",
                help="Write displacements and stresses to this file; FILE.pvtu writes one piece per rank.",
            ),
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Plot the deformed body and the convergence to this file.",
            ),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.elasticity import Standing
        from rooftop.solvers.elasticity.document import line
        from rooftop.solvers.elasticity.request import Request, checked_tolerance, preconditioner_named
        from rooftop.solvers.elasticity.run import Terms, solve_elasticity
        from rooftop.text.durations import parse_budget
        from rooftop.text.quantities import whole

        require_seed_and_threads(seed, threads)
        if iterations is not None and iterations < 1:
            raise Misuse(f"--iterations is {iterations}, expected a whole number of 1 or more")
        if out is not None and out.suffix.lower() not in (".vtu", ".pvtu"):
            raise Misuse(f"--out is {out}, expected a name that ends in .vtu, or in .pvtu with --ranks")
        if ranks is None and out is not None and out.suffix.lower() == ".pvtu":
            raise Misuse(f"--out is {out}, which has one piece per rank; expected --ranks too, or a .vtu file")
        if ranks is not None:
            within("--ranks", ranks)
        if ranks is None and overlap is not None:
            raise Misuse("--overlap and --no-overlap apply to MPI ranks; expected --ranks too")
        require_outputs(out, plot, file)
        request = Request.read(
            file,
            clamp or [],
            symmetry or [],
            traction or [],
            young,
            poisson,
            grade,
            distort,
            seed,
            unstructured,
        )
        terms = Terms(
            preconditioner_named(preconditioner),
            checked_tolerance(tolerance),
            iterations,
            None if time is None else parse_budget(time, "--time"),
            threads,
            cores_now(),
            ranks,
            overlap is True,
        )
        with progress("reading") as tell:
            problem = request.problem()
            tell("setting up")

            def watch(standing: Standing) -> None:
                tell(f"residual {standing.residual:.1e} after {whole(standing.iterations)} iterations")

            solved = solve_elasticity(str(file), problem, terms, watch, shown=out is not None or plot is not None)
        if out is not None and solved.agrees and solved.von_mises is not None:
            _write(solved, solved.von_mises, out)
        if plot is not None and solved.agrees:
            from rooftop.solvers.elasticity.picture import write

            write(solved, plot)
        finish(solved.document, as_json, [line(solved.document)])
