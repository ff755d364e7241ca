"""Which algorithm of a collective is best on four topologies, by the model alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks import form
from benchmarks.form import Asked
from benchmarks.simulate import library_defaults
from benchmarks.simulate.simulate import Part
from rooftop.simulate.collectives import ALGORITHMS, collective_seconds
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.platform import Platform
from rooftop.text.quantities import seconds, size

ORDER = 20
TITLE = "Collectives on four topologies, by the model alone"

NODES, CORES = 64, 16
SIZES = (8, 256, 4096, 65536, 1 << 20, 1 << 24)
SHAPES: dict[str, dict[str, Any]] = {
    "crossbar": {"topology": "crossbar"},
    "torus": {"topology": "torus", "dimensions": [4, 4, 4]},
    "fat tree": {"topology": "fat_tree", "down": [8, 8], "up": [1, 4], "links": [1, 1]},
    "dragonfly": {"topology": "dragonfly", "groups": 4, "chassis": 2, "routers": 4, "nodes_per_router": 2},
}
# The model knows no congestion of many senders at one receiver, so that sending all at once would always be best.
_LEFT_OUT = {("alltoall", "linear")}

_ABOUT = f"""\
{NODES} nodes of {CORES} cores of round figures: 12.5 GB/s and 0.1 µs a link, 1.6 µs a message. The fat tree has
half as many links between its switches as nodes below, the dragonfly one link between two groups of sixteen nodes. A
cell is the best of our algorithms, and then how many times as long the choices of Open MPI and MPICH take: those of
Open MPI 4.1's fixed rules (its component coll/tuned), and of MPICH's rules by size (Thakur, Rabenseifner and Gropp
2005). `knomial` is counted as a binomial tree and `linear_sync`, which has a few messages under way, as `linear`;
`nonoverlapping`, a sum at one rank and then a broadcast, is none of ours. Sending all blocks at once is left out of
the best: the model knows no congestion at a receiver, so that its factors are too low, and may be below 1.
"""


def platform(shape: dict[str, Any]) -> Platform:
    """Return a cluster of round figures with this topology."""
    return Platform.model_validate(
        {
            "title": "64 nodes of 16 cores",
            "nodes": NODES,
            "node": {
                "cores": CORES,
                "core_flops_per_s": 1e10,
                "memory_bytes_per_s": 1e11,
                "core_memory_bytes_per_s": 1e10,
            },
            "network": shape | {"link_latency_s": 1e-7, "link_bytes_per_s": 12.5e9},
            "messages": {"latency_s": 1e-6, "overhead_s": 3e-7, "eager_limit_bytes": 8192},
            "within_node": {"latency_s": 2e-7, "overhead_s": 1e-7, "eager_limit_bytes": 4096},
            "sources": [
                {"figures": ["nodes", "node", "network", "messages", "within_node"], "how": "assumed", "says": "round"}
            ],
        }
    )


def best(layout: Layout, collective: str, bytes_: int) -> tuple[str, float]:
    """Return the algorithm that takes least, and its seconds."""
    known = [name for name in ALGORITHMS[collective] if (collective, name) not in _LEFT_OUT]
    taken = {name: collective_seconds(layout, collective, bytes_, name).seconds for name in known}
    name = min(taken, key=taken.__getitem__)
    return name, taken[name]


def _over_best(layout: Layout, collective: str, bytes_: int, chosen: str, least_s: float) -> str:
    """Return how many times as long a library's choice takes, where it is one of ours."""
    name = library_defaults.NEAREST.get(chosen, chosen)
    if name not in ALGORITHMS[collective]:
        return "–"
    return f"{collective_seconds(layout, collective, bytes_, name).seconds / least_s:.2f}"


def _row(layouts: Sequence[Layout], collective: str, bytes_: int) -> tuple[str, ...]:
    chosen = (
        library_defaults.open_mpi(collective, bytes_, layouts[0].ranks),
        library_defaults.mpich(collective, bytes_),
    )
    cells = []
    for layout in layouts:
        name, least_s = best(layout, collective, bytes_)
        over = ", ".join(_over_best(layout, collective, bytes_, one, least_s) for one in chosen)
        cells.append(f"{name}, {seconds(least_s)}; {over}")
    return (size(bytes_), *chosen, *cells)


def tables() -> Iterator[str]:
    """Yield a table for each collective and number of ranks on a node."""
    for per_node in (1, CORES):
        layouts = [laid_out(platform(shape), NODES * per_node, 1, per_node) for shape in SHAPES.values()]
        for collective in ALGORITHMS:
            sizes = [bytes_ for bytes_ in SIZES if collective != "alltoall" or bytes_ * NODES * per_node <= 1 << 30]
            rows = [_row(layouts, collective, bytes_) for bytes_ in sizes]
            told = f"`{collective}`, {NODES * per_node} ranks, {per_node} on a node:"
            yield f"{told}\n\n{form.table(('bytes', 'Open MPI 4.1', 'MPICH', *SHAPES), rows)}"


def rows() -> list[Asked]:
    """Return what the course says of trees and rings, beside what the model has."""
    crowded = {name: laid_out(platform(shape), NODES * CORES) for name, shape in SHAPES.items()}
    long = 1 << 24
    trees = {
        name: collective_seconds(one, "bcast", long, "near_first").seconds
        / collective_seconds(one, "bcast", long, "binomial").seconds
        for name, one in crowded.items()
    }
    apart = {name: laid_out(platform(shape), NODES, 1, 1) for name, shape in SHAPES.items()}
    rings = {
        name: collective_seconds(one, "allreduce", long, "rabenseifner").seconds
        / collective_seconds(one, "allreduce", long, "ring").seconds
        for name, one in apart.items()
    }

    def told(ratios: dict[str, float]) -> str:
        return ", ".join(f"{ratio:.2f} ({name})" for name, ratio in ratios.items())

    return [
        Asked(
            f"16 MiB from one rank to {NODES * CORES}: a tree with near ranks first over one with far ranks first",
            "longer, since all ranks of a node send at once in the end",
            f"{told(trees)} times as long",
            min(trees.values()) > 1,
        ),
        Asked(
            f"Sums of 16 MiB on {NODES} nodes: halves at growing distances over a ring",
            "",
            f"{told(rings)} times as long",
            None,
        ),
    ]


def part() -> Part:
    """Return the section."""
    return Part(rows(), [_ABOUT, *tables()])
