"""A platform as a picture: its network, one of its nodes, and what a message costs by its size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rooftop.errors import Misuse
from rooftop.report.network_picture import TITLE_POINTS, Network, draw_network
from rooftop.report.palette import light
from rooftop.simulate.contention import most_hops
from rooftop.simulate.platform import Platform
from rooftop.simulate.steps import message_seconds
from rooftop.simulate.topologies import Crossbar, Dragonfly, FatTree, Topology, Torus
from rooftop.simulate.wiring import wired
from rooftop.text.plural import plural
from rooftop.text.quantities import quantity, seconds, size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SMALL = 8  # points
_MOST_DRAWN = 1024  # nodes: more are a grey surface
_MOST_CORES = 256
ENDINGS = (".png", ".svg", ".pdf")


def shape_text(shape: Topology) -> str:
    """Return a topology with its dimensions in words."""
    if isinstance(shape, Torus):
        return f"torus of {' x '.join(map(str, shape.dimensions))}"
    if isinstance(shape, FatTree):
        return f"fat tree of {plural(len(shape.down), 'level')}, {' x '.join(map(str, shape.down))} below"
    if isinstance(shape, Dragonfly):
        inside = f"{shape.chassis} x {shape.routers} routers of {plural(shape.nodes_per_router, 'node')}"
        return f"dragonfly of {plural(shape.groups, 'group')} of {inside}"
    assert isinstance(shape, Crossbar)
    return "crossbar" if shape.backbone_bytes_per_s is None else "crossbar with a backbone"


def network(platform: Platform) -> Network:
    """Return the network as it is drawn. Raises Misuse where it has too many nodes for a picture."""
    if platform.nodes > _MOST_DRAWN:
        raise Misuse(f"the platform has {platform.nodes} nodes, expected at most {_MOST_DRAWN} for a picture")
    wiring = wired(platform.network.shape, platform.nodes)
    links = [(wiring.places[one], wiring.places[other], float(count)) for one, other, count in wiring.links]
    name = f"{plural(platform.nodes, 'node')}: {shape_text(platform.network.shape)}"
    return Network(name, wiring.places[: wiring.nodes], links, wiring.places[wiring.nodes :])


def _draw_node(axes: Axes, platform: Platform) -> None:
    """Draw the cores of a node as squares, group by group, above the memory that they share."""
    from matplotlib.patches import Rectangle

    node = platform.node
    per_group = min(node.cores // node.groups, _MOST_CORES // node.groups or 1)
    columns = max(1, round(per_group**0.5))
    rows = -(-per_group // columns)
    for group in range(node.groups):
        left = group * (columns + 1.0)
        for core in range(per_group):
            place = (left + core % columns, 1.2 + core // columns)
            axes.add_patch(Rectangle(place, 0.8, 0.8, facecolor=light("rung"), edgecolor="none"))
        axes.add_patch(Rectangle((left, 0.2), columns - 0.2, 0.6, facecolor=light("bandwidth"), edgecolor="none"))
        axes.plot([left + columns / 2 - 0.1] * 2, [0.8, 1.2], color=light("muted"), linewidth=3)
    axes.set_xlim(-0.5, node.groups * (columns + 1.0) - 0.5)
    axes.set_ylim(-0.4, rows + 1.6)
    axes.set_aspect("equal")
    axes.set_axis_off()
    of_group = f", {plural(node.groups, 'group')}" if node.groups > 1 else ""
    one = f", one core {quantity(node.core_memory_bytes_per_s, 'byte/s')}" if node.core_memory_bytes_per_s else ""
    told = (
        f"a node: {plural(node.cores, 'core')}{of_group}, {quantity(node.core_flops_per_s, 'flop/s')} each\n"
        f"memory {quantity(node.memory_bytes_per_s, 'byte/s')}{one}"
    )
    axes.set_title(told, fontsize=TITLE_POINTS, parse_math=False)


def _draw_messages(axes: Axes, platform: Platform) -> None:
    links = platform.network
    sizes = 2.0 ** np.arange(0, 27)
    per_byte = 1 / min(links.node_bytes_per_s, links.link_bytes_per_s)
    far_s = most_hops(links.shape, platform.nodes) * links.link_latency_s
    lines = [("between the farthest nodes", platform.messages, per_byte, far_s, "rung")] if platform.nodes > 1 else []
    if platform.within_node is not None or not lines:
        node = platform.node
        copied = 2 / (node.core_memory_bytes_per_s or node.group_memory_bytes_per_s)
        lines.append(("within a node", platform.within_node or platform.messages, copied, 0.0, "bandwidth"))
    for name, messages, slowest, links_s, colour in lines:
        taken = message_seconds(messages, sizes, slowest, links_s)
        some = taken > 0  # a platform may have no latency
        axes.plot(sizes[some], taken[some], color=light(colour), linewidth=2, label=name)
        end = f"{seconds(float(taken[0]))} for a byte, {seconds(float(taken[20]))} for {size(2.0**20)}"
        axes.plot([], [], " ", label=end)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes", fontsize=_SMALL)
    axes.set_ylabel("seconds", fontsize=_SMALL)
    axes.grid(color=light("grid"))
    axes.tick_params(labelsize=_SMALL, color=light("rule"))
    axes.legend(fontsize=_SMALL, frameon=False)
    rule = platform.progress.rule
    proceeds = {"calls": "inside MPI calls", "thread": "by a thread", "hardware": "by the network card"}[rule]
    axes.set_title(
        f"a message alone; it proceeds {proceeds}, and in {platform.progress.share():.0%} of the computing time",
        fontsize=TITLE_POINTS,
        parse_math=False,
    )


def write_platform_picture(platform: Platform, path: Path) -> None:
    """Write the picture, in the format of the file's name. Raises Misuse and OSError."""
    if path.suffix.lower() not in ENDINGS:
        raise Misuse(
            f"the picture is {path}, expected a name that ends with {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        )
    drawn = network(platform)
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 6.5), layout="constrained", facecolor=light("paper"))
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(2, 2, width_ratios=[1.25, 1])
    draw_network(figure.add_subplot(grid[:, 0]), drawn)
    _draw_node(figure.add_subplot(grid[0, 1]), platform)
    _draw_messages(figure.add_subplot(grid[1, 1]), platform)
    figure.suptitle(platform.title, fontsize=_SMALL + 3, parse_math=False)
    figure.savefig(path, dpi=120, facecolor=light("paper"), metadata={"Date": None} if path.suffix == ".svg" else None)
