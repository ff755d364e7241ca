"""Whether a path wide enough leads somewhere: held against every path of small networks."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from small_network import write_tables

from rooftop.errors import Misuse
from rooftop.solvers.c_interface.solver_library import NothingFound
from rooftop.solvers.network.rows import Demand
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.network.ways import UNLIMITED_KG, Ways, check_ways

Arcs = list[tuple[int, int, int]]


def random_arcs(seed: int, nodes: int) -> Arcs:
    random = np.random.default_rng(seed)
    ends = random.integers(0, nodes, (3 * nodes, 2))
    return [(int(a), int(b), int(random.choice([0, 2, 5, 9, UNLIMITED_KG]))) for a, b in ends if a != b]


def ways_of(nodes: int, arcs: Arcs) -> Ways:
    return Ways(nodes, *([arc[part] for arc in arcs] for part in range(3)))


def widest(arcs: Arcs, at: int, to: int, seen: frozenset[int] = frozenset()) -> int:
    """Return the kilograms of the widest path, of all paths; 0 where there is none."""
    if at == to:
        return UNLIMITED_KG
    on = [(end, kg) for start, end, kg in arcs if start == at and end not in seen]
    return max((min(kg, widest(arcs, end, to, seen | {at})) for end, kg in on), default=0)


def always() -> bool:
    return True


def refused(nodes: int, arcs: Arcs, trips: list[tuple[int, int, int]], go_on: Callable[[], bool] = always) -> bool:
    demands = [
        Demand(demand_id=f"d{i}", month=1, from_node_id=str(a), to_node_id=str(b), tonnes=Decimal(kg))
        for i, (a, b, kg) in enumerate(trips)
    ]
    try:
        check_ways(ways_of(nodes, arcs), demands, trips, go_on)
    except Misuse:
        return True
    return False


@pytest.mark.case("solvers.A6.ways")
@pytest.mark.parametrize("seed", range(30))
def test_demands_are_refused_that_no_path_carries(seed: int) -> None:
    nodes = 6
    arcs = random_arcs(seed, nodes)
    random = np.random.default_rng(seed)
    for count in (1, 2, 5):
        ends = [random.choice(nodes, 2, replace=False) for _ in range(count)]
        trips = [(int(a), int(b), int(random.integers(1, 10))) for a, b in ends]
        assert refused(nodes, arcs, trips) == any(widest(arcs, a, b) < kg for a, b, kg in trips)


@pytest.mark.case("solvers.A6.ways")
def test_wide_networks_take_two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    reached, nodes = Ways.reached, 50

    def noted(self: Ways, *arguments: object) -> bytearray:
        searches.append(arguments)
        return reached(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Ways, "reached", noted)
    monkeypatch.setattr(Ways, "widest", lambda *_: pytest.fail("a search for one origin"))
    ring = [(node, (node + 1) % nodes, 9) for node in range(nodes)]
    assert not refused(nodes, ring, [(node, (node + 7) % nodes, 9) for node in range(nodes)])
    assert len(searches) == 2


@pytest.mark.case("solvers.A6.reading")
def test_tables_are_read_while_there_is_time(tmp_path: Path) -> None:
    rows = "".join(f"d{i},1,P,K,0.001\n" for i in range(1100))
    folder = write_tables(tmp_path, demand=f"demand_id,month,from_node_id,to_node_id,tonnes\n{rows}")
    assert len(read_network([folder]).demands) == 1100
    with pytest.raises(NothingFound, match=r"demand\.csv: line 1025: the time limit passed"):
        read_network([folder], lambda: False)


@pytest.mark.case("solvers.A6.ways")
def test_there_may_be_no_time_to_look() -> None:
    assert refused(3, [(0, 1, 9)], [(0, 2, 1)])
    assert not refused(3, [(0, 1, 9)], [(0, 2, 1)], lambda: False)
