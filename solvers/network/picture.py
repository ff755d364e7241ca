"""Plot of a front and of the chosen plan's flows: an HTML page, SVG or PNG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from rooftop.report.figure_page import Cell, Lines, Part, Picture, Table, write_figure_page
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.solvers.network.document import Figures, NetworkDocument
from rooftop.solvers.network.model import UNITS
from rooftop.solvers.network.run import Solved
from rooftop.solvers.running.report import write_plot
from rooftop.text.quantities import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FRONT_HEIGHT, _FLOW_HEIGHT, _HISTORY_HEIGHT = 380, 620, 320  # pixels
_WIDEST, _THINNEST = 9.0, 1.5  # of a flow's line, pixels
_LABELS_UP_TO = 60  # nodes: more names would hide the flows
_ROLES = {"depot": ("alarm", "square", "s"), "hub": ("bandwidth", "diamond", "D"), "customer": ("peer", "circle", "o")}
_CLASSES = 5  # of line widths: one trace each
_PAIRS = (("cost", "co2e"), ("cost", "time"), ("time", "co2e"))


def _column(document: NetworkDocument, objective: str) -> list[float]:
    return [float(getattr(one, objective)) for one in document.front]


def _label(objective: str) -> str:
    return f"{objective} [{UNITS[objective]}]" if objective != "co2e" else "CO2e [kg]"


def _places(solved: Solved) -> dict[str, tuple[float, float]] | None:
    """Return the nodes' coordinates, or None unless all nodes have them."""
    found = {
        n.node_id: (n.x_coord, n.y_coord)
        for n in solved.network.nodes
        if n.x_coord is not None and n.y_coord is not None
    }
    return found if len(found) == len(solved.network.nodes) else None


def _flows(solved: Solved) -> list[tuple[str, str, float, bool]]:
    """Return start, end, tonnes over all months, and whether the link is indirect, for each arc with a load."""
    links = {link.link_id: link for link in solved.network.links}
    sums: dict[tuple[str, str], float] = defaultdict(float)
    assert solved.bill is not None
    for (_, name, start), kg in solved.bill.loads.items():
        sums[name, start] += kg / 1000
    ends = {(n, s): links[n].to_node_id if s == links[n].from_node_id else links[n].from_node_id for n, s in sums}
    return [(start, ends[name, start], tonnes, links[name].indirect) for (name, start), tonnes in sums.items()]


