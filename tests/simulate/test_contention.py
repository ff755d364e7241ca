"""Messages on the busiest link, and links on the way: against routes that are counted one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from any_platform import shapes
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rooftop.simulate.contention import most_hops, shift_hops, shift_load, uniform_load
from rooftop.simulate.topologies import Dragonfly, FatTree, Topology, Torus
from rooftop.simulate.wiring import neighbours, wired

SHAPE: TypeAdapter[Topology] = TypeAdapter(Topology)
Link = tuple[int, int]


def torus(*dimensions: int) -> Torus:
    return Torus(topology="torus", dimensions=dimensions)


def torus_route(shape: Torus, start: int, end: int) -> Iterator[Link]:
    """Yield the links on the way, one dimension after the other and the shorter way round."""
    stride, here = 1, start
    for size in shape.dimensions:
        steps = (end // stride - start // stride) % size
        forward = steps <= size - steps
        for _ in range(min(steps, size - steps)):
            at = here // stride % size
            next_ = here + (((at + (1 if forward else -1)) % size) - at) * stride
            yield here, next_
            here = next_
        stride *= size


def dragonfly_route(shape: Dragonfly, start: int, end: int) -> Iterator[Link]:
    """Yield the links between routers on the way: along the chassis, between chassis, between groups, and so again."""
    of_group = shape.chassis * shape.routers
    one, other = start // shape.nodes_per_router, end // shape.nodes_per_router

    def within(here: int, there: int) -> Iterator[Link]:
        if here % shape.routers != there % shape.routers:
            middle = here - here % shape.routers + there % shape.routers
            yield here, middle
            here = middle
        if here != there:
            yield here, there

    group, to_group = one // of_group, other // of_group
    if group == to_group:
        yield from within(one, other)
        return
    way_out, way_in = group * of_group + to_group, to_group * of_group + group
    yield from within(one, way_out)
    yield way_out, way_in
    yield from within(way_in, other)


def busiest(routes: Iterable[Iterator[Link]]) -> int:
    used = Counter(link for route in routes for link in route)
    return max(used.values(), default=0)


@pytest.mark.parametrize("dimensions", [(8,), (4, 4), (2, 3, 4), (5, 3), (2, 2, 2)])
def test_shifts_of_a_torus(dimensions: tuple[int, ...]) -> None:
    shape = torus(*dimensions)
    for distance in range(1, shape.size):
        pairs = [(one, (one + distance) % shape.size) for one in range(shape.size)]
        counted = busiest(torus_route(shape, *pair) for pair in pairs)
        found = float(shift_load(shape, shape.size, distance))
        # Steps are means over all nodes: where a carry sends some one further, the busiest link may have more.
        assert found - 1e-9 <= counted <= 2 * found, distance
        ways = [len(list(torus_route(shape, *pair))) for pair in pairs]
        assert max(ways) <= float(shift_hops(shape, shape.size, distance)) <= max(ways) + len(dimensions)


@pytest.mark.parametrize(("distance", "load"), [(1, 1), (2, 2), (4, 4), (5, 3), (8, 1), (16, 2), (24, 2), (32, 1)])
def test_shifts_along_one_dimension_are_exact(distance: int, load: int) -> None:
    assert float(shift_load(torus(8, 5), 40, distance)) == load


@pytest.mark.parametrize("dimensions", [(8,), (4, 4), (4, 6, 8), (5, 3)])
def test_all_to_all_on_a_torus(dimensions: tuple[int, ...]) -> None:
    shape = torus(*dimensions)
    pairs = itertools.permutations(range(shape.size), 2)
    counted = busiest(torus_route(shape, *pair) for pair in pairs)
    assert uniform_load(shape, shape.size) == counted


@pytest.mark.parametrize(
    ("groups", "chassis", "routers", "nodes"), [(4, 2, 4, 2), (3, 1, 4, 2), (3, 3, 4, 1), (1, 3, 3, 2)]
)
def test_all_to_all_on_a_dragonfly(groups: int, chassis: int, routers: int, nodes: int) -> None:
    shape = Dragonfly(topology="dragonfly", groups=groups, chassis=chassis, routers=routers, nodes_per_router=nodes)
    pairs = itertools.permutations(range(shape.size), 2)
    counted = busiest(dragonfly_route(shape, *pair) for pair in pairs)
    # A node's own link is the busiest where there are few nodes on each router.
    assert uniform_load(shape, shape.size) == max(counted, shape.size - 1)


def test_shifts_by_groups_of_a_dragonfly_share_one_link() -> None:
    shape = Dragonfly(topology="dragonfly", groups=4, chassis=2, routers=4, nodes_per_router=2)
    group = shape.size // 4
    pairs = [(one, (one + group) % shape.size) for one in range(shape.size)]
    assert busiest(dragonfly_route(shape, *pair) for pair in pairs) == group
    for distance in range(1, shape.size):
        moved = [(one, (one + distance) % shape.size) for one in range(shape.size)]
        counted = busiest(dragonfly_route(shape, *pair) for pair in moved)
        load = float(shift_load(shape, shape.size, distance))
        # One that leaves the group may share a link within it with one that does not.
        assert load <= max(1, counted) <= 2 * load


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.integers(0, 64))
def test_what_leaves_a_subtree_shares_its_links(low: int, high: int, up: int, links: int, distance: int) -> None:
    shape = FatTree(topology="fat_tree", down=(low, high), up=(1, up), links=(1, links))
    nodes = shape.size
    leaving = sum((one + distance) % nodes // low != one // low for one in range(low))
    expected = max(1.0, leaving / (up * links)) if distance % nodes else 0.0
    assert float(shift_load(shape, nodes, distance)) == pytest.approx(expected)


@settings(max_examples=40)
@given(shapes(), st.integers(0, 200))
def test_loads_and_ways_of_any_topology(given_shape: tuple[dict[str, object], int], distance: int) -> None:
    content, nodes = given_shape
    shape = SHAPE.validate_python(content)
    load, hops = float(shift_load(shape, nodes, distance)), float(shift_hops(shape, nodes, distance))
    assert (load > 0) == (hops > 0) == (distance % nodes > 0)
    assert 0 <= load <= nodes
    assert hops <= most_hops(shape, nodes) + len(content) or isinstance(shape, Torus)
    if nodes > 1:
        each = [float(shift_load(shape, nodes, one)) for one in range(1, nodes)]
        # Taken one after the other, the steps load a link at least as long as all messages at once do.
        assert uniform_load(shape, nodes) <= 2 * sum(each) + nodes


@given(shapes())
def test_every_node_has_links_and_all_hang_together(given_shape: tuple[dict[str, object], int]) -> None:
    content, nodes = given_shape
    shape = SHAPE.validate_python(content)
    wiring = wired(shape, nodes)
    assert wiring.nodes == nodes
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in wiring.places)
    known = dict(neighbours(wiring))
    reached, new = {0}, {0}
    while new:
        new = {other for one in new for other in known[one]} - reached
        reached |= new
    assert reached == set(known)
