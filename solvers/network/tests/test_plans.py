"""Plans of the network solver: sound by a verifier that knows only the tables, and that sees what is planted."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_network import TABLES, write_tables

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import network as solver
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.bill import PlanError, Step, bill
from rooftop.solvers.network.front import all_differ, chosen, hypervolume, parse_reference, parse_weights, reference_of
from rooftop.solvers.network.model import OBJECTIVES, make_model
from rooftop.solvers.network.run import plan_of
from rooftop.solvers.network.tables import Network, read_network

Plan = dict[str, list[Step]]


@pytest.fixture(scope="module")
def library() -> None:
    """Skips what needs the solver where it is not built."""
    try:
        network_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture
def town(tmp_path: Path) -> Network:
    return read_network([write_tables(tmp_path / "town")])


def sound() -> Plan:
    """A plan that keeps everything: d1 and d2 share links in month 1, and d4 takes the dotted one."""
    over_hub: list[Step] = [("a", "P"), ("b", "H")]
    return {
        "d1": [*over_hub],
        "d2": [*over_hub, ("e", "K")],
        "d3": [("c", "P"), ("d", "J")],
        "d4": [("f", "P")],
    }


def test_the_bill_is_that_of_the_rows(town: Network) -> None:
    found = bill(town, sound())
    runs = 1.2  # with the empty ones
    links = {
        "a": (50, 80, 0),
        "b": (50, 80, 0),
        "e": (32, 60, 0),
        "c": (70, 50, 5),
        "d": (70, 50, 0),
        "f": (120, 90, 0),
    }
    counts = {"a": 2, "b": 2, "e": 1, "c": 1, "d": 1, "f": 2}
    cost = sum(
        n * (runs * (0.9 * links[k][0] + 30 * links[k][0] / links[k][1]) + links[k][2]) for k, n in counts.items()
    )
    assert found.cost == pytest.approx(cost + 2 * 32.5 + 30 * 30)
    hours = 32.5 * (100 / 80 + 4) + 12.5 * 32 / 60 + 8.125 * 140 / 50 + 30 * 120 / 90
    assert found.time == pytest.approx(hours)
    # Two vehicles with half of 32.5 t each: 3.24 kg for each of the litres of a steady run, and a fifth of it empty.
    assert found.co2e > 100 * 3.24 * 2 * (0.30 + 0.2 * 0.26)


def test_a_heavier_or_faster_vehicle_emits_more(town: Network, tmp_path: Path) -> None:
    """Emissions are not a constant times the distance."""
    heavier = TABLES["demand"].replace("d1,1,P,K,20", "d1,1,P,K,26")
    more = bill(read_network([write_tables(tmp_path / "h", demand=heavier)]), sound())
    before = bill(town, sound())
    assert more.loads.keys() == before.loads.keys()
    assert 0 < more.co2e / before.co2e - 1 < 0.05
    faster = TABLES["link"].replace("50,80", "50,100")
    assert bill(read_network([write_tables(tmp_path / "f", link=faster)]), sound()).co2e > before.co2e


def spoilt(what: str, plan: Plan) -> Plan:
    match what:
        case "not served":
            del plan["d3"]
        case "has no demand":
            plan["d9"] = plan["d1"]
        case "interrupted at 'H'":
            plan["d1"] = [("a", "P"), ("d", "J")]
        case "ends at 'H'":
            plan["d1"] = [("a", "P")]
        case "no link 'z'":
            plan["d1"] = [("z", "P")]
        case "where it does not start":
            plan["d2"] = [("f", "P"), ("b", "L")]
    return plan


@pytest.mark.parametrize(
    "what",
    ["not served", "has no demand", "interrupted at 'H'", "ends at 'H'", "no link 'z'", "where it does not start"],
)
def test_planted_errors_are_seen(town: Network, what: str) -> None:
    with pytest.raises(PlanError, match=what):
        bill(town, spoilt(what, sound()))


def test_a_capacity_is_of_a_month_and_a_direction(tmp_path: Path) -> None:
    both = sound() | {"d4": [("a", "P"), ("b", "H"), ("e", "K")], "d3": [("f", "P"), ("e", "L")]}
    assert bill(read_network([write_tables(tmp_path / "w")]), both).loads
    demands = TABLES["demand"].replace("d2,1", "d2,2")
    with pytest.raises(PlanError, match=r"month 2: link 'e' from 'K' carries 42\.5 t; its capacity is 40 t"):
        bill(read_network([write_tables(tmp_path / "t", demand=demands)]), both)


def every_front(network: Network) -> set[tuple[float, ...]]:
    """All plans of simple paths, one by one, and the points that no other dominates."""
    leaving: dict[str, list[tuple[Step, str]]] = {}
    for link in network.links:
        leaving.setdefault(link.from_node_id, []).append(((link.link_id, link.from_node_id), link.to_node_id))
        if not link.directed:
            leaving.setdefault(link.to_node_id, []).append(((link.link_id, link.to_node_id), link.from_node_id))

    def paths(at: str, to: str, seen: frozenset[str]) -> list[list[Step]]:
        if at == to:
            return [[]]
        ahead = [(step, node) for step, node in leaving.get(at, []) if node not in seen]
        return [[step, *rest] for step, node in ahead for rest in paths(node, to, seen | {node})]

    choices = [paths(d.from_node_id, d.to_node_id, frozenset({d.from_node_id})) for d in network.demands]
    points = []
    for choice in itertools.product(*choices):
        try:
            found = bill(network, {d.demand_id: p for d, p in zip(network.demands, choice, strict=True)})
        except PlanError:
            continue
        points.append((found.cost, found.time, found.co2e))
    unique = {tuple(round(value, 6) for value in point) for point in points}
    return {p for p in unique if not any(q != p and all(a <= b for a, b in zip(q, p, strict=True)) for q in unique)}


def test_the_whole_front_is_found(library: None, town: Network) -> None:
    model = make_model(town)
    front = solver.solve(model, iterations=300, threads=1)
    assert {tuple(round(float(v), 6) for v in point) for point in front.points} == every_front(town)
    for point, paths in zip(front.points, front.paths, strict=True):
        found = bill(town, plan_of(town, model, paths))
        assert [getattr(found, name) for name in OBJECTIVES] == pytest.approx(list(point), rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_random_networks_are_planned_soundly(
    library: None, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever the network: every plan serves all, keeps the capacities, and costs what the solver says."""
    whole = st.integers(1, 60)
    nodes = [f"n{i}" for i in range(data.draw(st.integers(4, 8)))]
    kinds = [
        "depot",
        "customer",
        *data.draw(st.lists(st.sampled_from(["depot", "hub", "customer", ""]), min_size=6, max_size=6)),
    ]
    rows = [f"{n},{k},{data.draw(whole) if k == 'hub' else ''}" for n, k in zip(nodes, kinds, strict=False)]
    pairs = [(a, b) for a in nodes for b in nodes if a != b]
    roads = [(a, nodes[(i + 1) % len(nodes)]) for i, a in enumerate(nodes)] + data.draw(
        st.lists(st.sampled_from(pairs), max_size=8)
    )
    links = [
        f"l{i},{a},{b},{data.draw(st.booleans())},{data.draw(whole)},{data.draw(st.integers(10, 120))},"
        f"{'' if i < len(nodes) else data.draw(whole)}"
        for i, (a, b) in enumerate(roads)
    ]
    depots = [n for n, k in zip(nodes, kinds, strict=False) if k == "depot"]
    customers = [n for n, k in zip(nodes, kinds, strict=False) if k == "customer"]
    demands = [
        f"d{i},{data.draw(st.integers(1, 3))},{data.draw(st.sampled_from(depots))},"
        f"{data.draw(st.sampled_from(customers))},"
        f"{data.draw(st.integers(1, 60_000)) / 1000}"
        for i in range(data.draw(st.integers(1, 9)))
    ]
    folder = write_tables(
        tmp_path_factory.mktemp("random"),
        node="\n".join(["node_id,node_type,handling_cost", *rows]),
        link="\n".join(["link_id,from_node_id,to_node_id,directed,length,free_speed,capacity_t", *links]),
        demand="\n".join(["demand_id,month,from_node_id,to_node_id,tonnes", *demands]),
    )
    network = read_network([folder])
    model = make_model(network)
    front = solver.solve(model, iterations=32, threads=1, plans=20)
    assert front.overload_kg == 0
    assert all_differ(front.points)
    for point, paths in zip(front.points, front.paths, strict=True):
        found = bill(network, plan_of(network, model, paths))
        assert [getattr(found, name) for name in OBJECTIVES] == pytest.approx(list(point), rel=1e-9)


