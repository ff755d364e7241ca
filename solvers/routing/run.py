"""Search for a short tour through the cities of a file, and verify it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.routing import Problem, Progress, RoutingArgumentError, Tour
from rooftop.solvers.routing.document import TourPoint, TspDocument
from rooftop.solvers.routing.rounded_distances import rounding_remark
from rooftop.solvers.routing.tsplib_file import unpacked
from rooftop.solvers.running.report import stoppable, verdict
from rooftop.solvers.running.stop import elapsed_s, search_s


@dataclass(frozen=True)
class Terms:
    """Options of a search; `time_s` counts from the start of the process.

    threads  of each rank
    """

    time_s: float
    iterations: int
    seed: int
    threads: int
    ranks: int = 1


@dataclass(frozen=True)
class Solved:
    """Result of a search, with the problem and the tour for plots."""

    document: TspDocument
    problem: Problem
    tour: Tour


# Distance that corresponds to a difference of 1 in coordinates, before rounding.
_UNITS = {"EUC_2D": 1.0, "CEIL_2D": 1.0, "MAN_2D": 1.0, "MAX_2D": 1.0, "ATT": 10**-0.5}


def _remarks(file: Path, problem: Problem) -> list[str]:
    places, unit = problem.coordinates, _UNITS.get(problem.metric)
    remark = rounding_remark(places, unit) if places is not None and unit is not None else None
    return [*problem.remarks, *([f"{file}: {problem.metric}: {remark}"] if remark is not None else [])]


def _first_tour(problem: Problem, file: Path) -> tuple[NDArray[np.int32], int]:
    order = problem.read_tour(file)
    try:
        return order, problem.length(order)
    except RoutingArgumentError as error:
        raise RoutingArgumentError(f"{file}: {error}") from None


def _fault(problem: Problem, tour: Tour, longest: int | None) -> str | None:
    """Return what is wrong with a tour, or None."""
    try:
        length = problem.length(tour.order)
    except RoutingArgumentError as error:
        return str(error)
    if length != tour.length:
        return f"the tour's length is {length}, but the solver returned {tour.length}"
    if longest is not None and length > longest:
        return f"the tour's length is {length}, more than the {longest} of the initial tour"
    return None


def solve_tsp(
    file: Path,
    terms: Terms,
    watch: Callable[[Progress], None],
    out: Path | None = None,
    live: Path | None = None,
    initial: Path | None = None,
) -> Solved:
    """Read a file, search, verify, and write the tour. SIGINT and SIGTERM end the search; the best tour so far is kept.

    live     page that shows the best tour during the search; one rank only
    initial  file of the initial tour
    """
    problem = Problem.read(file)
    first = None if initial is None else _first_tour(problem, initial)

    def hear(progress: Progress) -> None:
        watch(progress)
        if page is not None:
            page.hear(progress)

    page = None
    with stoppable(hear) as (stop, told), ExitStack() as stack:
        if live is not None:
            from rooftop.solvers.routing.live_page import LivePage  # the plotting packages take half a second to load

            page = stack.enter_context(LivePage(problem, terms.seed, live))

        began_s = elapsed_s()
        left_s = search_s(terms.time_s, began_s, terms.ranks)
        if terms.ranks > 1:
            from rooftop.solvers.routing.ranks import (
                RankedSearch,  # what starts ranks would take time that others have not
            )

            plain = stack.enter_context(unpacked(file))
            start = stack.enter_context(unpacked(initial)) if initial is not None else None
            search = RankedSearch(plain, left_s, terms.iterations, terms.seed, terms.ranks, terms.threads, out, start)
            tour = search.run(told, stop)
            began_s += search.began_s
        else:
            tour = problem.solve(
                left_s,
                seed=terms.seed,
                threads=terms.threads,
                iterations=terms.iterations,
                callback=told,
                show=page.show if page is not None else None,
                stop=stop,
                out=out,
                initial_tour=None if first is None else first[0],
            )
    first_length = None if first is None else first[1]
    reason = _fault(problem, tour, first_length)
    document = TspDocument(
        schema="rooftop/solve-tsp/1",
        file=str(file),
        name=problem.name,
        remarks=_remarks(file, problem),
        cities=problem.cities,
        ranks=terms.ranks,
        threads=terms.threads,
        seed=terms.seed,
        initial_tour=None if initial is None else str(initial),
        initial_length=first_length,
        **verdict(reason),
        length=tour.length if reason is None else None,
        began_s=began_s,
        seconds=tour.seconds,
        iterations=tour.iterations,
        tours=tour.iterations + 1,
        interrupted=stop.requested,
        history=[TourPoint(seconds=p.seconds, iterations=p.iterations, length=p.length) for p in tour.history],
    )
    return Solved(document, problem, tour)
