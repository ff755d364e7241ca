"""Networks as matplotlib draws them: nodes at their places, and links as wide as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rooftop.report.palette import light

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]
TITLE_POINTS = 9


@dataclass(frozen=True)
class Network:
    """A graph as it is drawn.

    nodes     where they lie
    links     the ends of each, and how wide it is
    switches  where those lie that are no nodes
    """

    name: str
    nodes: Sequence[Place]
    links: Sequence[tuple[Place, Place, float]]
    switches: Sequence[Place] = ()


def draw_network(axes: Axes, graph: Network) -> None:
    """Draw a network: its links, then switches, then nodes."""
    from matplotlib.collections import LineCollection

    widest = max((width for _, _, width in graph.links), default=1.0)
    widths = [0.6 + 3.0 * (width - 1) / max(1.0, widest - 1) for _, _, width in graph.links]
    lines = [[start, end] for start, end, _ in graph.links]
    axes.add_collection(LineCollection(lines, linewidths=widths, colors=light("muted"), zorder=1))
    if graph.switches:
        xs, ys = [x for x, _ in graph.switches], [y for _, y in graph.switches]
        axes.scatter(xs, ys, s=22, marker="s", color=light("peer"), zorder=2)
    xs, ys = [x for x, _ in graph.nodes], [y for _, y in graph.nodes]
    axes.scatter(xs, ys, s=18, color=light("rung"), zorder=3)
    ys += [y for _, y in graph.switches]
    axes.margins(0.08)
    axes.set_axis_off()
    axes.set_title(graph.name, fontsize=TITLE_POINTS, parse_math=False)
    if max(ys) - min(ys) > 0:
        axes.set_aspect("equal")
