"""Plot of a deformed body and of the convergence: an HTML page, SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from rooftop.report.figure_page import Cell, Part, Picture, Table, write_figure_page
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.solvers.elasticity.document import ElasticityDocument
from rooftop.solvers.elasticity.run import Solved
from rooftop.solvers.running.report import write_plot
from rooftop.text.plural import plural
from rooftop.text.quantities import number, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
import math
from dataclasses import dataclass

from numpy.typing import NDArray

from rooftop.solvers.elasticity.problem import Problem

_BODY_HEIGHT, _CURVE_HEIGHT = 620, 320  # pixels
_TICKS = 6  # on the longest side of the body
_COLOURS = "viridis"
_COLOUR_BAR = {
    "title": {"text": "displacement", "side": "top"},
    "orientation": "h",
    "thickness": 12,
    "len": 0.7,
    "y": 0,
    "yanchor": "bottom",
}


def _sentence(document: ElasticityDocument) -> str:
    return (
        f"{document.size}, {whole(document.unknowns)} unknowns, {document.preconditioner}: "
        f"{plural(document.iterations, 'iteration')}, true residual {number(document.residual, 2)}, "
        f"{document.seconds:.2f} s"
    )


def _drawn(surface: Surface) -> str:
    if surface.factor == 1:
        return "Displacements are drawn to scale."
    return f"Displacements are drawn {surface.factor:g} times as large as they are."


def _body_figure(surface: Surface) -> Figure:
    x, y, z = surface.corners.reshape(-1, 3).T
    first = 4 * np.arange(len(surface.corners))
    corners = {name: np.concatenate([first + a, first + b]) for name, a, b in (("i", 0, 0), ("j", 1, 2), ("k", 2, 3))}
    mesh = go.Mesh3d(
        x=x,
        y=y,
        z=z,
        **corners,
        intensity=surface.lengths.reshape(-1),
        colorscale=_COLOURS,
        colorbar=_COLOUR_BAR,
        lighting={"ambient": 0.85, "diffuse": 0.3, "specular": 0.05},
        hovertemplate="%{intensity:.4g}<extra></extra>",
    )
    gap = np.full((1, 3), np.nan)
    lines = np.concatenate([part for edge in surface.edges for part in (edge, gap)])
    before = go.Scatter3d(
        x=lines[:, 0],
        y=lines[:, 1],
        z=lines[:, 2],
        mode="lines",
        line={"width": 2, "color": light("muted")},
        hoverinfo="skip",
    )
    plain_axes: dict[str, Any] = {
        f"{name}axis": {"title": {"text": name}, "showbackground": False, "gridcolor": light("grid")} for name in "xyz"
    }
    scene = {
        **plain_axes,
        "aspectmode": "data",
        "dragmode": "turntable",
        "domain": {"y": [0.12, 1]},
        "camera": {"eye": {"x": 1.6, "y": -1.9, "z": 1.0}},
    }
    layout = {"scene": scene, "height": _BODY_HEIGHT, "margin": {"l": 0, "r": 0, "t": 0, "b": 0}}
    return finished([mesh, before], layout)


def _curve(document: ElasticityDocument) -> tuple[list[int], list[float]]:
    """Return the numbers of iterations and the residuals after them."""
    return [point.iteration for point in document.history], [point.residual for point in document.history]


def _curve_figure(document: ElasticityDocument) -> Figure:
    steps, residuals = _curve(document)
    trace = go.Scatter(
        x=steps,
        y=residuals,
        mode="lines+markers",
        line={"width": 2, "color": light("rung")},
        marker={"size": 4, "color": light("rung")},
        hovertemplate="%{y:.3g} after %{x}<extra></extra>",
    )
    exponents = {"type": "log", "exponentformat": "e", "dtick": 2}
    layout = {
        "xaxis": axis("iterations"),
        "yaxis": axis("relative residual", **exponents),
        "height": _CURVE_HEIGHT,
        "margin": {"l": 64, "r": 16, "t": 16, "b": 48},
    }
    return finished([trace], layout)


def _table(document: ElasticityDocument) -> Table:
    rows = [
        ("largest displacement", number(document.largest_displacement, 5)),
        ("largest von Mises stress at an element's centre", number(document.largest_von_mises, 5)),
        ("true residual, relative to the load", number(document.residual)),
        (f"the same, recomputed at {whole(document.checked_nodes)} nodes", number(document.checked_residual)),
        ("largest error, relative to the largest exact displacement", number(document.error)),
        ("set-up time, s", number(document.setup_s)),
        ("total time, s", number(document.seconds)),
    ]
    return Table("In numbers", ["quantity", "value"], [[Cell(name), Cell(value)] for name, value in rows])


def _write_page(solved: Solved, path: Path) -> None:
    document, surface = solved.document, surface_of(solved.problem, solved.solution.displacement)
    says = "The outer faces of the deformed body, coloured by the length of the displacement."
    caption = f"{_drawn(surface)} The grey lines are the edges of the undeformed body."
    curve = "The norm of the residual relative to that of the load, after each iteration."
    parts: list[Part] = [
        Picture("The deformed body", _body_figure(surface), says, caption),
        Picture("Convergence", _curve_figure(document), curve),
        _table(document),
    ]
    write_figure_page(path, f"Elasticity of {plain(document.name)}", _sentence(document), parts, document.rooftop)


def _draw_body(axes: Any, surface: Surface) -> None:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    scale = Normalize(0, float(surface.lengths.max()) or 1.0)
    colours = colormaps[_COLOURS](scale(surface.lengths.mean(axis=1)))
    axes.add_collection3d(Line3DCollection(surface.edges, colors=light("muted"), linewidths=0.8))
    axes.add_collection3d(Poly3DCollection(surface.corners, facecolors=colours, edgecolors=colours, linewidths=0.3))
    every = np.concatenate([surface.corners.reshape(-1, 3), *surface.edges])
    least, most = every.min(axis=0), every.max(axis=0)
    axes.set(xlim=(least[0], most[0]), ylim=(least[1], most[1]), zlim=(least[2], most[2]))
    axes.set(xlabel="x", ylabel="y", zlabel="z")
    axes.set_box_aspect(most - least, zoom=0.88)
    for one, share in zip((axes.xaxis, axes.yaxis, axes.zaxis), (most - least) / (most - least).max(), strict=True):
        one.set_major_locator(MaxNLocator(max(1, round(_TICKS * share))))
    axes.view_init(elev=24, azim=-50)
    axes.figure.colorbar(ScalarMappable(scale, _COLOURS), ax=axes, label="displacement", shrink=0.6, pad=0.1)
    axes.set_title(f"The deformed body. {_drawn(surface)}", fontsize=10)


def _draw_curve(axes: Axes, document: ElasticityDocument) -> None:
    from matplotlib.ticker import MaxNLocator

    steps, residuals = _curve(document)
    axes.set_yscale("log")
    axes.plot(steps, residuals, ".-", color=light("rung"), linewidth=1.2, markersize=4)
    if not steps:  # there was no time for an iteration
        axes.set_ylim(document.tolerance / 10, 1)
    axes.axhline(document.tolerance, color=light("muted"), linewidth=0.8, linestyle=":")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("iterations")
    axes.set_ylabel("residual relative to the load")
    axes.set_title("Convergence (dotted line: tolerance)", fontsize=10)


def _write_drawing(solved: Solved, path: Path) -> None:
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(13, 6.5), layout="constrained")
    FigureCanvasAgg(drawing)
    places = drawing.add_gridspec(1, 2, width_ratios=(3, 2))
    surface = surface_of(solved.problem, solved.solution.displacement)
    _draw_body(drawing.add_subplot(places[0], projection="3d"), surface)
    _draw_curve(drawing.add_subplot(places[1]), solved.document)
    drawing.suptitle(f"{solved.document.name}: {_sentence(solved.document)}", fontsize=10, parse_math=False)
    drawing.savefig(path, dpi=150)


def write(solved: Solved, path: Path) -> None:
    """Write the plot in the format given by the file's suffix. Raises Misuse if it cannot be written."""
    write_plot(path, lambda: _write_page(solved, path), lambda: _write_drawing(solved, path))


