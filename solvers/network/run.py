"""Search for plans of a network, and verify them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers import network as solver
from rooftop.solvers.c_interface.solver_library import NothingFound
from rooftop.solvers.network import Front, Standing, Trails
from rooftop.solvers.network.bill import Bill, Inspector, PlanError, Step, bill, vehicles
from rooftop.solvers.network.document import ChosenPlan, Figures, FrontPoint, NetworkDocument
from rooftop.solvers.network.front import all_differ, chosen, hypervolume, reference_of
from rooftop.solvers.network.model import OBJECTIVES, Model, make_model
from rooftop.solvers.network.tables import Network, read_network
from rooftop.solvers.running.report import stoppable, verdict
from rooftop.solvers.running.stop import LEAST_S, Stop, elapsed_s, search_s

_CHECK_SHARE = 0.3  # share of the remaining time for verification
_STEP_S = 5e-6  # time to verify one link of one shipment
_PLANS_MIN = 3  # verified even if that takes longer
_HISTORY_MAX = 200  # fronts kept during the search
_PROOF_MAX_S = 600.0  # for proving that demands exceed capacities, if no time limit is given
_ROUNDING = 1e-9  # relative: the solver sums in another order

Plan = dict[str, list[Step]]


@dataclass(frozen=True)
class Terms:
    """Options of a search; `time_s` counts from the start of the process."""

    time_s: float
    iterations: int
    seed: int
    threads: int
    plans: int
    weights: NDArray[np.float64] | None
    reference: NDArray[np.float64] | None
    trails: Trails = "superposed"


@dataclass(frozen=True)
class Solved:
    """Result of a search, with the network and the chosen plan for plots and files."""

    document: NetworkDocument
    network: Network
    plan: Plan | None
    bill: Bill | None


def _figures(values: Sequence[float] | NDArray[np.float64]) -> Figures:
    return Figures(**{name: float(value) for name, value in zip(OBJECTIVES, values, strict=True)})


def plan_of(network: Network, model: Model, paths: Sequence[Sequence[int]]) -> Plan:
    """Return a plan as each demand's links and the nodes at which they are entered."""
    return {
        demand.demand_id: [
            (network.links[model.link[arc]].link_id, network.nodes[model.tail[arc]].node_id) for arc in path
        ]
        for demand, path in zip(network.demands, paths, strict=True)
    }


def _verified(
    network: Network, model: Model, front: Front, weights: NDArray[np.float64], go_on: Callable[[], bool]
) -> tuple[Front, str | None]:
    """Verify plans from the tables while there is time. Return the verified plans, and what is wrong, or None."""
    inspector = Inspector(network)
    first = [chosen(front.points, weights), *(int(best) for best in np.argmin(front.points, axis=0))]
    verified: list[int] = []
    for number in dict.fromkeys([*first, *range(len(front.points))]):
        if len(verified) >= _PLANS_MIN and not go_on():
            break
        verified.append(number)
        try:
            found = inspector.bill(plan_of(network, model, front.paths[number]))
        except PlanError as error:
            return front, f"plan {number}: {error}"
        for name, told in zip(OBJECTIVES, front.points[number], strict=True):
            if not math.isclose(getattr(found, name), told, rel_tol=_ROUNDING, abs_tol=1e-9):
                says = f"plan {number}: {name} is {getattr(found, name)!r}, but the solver returned {float(told)!r}"
                return front, says
    verified.sort()
    some = replace(front, points=front.points[verified], paths=tuple(front.paths[number] for number in verified))
    return some, None if all_differ(some.points) else "a plan of the front dominates another"


def _chosen(network: Network, front: Front, plan: int, found: Bill, weights: NDArray[np.float64]) -> ChosenPlan:
    length = {link.link_id: link.length for link in network.links}
    counts = {key: vehicles(network, load) for key, load in found.loads.items()}
    if not any(length[link] for _, link, _ in counts):  # nothing goes any way: what is loaded counts
        length = dict.fromkeys(length, 1.0)
    carried = sum(load / 1000 * length[link] for (_, link, _), load in found.loads.items())
    room = sum(count * network.vehicle.payload_kg / 1000 * length[link] for (_, link, _), count in counts.items())
    return ChosenPlan(
        plan=plan,
        weights=_figures(weights),
        figures=_figures(front.points[plan]),
        vehicles=sum(counts.values()),
        load_factor=carried / room,
    )


def _history(seen: Sequence[Standing], reference: NDArray[np.float64]) -> list[FrontPoint]:
    told = []
    for standing in seen:
        volume = hypervolume(standing.points, reference)
        told.append(
            FrontPoint(
                seconds=standing.seconds, iterations=standing.iterations, plans=len(standing.points), hypervolume=volume
            )
        )
    return told