def test_threads_change_nothing(library: None, town: Network) -> None:
    model = make_model(town)
    alone, two, four = (solver.solve(model, iterations=100, threads=n, seed=3, weights=[1, 0, 2]) for n in (1, 2, 4))
    assert alone.paths == two.paths == four.paths
    assert np.array_equal(alone.points, two.points)
    assert np.array_equal(alone.points, four.points)


def test_what_a_callback_raises_is_raised_again(library: None, town: Network) -> None:
    def fail(_: solver.Standing) -> bool:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        solver.solve(make_model(town), 3600, callback=fail)
    with pytest.raises(solver.NetworkArgumentError, match="time_s"):
        solver.solve(make_model(town), float("nan"))
    with pytest.raises(solver.NetworkArgumentError, match="weights"):
        solver.solve(make_model(town), weights=[1])


def test_hypervolume_and_choice() -> None:
    points = np.array([[1.0, 3.0, 2.0], [2.0, 2.0, 2.0], [4.0, 1.0, 2.0]])
    # Boxes of 4 by 2 and 3 by 1 and 1 by 1 in the plane, each one deep.
    assert hypervolume(points, np.array([5.0, 5.0, 3.0])) == pytest.approx(4 * 2 + 3 * 1 + 1 * 1)
    assert hypervolume(points, np.array([1.0, 5.0, 3.0])) == 0
    assert list(reference_of(points)) == pytest.approx([4.4, 3.3, 2.2])
    assert [chosen(points, np.array(w)) for w in ([1, 0, 0], [0, 1, 0], [1, 1, 0])] == [0, 2, 1]
    assert all_differ(points)
    assert not all_differ(np.concatenate([points, [[2.0, 3.0, 2.0]]]))


def test_weights_are_read() -> None:
    assert list(parse_weights("cost=2, co2e=6")) == [0.25, 0, 0.75]
    assert list(parse_reference("co2e=3,cost=1,time=2")) == [1, 2, 3]
    for text in ("cost", "cost=x", "cost=nan", "price=1", "cost=1,cost=2", "cost=-1", "cost=0", ""):
        with pytest.raises(Misuse, match="--weights"):
            parse_weights(text)
    with pytest.raises(Misuse, match="time"):
        parse_reference("cost=1,co2e=2")
