"""Independent verification of a plan, from the network's tables.

Neither the solver nor its arrays and results are used: loads are summed over the plan's steps, and cost, time and CO2e
are recomputed from the loads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooftop.errors import RooftopError
from rooftop.solvers.network.emissions import co2e_kg_per_km
from rooftop.solvers.network.tables import Network

# A link, and the node at which it is entered.
Step = tuple[str, str]


class PlanError(RooftopError):
    """A plan violates a demand or a capacity. The message says where and by how much."""


@dataclass(frozen=True)
class Bill:
    """Totals of a plan: cost (currency), time (tonne-hours), CO2e (kg), and loads (kg) by month, link and entry."""

    cost: float
    time: float
    co2e: float
    loads: Mapping[tuple[int, str, str], int]


def vehicles(network: Network, kg: int) -> int:
    """Return the number of vehicles needed for a load."""
    return -(-kg // network.vehicle.payload_kg)


class Inspector:
    """Verify plans of one network."""

    def __init__(self, network: Network) -> None:
        """Index the network's rows by their identifiers."""
        self._network = network
        self._links = {link.link_id: link for link in network.links}
        self._nodes = {node.node_id: node for node in network.nodes}
        self._ways = {(link.link_id, link.from_node_id): link.to_node_id for link in network.links}
        self._ways |= {
            (link.link_id, link.to_node_id): link.from_node_id for link in network.links if not link.directed
        }
        speeds = {link.free_speed for link in network.links}
        self._empty = {speed: co2e_kg_per_km(network.vehicle, 0, speed) for speed in speeds}

    def _add_up(self, plan: Mapping[str, Sequence[Step]]) -> dict[tuple[int, str, str], int]:
        loads: dict[tuple[int, str, str], int] = {}
        if unknown := sorted(set(plan) - {demand.demand_id for demand in self._network.demands}):
            raise PlanError(f"the network has no demand '{unknown[0]}'")
        for demand in self._network.demands:
            who = f"demand '{demand.demand_id}'"
            if not plan.get(demand.demand_id):
                raise PlanError(f"{who} is not served")
            at, month, kg = demand.from_node_id, demand.month, int(demand.tonnes * 1000)
            for name, start in plan[demand.demand_id]:
                if name not in self._links:
                    raise PlanError(f"{who}: the network has no link '{name}'")
                if start != at:
                    raise PlanError(f"{who}: the path is interrupted at '{at}': link '{name}' is entered at '{start}'")
                end = self._ways.get((name, start))
                if end is None:
                    raise PlanError(f"{who}: link '{name}' is entered at '{start}', where it does not start")
                cell = (month, name, start)
                loads[cell] = loads.get(cell, 0) + kg
                at = end
            if at != demand.to_node_id:
                raise PlanError(f"{who}: the path ends at '{at}'; expected '{demand.to_node_id}'")
        return loads

    def bill(self, plan: Mapping[str, Sequence[Step]]) -> Bill:
        """Return a plan's totals. Raises PlanError for an unserved demand or an exceeded capacity."""
        vehicle = self._network.vehicle
        loads = self._add_up(plan)
        cost = time = co2e = 0.0
        for (month, name, start), kg in loads.items():
            link, node, load = self._links[name], self._nodes[start], kg / 1000
            if link.capacity_t is not None and kg > link.capacity_t * 1000:
                raise PlanError(
                    f"month {month}: link '{name}' from '{start}' carries {load:g} t; "
                    f"its capacity is {link.capacity_t} t"
                )
            count, hours = vehicles(self._network, kg), link.length / link.free_speed
            run_km, run_h = link.length * (1 + vehicle.empty_share), hours * (1 + vehicle.empty_share)
            cost += count * (run_km * vehicle.cost_per_km + run_h * vehicle.cost_per_h + link.toll)
            cost += load * (link.surcharge + node.handling_cost)
            time += load * (hours + node.dwell_h)
            laden = co2e_kg_per_km(vehicle, load / count, link.free_speed)
            co2e += count * link.length * (laden + vehicle.empty_share * self._empty[link.free_speed])
        return Bill(cost, time, co2e, loads)


def bill(network: Network, plan: Mapping[str, Sequence[Step]]) -> Bill:
    """Return the totals of one plan, as `Inspector.bill` does."""
    return Inspector(network).bill(plan)
