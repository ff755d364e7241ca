"""The links of a topology one by one, and where its nodes and switches lie in a picture.

Numbers of nodes and switches are those that SimGrid gives them, so that a route counted here is one that it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rooftop.simulate.topologies import Crossbar, Dragonfly, FatTree, Topology, Torus

Place = tuple[float, float]


@dataclass(frozen=True)
class Wiring:
    """Nodes come first, then switches; a link has two of these numbers and how many there are side by side."""

    nodes: int
    places: Sequence[Place]
    links: Sequence[tuple[int, int, int]]


def _crossbar(nodes: int) -> Wiring:
    if nodes == 1:  # which sends to nobody
        return Wiring(1, [(0.0, 0.0)], [])
    around = [(math.cos(turn), math.sin(turn)) for turn in (2 * math.pi * one / nodes for one in range(nodes))]
    return Wiring(nodes, [*around, (0.0, 0.0)], [(one, nodes, 1) for one in range(nodes)])


def _torus(shape: Torus) -> Wiring:
    strides = [math.prod(shape.dimensions[:axis]) for axis in range(len(shape.dimensions))]
    links = []
    places = []
    for node in range(shape.size):
        at = [node // stride % size for stride, size in zip(strides, shape.dimensions, strict=True)]
        for axis, (stride, size) in enumerate(zip(strides, shape.dimensions, strict=True)):
            next_ = node + ((at[axis] + 1) % size - at[axis]) * stride
            if size > 2 or next_ > node:
                links.append((node, next_, 1))
        # The third dimension goes back into the picture, further ones set copies of all side by side.
        x, y, z, *more = [*at, 0, 0][: max(3, len(at))]
        width, aside = shape.dimensions[0] + 1.0, 0.0
        if len(shape.dimensions) > 2:
            width += 0.45 * shape.dimensions[2]
        for digit, size in zip(more, shape.dimensions[3:], strict=False):
            aside, width = aside + digit * width, width * size
        # Rows and columns are bowed, so that the links which close them are seen beside them.
        bow_x, bow_y = (
            0.25 * (2 * at_ / size - 1) ** 2 for at_, size in ((y, _extent(shape, 1)), (x, _extent(shape, 0)))
        )
        places.append((x + 0.45 * z + aside + bow_x, y + 0.3 * z + bow_y))
    return Wiring(shape.size, places, links)


def _extent(shape: Torus, axis: int) -> int:
    """Return how far the nodes of an axis are apart, 1 at least."""
    return max(1, shape.dimensions[axis] - 1) if axis < len(shape.dimensions) else 1


def _fat_tree(shape: FatTree) -> Wiring:
    levels = len(shape.down)
    numbers: list[dict[tuple[int, ...], int]] = []
    places: list[Place] = []
    for level in range(levels + 1):
        # A switch of a level has, for each level below, which of the parallel ones it is, and for each above, whose.
        digits = [shape.up[at] if at < level else shape.down[at] for at in range(levels)]
        names = [tuple(reversed(one)) for one in product(*(range(size) for size in reversed(digits)))]
        numbers.append({name: len(places) + place for place, name in enumerate(names)})
        gap = shape.size / len(names)
        places += [((place + 0.5) * gap, level * max(1.0, shape.size / (2.2 * levels))) for place in range(len(names))]
    links = []
    for level in range(levels):
        for name, number in numbers[level].items():
            for above in range(shape.up[level]):
                parent = (*name[:level], above, *name[level + 1 :])
                links.append((number, numbers[level + 1][parent], shape.links[level]))
    return Wiring(shape.size, places, links)


def _dragonfly(shape: Dragonfly) -> Wiring:
    of_group = shape.chassis * shape.routers
    radius = max(1.0, 0.45 * of_group)
    places: list[Place] = []
    routers: list[Place] = []
    for group in range(shape.groups):
        turn = 2 * math.pi * group / shape.groups
        away = 1.6 * radius / math.sin(math.pi / shape.groups) if shape.groups > 1 else 0.0
        centre = (away * math.cos(turn), away * math.sin(turn))
        for router in range(of_group):
            own = turn + 2 * math.pi * (router + 0.5) / of_group
            routers.append((centre[0] + radius * math.cos(own), centre[1] + radius * math.sin(own)))
            for node in range(shape.nodes_per_router):
                out = own + 0.16 * (node - (shape.nodes_per_router - 1) / 2)
                places.append((centre[0] + 1.35 * radius * math.cos(out), centre[1] + 1.35 * radius * math.sin(out)))
    first = shape.size
    links = [(node, first + node // shape.nodes_per_router, 1) for node in range(shape.size)]
    for group in range(shape.groups):
        own = first + group * of_group
        for chassis, router in product(range(shape.chassis), range(shape.routers)):
            here = own + chassis * shape.routers + router
            links += [(here, here + away, shape.router_links) for away in range(1, shape.routers - router)]
            links += [
                (here, here + away * shape.routers, shape.chassis_links) for away in range(1, shape.chassis - chassis)
            ]
        for other in range(group + 1, shape.groups):
            links.append((own + other, first + other * of_group + group, shape.group_links))
    return Wiring(shape.size, [*places, *routers], links)


def wired(shape: Topology, nodes: int) -> Wiring:
    """Return the links of a topology; of a crossbar, which has no size of its own, those of so many nodes."""
    if isinstance(shape, Torus):
        return _torus(shape)
    if isinstance(shape, FatTree):
        return _fat_tree(shape)
    if isinstance(shape, Dragonfly):
        return _dragonfly(shape)
    assert isinstance(shape, Crossbar)
    return _crossbar(nodes)


def neighbours(wiring: Wiring) -> Iterator[tuple[int, set[int]]]:
    """Yield each node and switch with those that it has a link to."""
    found: dict[int, set[int]] = {one: set() for one in range(len(wiring.places))}
    for one, other, _ in wiring.links:
        found[one].add(other)
        found[other].add(one)
    yield from found.items()
