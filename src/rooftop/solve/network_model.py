"""A network as arrays for the solver: arcs with what a vehicle and what a kilogram adds to each objective."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solve.network_tables import Network
from rooftop.solve.network_vehicle import co2e_kg_per_km

OBJECTIVES = ("cost", "time", "co2e")
UNITS = {"cost": "currency", "time": "tonne-hours", "co2e": "kg CO2e"}
UNLIMITED_KG = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Model:
    """Nodes, arcs and months count from 0; shipment i is demand i.

    tail, head      [arcs] int32
    link            [arcs], the number of the link that an arc is of: one that is not directed has two
    capacity_kg     [arcs] int64, in each month
    per_vehicle     [3][arcs]: cost, tonne-hours and kg of CO2e that a vehicle adds
    per_kg          [3][arcs]: and a kilogram of its load
    month, origin, destination      [shipments] int32
    kg              [shipments] int64
    months          the month of the demands that each number stands for
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


def _widths(model: Model, origin: int, leaving: list[list[int]]) -> list[int]:
    """Give the kilograms that the widest path from a node carries to each other; 0 where none leads."""
    width = [0] * model.nodes
    width[origin] = UNLIMITED_KG
    heap = [(-UNLIMITED_KG, origin)]
    while heap:
        wide, node = heapq.heappop(heap)
        if -wide < width[node]:
            continue
        for arc in leaving[node]:
            there, through = int(model.head[arc]), min(-wide, int(model.capacity_kg[arc]))
            if through > width[there]:
                width[there] = through
                heapq.heappush(heap, (-through, there))
    return width


def _check_ways(network: Network, model: Model) -> None:
    leaving: list[list[int]] = [[] for _ in range(model.nodes)]
    for arc, tail in enumerate(model.tail):
        leaving[tail].append(arc)
    widths: dict[int, list[int]] = {}
    for demand, origin, destination, kg in zip(network.demands, model.origin, model.destination, model.kg, strict=True):
        start = int(origin)
        if start not in widths:
            widths[start] = _widths(model, start, leaving)
        wide = widths[start][destination]
        if wide == 0:
            raise Misuse(
                f"demand '{demand.demand_id}': no path of links with a capacity leads from '{demand.from_node_id}' "
                f"to '{demand.to_node_id}'; expected one"
            )
        if wide < kg:
            raise Misuse(
                f"demand '{demand.demand_id}': it is {demand.tonnes} t in one shipment, and the widest path carries "
                f"{wide / 1000:g} t; expected less, or several demands"
            )


def make_model(network: Network) -> Model:
    """Turn rows into arrays. Raises Misuse for a demand that no path carries."""
    number = {node.node_id: i for i, node in enumerate(network.nodes)}
    arcs = [
        (i, link, back)
        for i, link in enumerate(network.links)
        for back in ([False] if link.directed else [False, True])
    ]
    ends = [
        (link.to_node_id, link.from_node_id) if back else (link.from_node_id, link.to_node_id) for _, link, back in arcs
    ]
    tail = np.array([number[a] for a, _ in ends], dtype=np.int32)
    head = np.array([number[b] for _, b in ends], dtype=np.int32)
    vehicle, payload_t = network.vehicle, network.vehicle.payload_t
    per_vehicle, per_kg = np.zeros((3, len(arcs))), np.zeros((3, len(arcs)))
    runs = 1 + vehicle.empty_share
    for arc, (_, link, _) in enumerate(arcs):
        hours, start = link.length / link.free_speed, network.nodes[tail[arc]]
        empty = co2e_kg_per_km(vehicle, 0, link.free_speed)
        full = co2e_kg_per_km(vehicle, payload_t, link.free_speed)
        per_vehicle[0, arc] = runs * (vehicle.cost_per_km * link.length + vehicle.cost_per_h * hours) + link.toll
        per_kg[0, arc] = (link.surcharge + start.handling_cost) / 1000
        per_kg[1, arc] = (hours + start.dwell_h) / 1000
        per_vehicle[2, arc] = runs * empty * link.length
        per_kg[2, arc] = (full - empty) / (1000 * payload_t) * link.length
    months = tuple(sorted({demand.month for demand in network.demands}))
    capacities = [UNLIMITED_KG if link.capacity_t is None else int(link.capacity_t * 1000) for _, link, _ in arcs]
    model = Model(
        nodes=len(network.nodes),
        tail=tail,
        head=head,
        link=np.array([i for i, _, _ in arcs], dtype=np.int32),
        capacity_kg=np.array(capacities, dtype=np.int64),
        payload_kg=vehicle.payload_kg,
        per_vehicle=per_vehicle,
        per_kg=per_kg,
        month=np.array([months.index(demand.month) for demand in network.demands], dtype=np.int32),
        origin=np.array([number[demand.from_node_id] for demand in network.demands], dtype=np.int32),
        destination=np.array([number[demand.to_node_id] for demand in network.demands], dtype=np.int32),
        kg=np.array([int(demand.tonnes * 1000) for demand in network.demands], dtype=np.int64),
        months=months,
    )
    _check_ways(network, model)
    return model
