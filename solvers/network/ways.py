"""Check, before any search, that every demand has a path with enough capacity."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.solvers.network.rows import Demand

UNLIMITED_KG = (1 << 63) - 1


class Ways:
    """Arcs with capacities, indexed by their start and by their end."""

    def __init__(self, nodes: int, tail: Sequence[int], head: Sequence[int], capacity_kg: Sequence[int]) -> None:
        """Index the arcs."""
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        self.arriving: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        for start, end, kg in zip(tail, head, capacity_kg, strict=True):
            self.leaving[start].append((end, kg))
            self.arriving[end].append((start, kg))

    def reached(self, start: int, least_kg: int, beside: list[list[tuple[int, int]]]) -> bytearray:
        """Mark the nodes connected to a node by arcs of sufficient capacity, in the direction of `beside`."""
        seen = bytearray(len(beside))
        seen[start] = 1
        waiting = deque([start])
        while waiting:
            for node, kg in beside[waiting.popleft()]:
                if kg >= least_kg and not seen[node]:
                    seen[node] = 1
                    waiting.append(node)
        return seen

    def widest(self, origin: int, destinations: set[int]) -> dict[int, int]:
        """Return the capacity in kg of the widest path from a node to each reachable destination."""
        width = {origin: UNLIMITED_KG}
        left = set(destinations)
        heap = [(-UNLIMITED_KG, origin)]
        while heap and left:
            wide, node = heapq.heappop(heap)
            if -wide < width[node]:
                continue
            left.discard(node)
            for there, kg in self.leaving[node]:
                through = min(-wide, kg)
                if through > width.get(there, 0):
                    width[there] = through
                    heapq.heappush(heap, (-through, there))
        return width


# A demand's origin, destination and kilograms.
_Trip = tuple[int, int, int]


def _doubtful(ways: Ways, trips: Sequence[_Trip]) -> list[int]:
    """Return the demands without a path via the first demand's origin that is wide enough for the heaviest demand.

    In most networks arcs are wide enough, so that two searches rule out all demands.
    """
    heaviest, root = max(kg for _, _, kg in trips), trips[0][0]
    to_root, from_root = ways.reached(root, heaviest, ways.arriving), ways.reached(root, heaviest, ways.leaving)
    return [i for i, (start, end, _) in enumerate(trips) if not (to_root[start] and from_root[end])]


def check_ways(ways: Ways, demands: Sequence[Demand], trips: Sequence[_Trip], go_on: Callable[[], bool]) -> None:
    """Raise Misuse for a demand that no path can carry. Stops checking when `go_on` returns False."""
    of_origin: dict[int, list[int]] = {}
    for i in _doubtful(ways, trips):
        of_origin.setdefault(trips[i][0], []).append(i)
    for origin, some in of_origin.items():
        if not go_on():
            return
        width = ways.widest(origin, {trips[i][1] for i in some})
        for i in some:
            _, destination, kg = trips[i]
            wide, demand = width.get(destination, 0), demands[i]
            if wide == 0:
                raise Misuse(
                    f"demand '{demand.demand_id}': no path of links with a capacity leads from '{demand.from_node_id}' "
                    f"to '{demand.to_node_id}'; expected one"
                )
            if wide < kg:
                raise Misuse(
                    f"demand '{demand.demand_id}': the shipment is {demand.tonnes} t, but the widest path "
                    f"carries {wide / 1000:g} t; expected less, or several demands"
                )
