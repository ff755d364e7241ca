"""A network as arrays for the solver: arcs with cost, time and CO2e per vehicle and per kilogram."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.network.emissions import co2e_kg_per_km
from rooftop.solvers.network.ways import UNLIMITED_KG, Ways, check_ways

if TYPE_CHECKING:  # which need Pydantic
    from rooftop.solvers.network.tables import Network

OBJECTIVES = ("cost", "time", "co2e")
UNITS = {"cost": "currency", "time": "tonne-hours", "co2e": "kg CO2e"}


@dataclass(frozen=True)
class Model:
    """A network as arrays. Nodes, arcs and months are numbered from 0; shipment i is demand i.

    tail, head      [arcs] int32
    link            [arcs], the link of each arc; an undirected link has two arcs
    capacity_kg     [arcs] int64, per month
    per_vehicle     [3][arcs]: cost, tonne-hours and kg of CO2e per vehicle
    per_kg          [3][arcs]: the same per kilogram of load
    month, origin, destination      [shipments] int32
    kg              [shipments] int64
    months          the demands' month for each month number
    """

    nodes: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    link: NDArray[np.int32]
    capacity_kg: NDArray[np.int64]
    payload_kg: int
    per_vehicle: NDArray[np.float64]
    per_kg: NDArray[np.float64]
    month: NDArray[np.int32]
    origin: NDArray[np.int32]
    destination: NDArray[np.int32]
    kg: NDArray[np.int64]
    months: tuple[int, ...]


def _always() -> bool:
    return True


def make_model(network: Network, go_on: Callable[[], bool] = _always) -> Model:
    """Convert a network to arrays. Raises Misuse for a demand that no path can carry.

    Such demands are searched for as long as `go_on` returns True; the solver rejects them, too.
    """
    number = {node.node_id: i for i, node in enumerate(network.nodes)}
    vehicle, links = network.vehicle, network.links
    both_ways = np.array([1 if link.directed else 2 for link in links])
    link = np.repeat(np.arange(len(links), dtype=np.int32), both_ways)
    back = np.zeros(len(link), dtype=bool)
    back[np.cumsum(both_ways)[both_ways == 2] - 1] = True  # the second arc of a link
    starts = np.array([number[one.from_node_id] for one in links], dtype=np.int32)[link]
    ends = np.array([number[one.to_node_id] for one in links], dtype=np.int32)[link]
    tail, head = np.where(back, ends, starts), np.where(back, starts, ends)

    length, speed, toll, surcharge = (
        np.array([getattr(one, name) for one in links])[link] for name in ("length", "free_speed", "toll", "surcharge")
    )
    handling, dwell = (
        np.array([getattr(node, name) for node in network.nodes])[tail] for name in ("handling_cost", "dwell_h")
    )
    speeds, which = np.unique(speed, return_inverse=True)
    empty, full = (
        np.array([co2e_kg_per_km(vehicle, load_t, float(one)) for one in speeds])[which]
        for load_t in (0.0, vehicle.payload_t)
    )
    hours, runs = length / speed, 1 + vehicle.empty_share
    per_vehicle, per_kg = np.zeros((3, len(link))), np.zeros((3, len(link)))
    per_vehicle[0] = runs * (vehicle.cost_per_km * length + vehicle.cost_per_h * hours) + toll
    per_kg[0] = (surcharge + handling) / 1000
    per_kg[1] = (hours + dwell) / 1000
    per_vehicle[2] = runs * empty * length
    per_kg[2] = (full - empty) / (1000 * vehicle.payload_t) * length
    months = tuple(sorted({demand.month for demand in network.demands}))
    capacities = [UNLIMITED_KG if one.capacity_t is None else int(one.capacity_t * 1000) for one in links]
    model = Model(
        nodes=len(network.nodes),
        tail=tail,
        head=head,
        link=link,
        capacity_kg=np.array(capacities, dtype=np.int64)[link],
        payload_kg=vehicle.payload_kg,
        per_vehicle=per_vehicle,
        per_kg=per_kg,
        month=np.array([months.index(demand.month) for demand in network.demands], dtype=np.int32),
        origin=np.array([number[demand.from_node_id] for demand in network.demands], dtype=np.int32),
        destination=np.array([number[demand.to_node_id] for demand in network.demands], dtype=np.int32),
        kg=np.array([int(demand.tonnes * 1000) for demand in network.demands], dtype=np.int64),
        months=months,
    )
    ways = Ways(model.nodes, tail.tolist(), head.tolist(), model.capacity_kg.tolist())
    trips = list(zip(model.origin.tolist(), model.destination.tolist(), model.kg.tolist(), strict=True))
    check_ways(ways, network.demands, trips, go_on)
    return model
