"""Solve a problem and verify the displacement."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse
from rooftop.solvers import elasticity as solver
from rooftop.solvers.elasticity import Preconditioner, Solution, Standing
from rooftop.solvers.elasticity.box.residual import TrueResidual
from rooftop.solvers.elasticity.document import ElasticityDocument, ResidualPoint
from rooftop.solvers.elasticity.problem import Problem, require_memory_to_solve
from rooftop.solvers.elasticity.processes import division_of, threads_of
from rooftop.solvers.elasticity.solution import Division, Watcher
from rooftop.solvers.running.report import stoppable, verdict
from rooftop.solvers.running.stop import LEAST_S, Stop, elapsed_s, search_s
from rooftop.text.quantities import whole

CHECKED_ALL = 1_000_000  # elements: up to this size the residual is recomputed at all nodes
CHECKED_SAMPLE = 20_000  # nodes at which the residual of larger bodies is recomputed
CHECKED_QUICKLY = 2000  # nodes at which it is recomputed if no time is left
_CHECK_S = 5e-6  # approximate time per element to verify the result and compute stresses
_AGREEMENT = 0.01  # relative difference allowed between residuals: the solver adds in another order
_AS_ROUNDED = 10  # a residual below this multiple of the rounding error of the displacement can hardly be improved
_HISTORY_MAX = 1000


@dataclass(frozen=True)
class Terms:
    """Options of the solver and its limits.

    iterations  maximum number of iterations; None: the file's, or the solver's default
    time_s      time limit, from the start of this process; None: no limit
    threads     number of threads of each process; None: the file's, limited by `cores`
    cores       number of usable cores of this machine
    ranks       number of MPI ranks; None: one process without MPI
    overlap     whether ranks overlap communication with computation
    """

    preconditioner: Preconditioner
    tolerance: float
    iterations: int | None
    time_s: float | None
    threads: int | None
    cores: int
    ranks: int | None = None
    overlap: bool = False


@dataclass(frozen=True)
class Solved:
    """Result, with the problem, displacement and stress for plots and files.

    division   division of the body among ranks; None: one process
    von_mises  equivalent stress at the elements' centres; None if it was not requested and would take long
    agrees     whether the recomputed residual agrees with the one that the solver reported
    """

    document: ElasticityDocument
    problem: Problem
    solution: Solution
    division: Division
    von_mises: NDArray[np.float64] | None
    agrees: bool


def _verified(problem: Problem, displacement: NDArray[np.float64], *, quick: bool) -> TrueResidual:
    """Recompute the residual of the displacement, at a sample of nodes if they are many or time is short."""
    if problem.elements_count <= CHECKED_ALL and not quick:
        return problem.true_residual(displacement, None)
    return problem.true_residual(displacement, CHECKED_QUICKLY if quick else CHECKED_SAMPLE)


def _disagreement(problem: Problem, solution: Solution, found: TrueResidual) -> str | None:
    """Return, in words, how the displacement contradicts the residual that the solver reported; None if it agrees."""
    if not np.isfinite(solution.displacement).all():
        return "the displacement has values that are not finite"
    if broken := problem.broken(solution.displacement):
        return broken
    told = solution.residual
    if not np.isfinite(told):  # there was no time to begin
        return None
    room = _AGREEMENT * told + found.rounding
    all_nodes = found.nodes == problem.nodes_count
    if found.residual > told + room or (all_nodes and found.residual < told - room):
        there = "" if all_nodes else f" at {found.nodes} nodes"
        return f"the true residual{there} is {found.residual:.3g}, but the solver reports {told:.3g}"
    return None


def _attainable(residual: float) -> float:
    """Return a tolerance that can be reached: twice the residual, rounded up to 1, 2 or 5 times a power of ten."""
    ten = 10.0 ** math.floor(math.log10(2 * residual))
    return float(next(ten * digit for digit in (1, 2, 5, 10) if ten * digit >= 2 * residual))


def _remarks(solution: Solution) -> list[str]:
    """Return remarks on choices that the solver made by itself."""
    remarks = []
    if solution.stretched:
        remarks.append(
            "the body is thin or its elements are stretched: multigrid smooths columns of nodes together, in double "
            "precision"
        )
    if solution.replaced:
        remarks.append("the preconditioner failed because of rounding; bjacobi was used instead")
    return remarks


def _unconverged(solution: Solution, tolerance: float, stopped: bool) -> str | None:
    """Return why the displacement does not reach the tolerance; None if it does, or if the solver was stopped."""
    if stopped or (solution.outcome == "converged" and solution.residual <= tolerance):
        return None
    rounded = solution.rounding > 0 and solution.residual < _AS_ROUNDED * solution.rounding
    why = {
        "iteration limit": "the iteration limit: expected more --iterations, or another --preconditioner",
        "time limit": "the time limit: expected a longer --time",
        "stagnated": (
            f"rounding: expected a larger --tolerance, such as {_attainable(solution.residual):g}; rounding the "
            f"displacement to double precision alone causes a residual of {solution.rounding:.2g}"
            if rounded
            else "rounding: expected a larger --tolerance"
        ),
    }.get(solution.outcome, solution.outcome)
    if not np.isfinite(solution.residual):
        return (
            f"no time was left for the first iteration: set-up took {solution.setup_s:.3g} s; expected a longer --time"
        )
    return (
        f"not converged: the true residual is {solution.residual:.3g} after {solution.iterations} iterations, "
        f"above {tolerance:g}, because of {why}"
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _history(residuals: NDArray[np.float64]) -> list[ResidualPoint]:
    """Return the residuals, thinned evenly to at most `_HISTORY_MAX`, with the first and the last."""
    if not len(residuals):
        return []
    chosen = np.unique(np.linspace(0, len(residuals) - 1, min(len(residuals), _HISTORY_MAX)).astype(int))
    return [ResidualPoint(iteration=int(one), residual=float(residuals[one])) for one in chosen.tolist()]


def _error(problem: Problem, displacement: NDArray[np.float64]) -> float | None:
    if problem.exact is None:
        return None
    return _finite(np.abs(displacement - problem.exact).max() / np.abs(problem.exact).max())


def _part_nodes(division: Division, ranks: int | None) -> list[int] | None:
    """Return the number of nodes of a mesh on each rank; None for a box and for one process."""
    if ranks is None or division is None or isinstance(division, tuple):
        return None
    return [int(count) for count in np.bincount(division, minlength=ranks)]


def _found(
    problem: Problem,
    terms: Terms,
    division: Division,
    threads: int,
    seconds: float | None,
    watch: Watcher,
    stop: Stop,
) -> tuple[Solution, Division]:
    """Solve in this process or on ranks. Return the solution, and the division among ranks if there are any."""
    iterations = terms.iterations or problem.iterations or solver.ITERATIONS
    if terms.ranks is None:
        solution = problem.solved(
            preconditioner=terms.preconditioner,
            tolerance=terms.tolerance,
            seconds=seconds,
            threads=threads,
            watch=watch,
            stop=stop,
            iterations=iterations,
        )
        return solution, None
    if problem.not_shared:
        raise Misuse(f"--ranks is {terms.ranks}, which is not supported: {problem.not_shared}; expected no --ranks")
    from rooftop.solvers.elasticity.ranks import ByRanks, solved_by_ranks  # loading takes time

    how = ByRanks(
        terms.ranks, division, threads, terms.overlap, terms.preconditioner, terms.tolerance, iterations, seconds
    )
    return solved_by_ranks(problem, how, watch, stop)


def solve_elasticity(
    file: str, problem: Problem, terms: Terms, watch: Callable[[Standing], None], *, shown: bool
) -> Solved:
    """Solve and recompute the true residual. SIGINT and SIGTERM end the iteration; its last displacement is returned.

    shown  whether the stress is needed for a plot or a file

    Raises Misuse if the solver rejects the body, for example because it is free to move, or if memory is insufficient.
    """
    require_memory_to_solve(file, problem, terms.preconditioner, available_bytes(), terms.ranks)
    threads, remarks = threads_of(problem, terms.threads, terms.cores, terms.ranks)
    division: Division = None
    if terms.ranks is not None:
        division, more = division_of(file, problem, terms.ranks)
        remarks += more
    check_s = _CHECK_S * min(problem.elements_count, CHECKED_ALL)
    limit_s = until_s = None
    if terms.time_s is not None:
        left_s = search_s(terms.time_s, elapsed_s(), terms.ranks or 1)
        until_s = time.monotonic() + left_s
        limit_s = max(LEAST_S, left_s - min(left_s / 2, check_s))
    with stoppable(watch) as (stop, told):
        try:
            solution, division = _found(problem, terms, division, threads, limit_s, told, stop)
        except solver.ElasticityArgumentError as error:
            raise Misuse(f"{file}: {error}{problem.hint if 'free to move' in str(error) else ''}") from error
        except MemoryError as error:
            raise Misuse(f"{file}: not enough memory for {whole(problem.nodes_count)} nodes; expected fewer") from error
        no_time = stop.requested or (until_s is not None and time.monotonic() + check_s > until_s)
        found = _verified(problem, solution.displacement, quick=no_time)
        wanted = shown or (problem.elements_count <= CHECKED_ALL and not no_time)
        stress = problem.von_mises(solution.displacement) if wanted else None
    disagreement = _disagreement(problem, solution, found)
    reason = disagreement or _unconverged(solution, terms.tolerance, stop.requested)
    document = ElasticityDocument(
        schema="rooftop/solve-elasticity/1",
        file=file,
        name=problem.name,
        remarks=[*problem.remarks, *remarks, *_remarks(solution)],
        body="mesh" if problem.grid is None else "box",
        size=problem.size,
        nodes=problem.grid,
        nodes_in_all=problem.nodes_count,
        elements=problem.elements_count,
        unknowns=problem.unknowns,
        preconditioner=terms.preconditioner,
        tolerance=terms.tolerance,
        ranks=terms.ranks,
        parts=division if isinstance(division, tuple) else None,
        part_nodes=_part_nodes(division, terms.ranks),
        threads=threads,
        **verdict(reason),
        ended=solution.outcome,
        iterations=solution.iterations,
        residual=_finite(solution.residual),
        checked_residual=_finite(found.residual),
        checked_nodes=found.nodes,
        setup_s=solution.setup_s,
        seconds=solution.seconds,
        memory_bytes=solution.bytes,
        largest_displacement=_finite(np.sqrt(np.square(problem.by_node(solution.displacement)).sum(axis=-1).max())),
        largest_von_mises=None if stress is None else _finite(stress.max()),
        error=_error(problem, solution.displacement),
        interrupted=stop.requested,
        history=_history(solution.residuals),
    )
    return Solved(document, problem, solution, division, stress, disagreement is None)
