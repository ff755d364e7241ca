"""Plot of a tour and of its length over time: an HTML page, SVG or PNG."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

import rooftop
from rooftop.errors import Misuse
from rooftop.report.figure_page import Lines, Part, Picture, write_figure_page
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.solvers.routing import Problem, Tour
from rooftop.solvers.running.report import write_plot
from rooftop.text.quantities import whole

_DOTS_UP_TO = 2_000  # cities: more dots would hide the tour
_TOUR_HEIGHT, _HISTORY_HEIGHT = 620, 320  # pixels
_INCHES = 8  # of a drawing


def _closed(problem: Problem, tour: Tour) -> NDArray[np.float64] | None:
    """Return the coordinates along the tour, back to the first city; None if the problem has none."""
    places = problem.coordinates
    if places is None:
        return None
    along: NDArray[np.float64] = places[np.append(tour.order, tour.order[0])]
    return along


def _tour_figure(places: NDArray[np.float64]) -> Figure:
    dots = len(places) <= _DOTS_UP_TO
    trace = go.Scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="lines+markers" if dots else "lines",
        line={"width": 1.2 if dots else 0.7, "color": light("rung")},
        marker={"size": 4, "color": light("peer")},
        hoverinfo="skip",
        showlegend=False,
    )
    layout = {"xaxis": axis("x"), "yaxis": axis("y", scaleanchor="x", scaleratio=1), "height": _TOUR_HEIGHT}
    return finished([trace], layout)


def _history_figure(tour: Tour) -> Figure:
    seconds = [*(point.seconds for point in tour.history), tour.seconds]
    lengths = [*(point.length for point in tour.history), tour.length]
    trace = go.Scatter(
        x=seconds,
        y=lengths,
        mode="lines+markers",
        line={"shape": "hv", "width": 2, "color": light("rung")},
        marker={"size": 4, "color": light("rung")},
        hovertemplate="%{y} after %{x:.2f} s<extra></extra>",
        showlegend=False,
    )
    layout = {"xaxis": axis("seconds"), "yaxis": axis("length of the best tour"), "height": _HISTORY_HEIGHT}
    return finished([trace], layout)


def _sentence(problem: Problem, tour: Tour, seed: int) -> str:
    return (
        f"{whole(problem.cities)} cities, length {whole(tour.length)} after "
        f"{tour.seconds:.1f} s and {whole(tour.iterations)} ants, seed {seed}"
    )


def write_page(problem: Problem, tour: Tour, seed: int, path: Path, refresh_s: float | None = None) -> None:
    """Write the page of a tour. Raises OSError. refresh_s: interval after which a browser reloads an interim page."""
    parts: list[Part] = []
    if (places := _closed(problem, tour)) is not None:
        parts.append(Picture("The tour", _tour_figure(places), "The closed tour through all cities, drawn to scale."))
    else:
        parts.append(Lines("The tour", ["The problem has distances only, no coordinates to plot."]))
    says = "Length of the best tour over time: it falls fast at first, then slowly."
    parts.append(Picture("How it was found", _history_figure(tour), says))
    aside = _sentence(problem, tour, seed) + ("" if refresh_s is None else "; the search goes on")
    write_figure_page(path, f"Tour of {plain(problem.name)}", aside, parts, rooftop.__version__, refresh_s)


def _write_drawing(problem: Problem, tour: Tour, seed: int, path: Path) -> None:
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing

    places = _closed(problem, tour)
    if places is None:
        raise Misuse(f"--plot {path}: the problem has no coordinates to draw; expected a file name that ends in .html")
    drawing = Drawing(figsize=(_INCHES, _INCHES), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.add_subplot()
    axes.plot(places[:, 0], places[:, 1], color=light("rung"), linewidth=0.8 if len(places) <= _DOTS_UP_TO else 0.4)
    if len(places) <= _DOTS_UP_TO:
        axes.plot(places[:, 0], places[:, 1], ".", color=light("peer"), markersize=4)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(f"{problem.name}: {_sentence(problem, tour, seed)}", fontsize=10, parse_math=False)
    drawing.savefig(path, dpi=150)


def write(problem: Problem, tour: Tour, seed: int, path: Path) -> None:
    """Write the plot in the format that the file's name ends in. Raises Misuse if it cannot be written."""
    write_plot(path, lambda: write_page(problem, tour, seed, path), lambda: _write_drawing(problem, tour, seed, path))