class _Search:
    """A search with its deadline and the fronts seen so far."""

    def __init__(self, terms: Terms, watch: Callable[[Standing], None]) -> None:
        """Start the clock."""
        self._terms, self._watch = terms, watch
        self._until_s = time.monotonic() + search_s(terms.time_s, elapsed_s())
        self.seen: list[Standing] = []

    @property
    def left_s(self) -> float:
        """Remaining time in seconds, counted from the start of the process."""
        return max(LEAST_S, self._until_s - time.monotonic())

    def goes_on(self) -> bool:
        """Whether there is time left; always true if a number of iterations ends the search."""
        return bool(self._terms.iterations) or time.monotonic() < self._until_s

    def told(self, standing: Standing) -> None:
        """Record an interim front."""
        if standing.overload_kg == 0:
            if len(self.seen) == _HISTORY_MAX:
                self.seen = self.seen[::2]
            self.seen.append(standing)
        self._watch(standing)

    def front(self, network: Network, model: Model, stop: Stop, told: Callable[[Standing], bool]) -> Front:
        """Search for at most as many plans as can be verified in time."""
        terms, left_s = self._terms, self.left_s
        step_s = _STEP_S * len(network.demands) * math.sqrt(len(network.nodes))
        plans = terms.plans
        if not terms.iterations:
            plans = min(plans, max(_PLANS_MIN, int(_CHECK_SHARE * left_s / step_s)))

        return solver.solve(
            model,
            left_s - min(left_s / 2, step_s * (plans + 1)),
            seed=terms.seed,
            threads=terms.threads,
            iterations=terms.iterations,
            plans=plans,
            weights=None if terms.weights is None else list(terms.weights),
            trails=terms.trails,
            callback=told,
            stop=stop,
        )


def _overload_reason(files: Sequence[Path], model: Model, front: Front, time_s: float) -> str:
    """Return by how much the capacities are exceeded. Raises Misuse if the demands provably exceed the capacities."""
    # SciPy's optimizers take a second to load, and only this needs them.
    from rooftop.solvers.network.capacity import month_beyond_capacity

    if (month := month_beyond_capacity(model, time_s)) is not None:
        raise Misuse(
            f"{files[0]}: month {month}: the demands exceed the capacities, even if each were split over many paths; "
            "expected smaller demands or larger capacities"
        )
    return f"no plan within all capacities was found: the best one exceeds them by {front.overload_kg / 1000:g} t"


def solve_network(files: Sequence[Path], terms: Terms, watch: Callable[[Standing], None]) -> Solved:
    """Read tables, search, and verify every plan. SIGINT and SIGTERM end the search; the front so far is kept.

    Raises Misuse for invalid tables and for demands that provably exceed the capacities, NothingFound if the time limit
    ended the search before it had a plan, and KeyboardInterrupt if a signal did.
    """
    search = _Search(terms, watch)
    network = read_network(files, search.goes_on)
    model = make_model(network, search.goes_on)
    weights = np.full(len(OBJECTIVES), 1 / len(OBJECTIVES)) if terms.weights is None else terms.weights
    reason = None
    with stoppable(search.told) as (stop, told):
        try:
            front = search.front(network, model, stop, told)
        except NothingFound:
            if stop.requested:
                raise KeyboardInterrupt from None
            raise
        if front.overload_kg == 0:
            goes_on = search.goes_on
            front, reason = _verified(network, model, front, weights, lambda: goes_on() and not stop.requested)
    if front.overload_kg > 0:
        time_s = 0.0 if stop.requested else _PROOF_MAX_S if terms.iterations else search.left_s
        reason = _overload_reason(files, model, front, time_s)
    document = NetworkDocument(
        schema="rooftop/solve-network/1",
        files=[str(file) for file in files],
        name=network.name,
        remarks=list(network.remarks),
        nodes=len(network.nodes),
        links=len(network.links),
        demands=len(network.demands),
        months=len(model.months),
        tonnes=float(sum(demand.tonnes for demand in network.demands)),
        threads=terms.threads,
        seed=terms.seed,
        **verdict(reason),
        seconds=front.seconds,
        iterations=front.iterations,
        interrupted=stop.requested,
    )
    if reason is not None:
        return Solved(document, network, None, None)
    reference = reference_of(front.points) if terms.reference is None else terms.reference
    best = chosen(front.points, weights)
    plan = plan_of(network, model, front.paths[best])
    found = bill(network, plan)
    volume = hypervolume(front.points, reference)
    told_too = {
        "front": [_figures(point) for point in front.points],
        "reference": _figures(reference),
        "hypervolume": volume,
        "hypervolume_share": volume / float(np.prod(reference)),
        "chosen": _chosen(network, front, best, found, weights),
        "history": _history(search.seen, reference),
    }
    return Solved(document.model_copy(update=told_too), network, plan, found)
