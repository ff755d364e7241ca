"""Inputs on which a time limit is hard to keep: many cities, all at one place, in rows; a network of 40 000 nodes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]
_SIDE = 200  # of the grid of nodes


def _uniform(cities: int) -> Places:
    return np.random.default_rng(1).uniform(0, 1e6, (cities, 2))


def _clustered(cities: int) -> Places:
    rng = np.random.default_rng(1)
    places: Places = rng.uniform(0, 1e6, (20, 2))[rng.integers(20, size=cities)]
    places += rng.normal(0, 1000, (cities, 2))
    return places


def _lattice(rows: int, columns: int) -> Places:
    return np.stack(np.meshgrid(np.arange(0.0, 10.0 * rows, 10), np.arange(0.0, 10.0 * columns, 10)), -1).reshape(-1, 2)


def _two_places(cities: int) -> Places:
    return np.repeat([[0.0, 0.0], [1000.0, 0.0]], cities // 2, axis=0)


PLACES: dict[str, Callable[[], Places]] = {
    "3 cities": lambda: _uniform(3),
    "3000 cities at one place": lambda: np.full((3000, 2), 7.0),
    "100 000 cities at one place": lambda: np.full((100_000, 2), 7.0),
    "100 000 cities at two places": lambda: _two_places(100_000),
    "100 000 cities in a row": lambda: np.stack([np.arange(100_000.0), np.zeros(100_000)], 1),
    "a lattice of 100 by 1000 cities": lambda: _lattice(100, 1000),
    "1000 random cities": lambda: _uniform(1000),
    "100 000 random cities": lambda: _uniform(100_000),
    "100 000 clustered cities": lambda: _clustered(100_000),
    "1 000 000 random cities": lambda: _uniform(1_000_000),
}


def write_tsplib(places: Places, file: Path) -> None:
    """Write cities as TSPLIB has them."""
    rows = "".join(f"{place} {x:.1f} {y:.1f}\n" for place, (x, y) in enumerate(places, 1))
    head = f"NAME: cities\nTYPE: TSP\nDIMENSION: {len(places)}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    file.write_text(f"{head}{rows}EOF\n", encoding="ascii")


def write_network(folder: Path) -> None:
    """Write a grid of 40 000 nodes: roads between neighbours, 100 depots, 2000 shipments from any of them."""
    rng = np.random.default_rng(1)
    folder.mkdir()
    count = _SIDE * _SIDE
    depots = set(rng.choice(count, 100, replace=False).tolist())
    nodes = ["node_id,x_coord,y_coord,node_type,handling_cost,dwell_h"]
    kinds = ["depot" if node in depots else "customer" for node in range(count)]
    nodes += [f"n{node},{node % _SIDE},{node // _SIDE},{kind},," for node, kind in enumerate(kinds)]
    links = ["link_id,from_node_id,to_node_id,directed,length,free_speed,toll,capacity_t,indirect,surcharge"]
    for node in range(count):
        for step, inside in ((1, node % _SIDE + 1 < _SIDE), (_SIDE, node + _SIDE < count)):
            if inside:
                length = f"{rng.uniform(1, 3):.2f}"
                links.append(f"l{node}s{step},n{node},n{node + step},false,{length},80,,60,,")
    demands = ["demand_id,month,from_node_id,to_node_id,tonnes"]
    sources, customers = sorted(depots), sorted(set(range(count)) - depots)
    ends = zip(rng.choice(sources, 2000), rng.choice(customers, 2000), rng.uniform(1, 20, 2000), strict=True)
    demands += [f"d{place},1,n{one},n{other},{tonnes:.1f}" for place, (one, other, tonnes) in enumerate(ends)]
    for name, rows in (("node", nodes), ("link", links), ("demand", demands)):
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="ascii")