def _beside(
    a: tuple[float, float], b: tuple[float, float], by: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Shift an arc a little to its right, so that both directions of a road are visible."""
    along = np.subtract(b, a)
    size = float(np.hypot(*along)) or 1.0
    aside = by * np.array([along[1], -along[0]]) / size
    return tuple(np.add(a, aside)), tuple(np.add(b, aside))


def _extent(places: dict[str, tuple[float, float]]) -> float:
    return float(np.ptp(np.array(list(places.values())), axis=0).max()) or 1.0


def _front_figure(document: NetworkDocument, x: str, y: str) -> Figure:
    assert document.chosen is not None
    best = document.chosen.plan
    xs, ys = _column(document, x), _column(document, y)
    shared = {"mode": "markers", "hovertemplate": f"plan %{{text}}<br>{x} %{{x:.5g}}<br>{y} %{{y:.5g}}<extra></extra>"}
    numbers = [str(i) for i in range(len(xs))]
    front = go.Scatter(x=xs, y=ys, text=numbers, marker={"size": 7, "color": light("rung")}, name="front", **shared)
    one = {"size": 14, "color": light("alarm"), "symbol": "star"}
    star = go.Scatter(x=[xs[best]], y=[ys[best]], text=[numbers[best]], marker=one, name="chosen", **shared)
    layout = {"xaxis": axis(_label(x)), "yaxis": axis(_label(y)), "height": _FRONT_HEIGHT}
    return finished([front, star], layout)


def _flow_figure(solved: Solved, places: dict[str, tuple[float, float]]) -> Figure:
    flows, by = _flows(solved), 0.006 * _extent(places)
    most = max(tonnes for _, _, tonnes, _ in flows)
    traces = []
    for dotted in (False, True):
        for step in range(_CLASSES):
            x: list[float | None] = []
            y: list[float | None] = []
            for a, b, tonnes, indirect in flows:
                if indirect != dotted or min(_CLASSES - 1, int(_CLASSES * tonnes / most)) != step:
                    continue
                (x0, y0), (x1, y1) = _beside(places[a], places[b], by)
                x += [x0, x1, None]
                y += [y0, y1, None]
            width = _THINNEST + (_WIDEST - _THINNEST) * step / (_CLASSES - 1)
            line = {"width": width, "color": light("rung"), "dash": "dot" if dotted else "solid"}
            if x:
                traces.append(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    for role, (colour, symbol, _) in _ROLES.items():
        nodes = [n.node_id for n in solved.network.nodes if n.node_type == role]
        marker = {"size": 11, "color": light(colour), "symbol": symbol}
        if nodes:
            traces.append(
                go.Scatter(
                    x=[places[n][0] for n in nodes],
                    y=[places[n][1] for n in nodes],
                    text=[plain(n) for n in nodes],
                    mode="markers+text" if len(places) <= _LABELS_UP_TO else "markers",
                    textposition="top center",
                    textfont={"size": 11, "color": light("ink")},
                    marker=marker,
                    hovertemplate="%{text}<extra></extra>",
                    name=role,
                )
            )
    layout = {
        "xaxis": axis("x"),
        "yaxis": axis("y", scaleanchor="x", scaleratio=1),
        "height": _FLOW_HEIGHT,
    }
    return finished(traces, layout)


def _history_figure(document: NetworkDocument) -> Figure:
    trace = go.Scatter(
        x=[point.seconds for point in document.history],
        y=[point.hypervolume for point in document.history],
        mode="lines+markers",
        line={"shape": "hv", "width": 2, "color": light("rung")},
        marker={"size": 4, "color": light("rung")},
        hovertemplate="%{y:.5g} after %{x:.2f} s<extra></extra>",
    )
    return finished([trace], {"xaxis": axis("seconds"), "yaxis": axis("hypervolume"), "height": _HISTORY_HEIGHT})


def _row(number: int, one: Figures) -> list[Cell]:
    figures = (one.cost, one.time, one.co2e)
    return [Cell(str(number), number), *(Cell(f"{figure:,.1f}".replace(",", " "), figure) for figure in figures)]


def _sentence(document: NetworkDocument) -> str:
    return (
        f"{whole(document.demands)} demands of {document.months} months, {len(document.front)} plans after "
        f"{document.seconds:.1f} s and {whole(document.iterations)} ants, seed {document.seed}"
    )


def _write_page(solved: Solved, path: Path) -> None:
    document = solved.document
    parts: list[Part] = []
    for x, y in _PAIRS:
        says = f"Each point is a plan that no other beats in all objectives at once; here {x} against {y}."
        parts.append(
            Picture(f"The front: {x} and {y}", _front_figure(document, x, y), says, "The star is the chosen plan.")
        )
    if (places := _places(solved)) is not None:
        says = "Tonnes of the chosen plan over all months: wider lines carry more. Dotted: indirect links."
        roles = "Squares are depots, diamonds hubs, circles customers."
        parts.append(Picture("The chosen plan's flows", _flow_figure(solved, places), says, f"{says} {roles}"))
    else:
        parts.append(Lines("The chosen plan's flows", ["Some nodes have no coordinates (x_coord, y_coord) to plot."]))
    columns = ("plan", *(_label(name) for name in UNITS))
    rows = [_row(i, one) for i, one in enumerate(document.front)]
    parts.append(Table("All plans of the front", columns, rows, frozenset(range(len(columns)))))
    says = "Hypervolume of the front over time."
    parts.append(Picture("How it was found", _history_figure(document), says))
    write_figure_page(path, f"Plans of {plain(document.name)}", _sentence(document), parts, document.rooftop)


def _draw_front(axes: Axes, document: NetworkDocument) -> None:
    assert document.chosen is not None
    cost, time, co2e = (_column(document, name) for name in UNITS)
    best = document.chosen.plan
    points = axes.scatter(cost, co2e, c=time, cmap="viridis", s=18)
    axes.plot(cost[best], co2e[best], "*", color=light("alarm"), markersize=14, label="chosen")
    axes.set_xlabel(_label("cost"))
    axes.set_ylabel(_label("co2e"))
    axes.figure.colorbar(points, ax=axes, label=_label("time"))
    axes.set_title("The front: plans that no other beats in all objectives at once", fontsize=10)
    axes.legend(frameon=False)


def _draw_flows(axes: Axes, solved: Solved, places: dict[str, tuple[float, float]]) -> None:
    flows, by = _flows(solved), 0.006 * _extent(places)
    most = max(tonnes for _, _, tonnes, _ in flows)
    for a, b, tonnes, indirect in flows:
        (x0, y0), (x1, y1) = _beside(places[a], places[b], by)
        width = 0.8 + 5 * tonnes / most
        axes.plot([x0, x1], [y0, y1], ":" if indirect else "-", color=light("rung"), linewidth=width, zorder=1)
    for role, (colour, _, marker) in _ROLES.items():
        some = [n.node_id for n in solved.network.nodes if n.node_type == role]
        xs: Sequence[float] = [places[n][0] for n in some]
        ys: Sequence[float] = [places[n][1] for n in some]
        axes.plot(xs, ys, marker, color=light(colour), markersize=7, label=role, zorder=2)
    if len(places) <= _LABELS_UP_TO:
        for name, place in places.items():
            axes.annotate(name, place, xytext=(4, 5), textcoords="offset points", fontsize=8, parse_math=False)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title("Tonnes of the chosen plan over all months: wider lines carry more", fontsize=10)
    axes.legend(frameon=False, loc="best")


def _write_drawing(solved: Solved, path: Path) -> None:
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing

    places = _places(solved)
    drawing = Drawing(figsize=(14, 6.5) if places else (8, 6.5), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.subplots(1, 2 if places else 1, squeeze=False)[0]
    _draw_front(axes[0], solved.document)
    if places:
        _draw_flows(axes[1], solved, places)
    drawing.suptitle(f"{solved.document.name}: {_sentence(solved.document)}", fontsize=10, parse_math=False)
    drawing.savefig(path, dpi=150)


def write(solved: Solved, path: Path) -> None:
    """Write the plot in the format that the file's name ends in. Raises Misuse if it cannot be written."""
    write_plot(path, lambda: _write_page(solved, path), lambda: _write_drawing(solved, path))