_SHOWN = 0.1  # the largest displacement is drawn at most this long, relative to the extent of the body


@dataclass(frozen=True)
class Surface:
    """Surface of a deformed body.

    corners   displaced corners of the quadrilaterals, (quadrilaterals, 4, 3)
    lengths   lengths of the displacements of the corners, (quadrilaterals, 4)
    edges     edges of the undeformed body: lines through points (points, 3)
    factor    by which the drawn displacements are exaggerated
    """

    corners: NDArray[np.float64]
    lengths: NDArray[np.float64]
    edges: list[NDArray[np.float64]]
    factor: float


def _round(value: float) -> float:
    """Return the value rounded down to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-9)) * power)


def factor_of(extent: float, largest: float) -> float:
    """Return the factor by which the drawn displacements are exaggerated, for a body's extent and its largest one."""
    return _round(_SHOWN * extent / largest) if largest > 0 else 1.0


def surface_of(problem: Problem, displacement: NDArray[np.float64]) -> Surface:
    """Return the outer faces of a body with exaggerated displacements, and the edges of the undeformed body."""
    faces = problem.outer_faces(displacement)
    largest = math.sqrt(np.square(displacement).sum(axis=-1).max())
    factor = factor_of(float(np.ptp(faces.places.reshape(-1, 3), axis=0).max()), largest)
    lengths: NDArray[np.float64] = np.linalg.norm(faces.values, axis=-1)
    return Surface(faces.places + factor * faces.values, lengths, faces.edges, factor)
