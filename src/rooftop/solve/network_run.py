"""A search for the plans of a network, verified."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rooftop
from rooftop import network as solver
from rooftop.errors import Misuse
from rooftop.network import Front, Standing, Trails
from rooftop.solve.deadline import elapsed_s, search_s
from rooftop.solve.interrupts import noted_interrupts
from rooftop.solve.network_check import Bill, PlanError, Step, bill, vehicles
from rooftop.solve.network_document import ChosenPlan, Figures, FrontPoint, NetworkDocument
from rooftop.solve.network_front import all_differ, chosen, hypervolume, reference_of
from rooftop.solve.network_model import OBJECTIVES, Model, make_model
from rooftop.solve.network_tables import Network, read_network

_CHECK_SHARE = 0.3  # of the time that is left, for verifying
_STEP_S = 5e-6  # that verifying takes for a link that a shipment travels
_PLANS_MIN = 3  # even where verifying takes longer
_HISTORY_MAX = 200  # fronts kept on the way
_ROUNDING = 1e-9  # relative: the solver adds the same figures in another order

Plan = dict[str, list[Step]]


@dataclass(frozen=True)
class Terms:
    """How long to search, from the start of this process on, or with how many ants; with what, and for what."""

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
    """What the search told, with the network and the chosen plan for those who draw and write them."""

    document: NetworkDocument
    network: Network
    plan: Plan | None
    bill: Bill | None


def _figures(values: Sequence[float] | NDArray[np.float64]) -> Figures:
    return Figures(**{name: float(value) for name, value in zip(OBJECTIVES, values, strict=True)})


def plan_of(network: Network, model: Model, paths: Sequence[Sequence[int]]) -> Plan:
    """Name the links of each shipment's arcs, and where each is entered."""
    names = [
        (network.links[link].link_id, network.nodes[tail].node_id)
        for link, tail in zip(model.link, model.tail, strict=True)
    ]
    return {demand.demand_id: [names[arc] for arc in path] for demand, path in zip(network.demands, paths, strict=True)}


def _doubt(network: Network, model: Model, front: Front) -> str | None:
    """Tell what is wrong with the front, from the tables alone."""
    for number, (point, paths) in enumerate(zip(front.points, front.paths, strict=True)):
        try:
            found = bill(network, plan_of(network, model, paths))
        except PlanError as error:
            return f"plan {number}: {error}"
        for name, told in zip(OBJECTIVES, point, strict=True):
            if not math.isclose(getattr(found, name), told, rel_tol=_ROUNDING, abs_tol=1e-9):
                return f"plan {number}: its {name} is {getattr(found, name)!r}, and the solver says {float(told)!r}"
    return None if all_differ(front.points) else "a plan of the front dominates another"


def _chosen(network: Network, front: Front, plan: int, found: Bill, weights: NDArray[np.float64]) -> ChosenPlan:
    length = {link.link_id: link.length for link in network.links}
    counts = {key: vehicles(network, load) for key, load in found.loads.items()}
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


def solve_network(files: Sequence[Path], terms: Terms, watch: Callable[[Standing], None]) -> Solved:
    """Read tables, search, and verify every plan of the front. An interrupt ends the search: its best front stands.

    Raises Misuse for tables that make no sense, and where the capacities are proven not to carry the demands.
    """
    network = read_network(files)
    model = make_model(network)
    seen: list[Standing] = []
    left = search_s(terms.time_s, elapsed_s())
    # No more plans than can be verified in time.
    step_s = _STEP_S * len(network.demands) * math.sqrt(len(network.nodes))
    plans = terms.plans
    if not terms.iterations:
        plans = min(plans, max(_PLANS_MIN, int(_CHECK_SHARE * left / step_s)))
    with noted_interrupts() as noted:

        def told(standing: Standing) -> bool:
            nonlocal seen
            if standing.overload_kg == 0:
                if len(seen) == _HISTORY_MAX:
                    seen = seen[::2]
                seen.append(standing)
            watch(standing)
            return not noted.seen

        front = solver.solve(
            model,
            left - min(left / 2, step_s * (plans + 1)),
            seed=terms.seed,
            threads=terms.threads,
            iterations=terms.iterations,
            plans=plans,
            weights=None if terms.weights is None else list(terms.weights),
            trails=terms.trails,
            callback=told,
        )
    reason = None
    if front.overload_kg > 0:
        # SciPy's optimizers take a second to load, and only this needs them.
        from rooftop.solve.network_capacity import month_beyond_capacity

        month = None if noted.seen else month_beyond_capacity(model)
        if month is not None:
            raise Misuse(
                f"{files[0]}: month {month}: no flow carries its demands within the capacities, even if each were "
                "split over many paths; expected less demand or more capacity"
            )
        reason = (
            f"no plan was found that keeps all capacities: the nearest exceeds them by {front.overload_kg / 1000:g} t"
        )
    else:
        reason = _doubt(network, model, front)
    document = NetworkDocument(
        schema="rooftop/solve-network/1",
        rooftop=rooftop.__version__,
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
        outcome="ok" if reason is None else "wrong",
        valid=reason is None,
        reason=reason,
        seconds=front.seconds,
        iterations=front.iterations,
        interrupted=noted.seen,
    )
    if reason is not None:
        return Solved(document, network, None, None)
    reference = reference_of(front.points) if terms.reference is None else terms.reference
    weights = np.full(len(OBJECTIVES), 1 / len(OBJECTIVES)) if terms.weights is None else terms.weights
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
        "history": _history(seen, reference),
    }
    return Solved(document.model_copy(update=told_too), network, plan, found)
