"""Solve linear elasticity on hexahedra and tetrahedra: displacements and stresses under a load."""

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
                help="A mesh.inp, an input deck of Abaqus or CalculiX (.inp), or a mesh in a .vtu, .vtk or .msh file.",
            ),
        ],
        clamp: Annotated[
            list[str] | None,
            typer.Option(
                "--clamp",
                metavar="FACE",
                help="Hold a face of a mesh file, such as x-min, or a group of it. Repeatable.",
            ),
        ] = None,
        symmetry: Annotated[
            list[str] | None,
            typer.Option("--symmetry", metavar="FACE", help="Let a face of a mesh file slide in its plane only."),
        ] = None,
        traction: Annotated[
            list[str] | None,
            typer.Option(
                "--traction", metavar="FACE=X,Y,Z", help="Force per area on a face or group of a mesh file. Repeatable."
            ),
        ] = None,
        young: Annotated[
            str | None,
            typer.Option(
                "--young", help="Young's modulus, or the name of a mesh file's cell data. Default: the deck's, or 1."
            ),
        ] = None,
        poisson: Annotated[
            str | None,
            typer.Option(
                "--poisson",
                help="Poisson's ratio, or the name of a mesh file's cell data. Default: the deck's, or 0.3.",
            ),
        ] = None,
        grade: Annotated[
            str | None,
            typer.Option("--grade", metavar="1:R", help="Last edge of a mesh.inp's box over its first, such as 1:10."),
        ] = None,
        distort: Annotated[
            float, typer.Option("--distort", help="Move the nodes of a mesh.inp's box by this share of an edge.")
        ] = 0.0,
        seed: Annotated[int, typer.Option("--seed", help="Seed of --distort.")] = 1,
        unstructured: Annotated[
            bool, typer.Option("--unstructured", help="Solve a box like any mesh, by smoothed aggregation.")
        ] = False,
        preconditioner: Annotated[
            str, typer.Option("--preconditioner", help=f"One of {', '.join(PRECONDITIONERS)}.")
        ] = "multigrid",
        tolerance: Annotated[
            float, typer.Option("--tolerance", help="Of the norm of the residual, relative to the load's.")
        ] = 1e-8,
        iterations: Annotated[
            int | None, typer.Option("--iterations", help="Maximum number. Default: mesh.inp's, or 100000.")
        ] = None,
        time: Annotated[
            str | None, typer.Option("--time", help="Time limit, reading included, such as 2m. Default: none.")
        ] = None,
        threads: Annotated[
            int | None,
            typer.Option(
                "--threads", help="Number of threads, of each rank. Default: mesh.inp's, or one per usable core."
            ),
        ] = None,
        ranks: Annotated[
            int | None,
            typer.Option("--ranks", help="Number of MPI ranks that share the body. Default: one process without MPI."),
        ] = None,
        overlap: Annotated[
            bool | None,
            typer.Option(
                "--overlap/--no-overlap",
                help="Compute while messages of ranks are under way, or wait for them first (default).",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option(
                "--out",
                metavar="FILE.vtu",
                help="Write displacements and stresses to this file; to FILE.pvtu, a piece for each rank.",
            ),
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option(
                "--plot",
                metavar="FILE.svg|png|html",
                help="Draw the deformed body and the convergence to this file (.html, .svg or .png).",
            ),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.elasticity import Standing
        from rooftop.solvers.elasticity.document import line
        from rooftop.solvers.elasticity.request import Asked, checked_tolerance, preconditioner_named
        from rooftop.solvers.elasticity.run import Terms, solve_elasticity
        from rooftop.text.durations import parse_budget
        from rooftop.text.quantities import whole

        require_seed_and_threads(seed, threads)
        if iterations is not None and iterations < 1:
            raise Misuse(f"--iterations is {iterations}, expected a whole number from 1 on")
        if out is not None and out.suffix.lower() not in (".vtu", ".pvtu"):
            raise Misuse(f"--out is {out}, expected a name that ends in .vtu, or in .pvtu with --ranks")
        if ranks is None and out is not None and out.suffix.lower() == ".pvtu":
            raise Misuse(f"--out is {out}, which has a piece for each rank: expected --ranks with it, or a .vtu")
        if ranks is not None:
            within("--ranks", ranks)
        if ranks is None and overlap is not None:
            raise Misuse("--overlap and --no-overlap are for ranks: expected --ranks with them")
        require_outputs(out, plot, file)
        asked = Asked.read(
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
            problem = asked.problem()
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
