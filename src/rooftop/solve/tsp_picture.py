"""The picture of a tour and of how it was found: a page, or a picture alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.report.figure_page import Lines, Part, Picture, write_figure_page
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.report.quantities import whole
from rooftop.solve.tsp_document import TspDocument
from rooftop.solve.tsp_run import Solved

_DOTS_UP_TO = 2_000  # cities: more dots would hide the tour
_TOUR_HEIGHT, _HISTORY_HEIGHT = 620, 320  # pixels
_INCHES = 8  # of a drawing


def _closed(solved: Solved) -> NDArray[np.float64] | None:
    """Give the places along the tour, back to the first."""
    places = solved.problem.coordinates
    if places is None:
        return None
    order = solved.tour.order
    along: NDArray[np.float64] = places[np.append(order, order[0])]
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


def _history_figure(document: TspDocument) -> Figure:
    seconds = [*(point.seconds for point in document.history), document.seconds]
    lengths = [*(point.length for point in document.history), document.history[-1].length]
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


def _sentence(document: TspDocument) -> str:
    return (
        f"{whole(document.cities)} cities, length {whole(document.history[-1].length)} after "
        f"{document.seconds:.1f} s and {whole(document.iterations)} ants, seed {document.seed}"
    )


def _write_page(solved: Solved, path: Path) -> None:
    document = solved.document
    parts: list[Part] = []
    if (places := _closed(solved)) is not None:
        parts.append(Picture("The tour", _tour_figure(places), "The closed tour through all cities, drawn to scale."))
    else:
        parts.append(Lines("The tour", ["The problem gives distances alone, and no places to draw cities at."]))
    says = "The length of the best tour over the time: it falls fast, then slowly."
    parts.append(Picture("How it was found", _history_figure(document), says))
    write_figure_page(path, f"Tour of {plain(document.name)}", _sentence(document), parts, document.rooftop)


def _write_drawing(solved: Solved, path: Path) -> None:
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing

    places = _closed(solved)
    if places is None:
        raise Misuse(f"--plot {path}: the problem gives distances alone; expected a name in .html, or places")
    drawing = Drawing(figsize=(_INCHES, _INCHES), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.add_subplot()
    axes.plot(places[:, 0], places[:, 1], color=light("rung"), linewidth=0.8 if len(places) <= _DOTS_UP_TO else 0.4)
    if len(places) <= _DOTS_UP_TO:
        axes.plot(places[:, 0], places[:, 1], ".", color=light("peer"), markersize=4)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(f"{solved.document.name}: {_sentence(solved.document)}", fontsize=10, parse_math=False)
    drawing.savefig(path, dpi=150)


def write(solved: Solved, path: Path) -> None:
    """Write the picture in the format that the file's name ends in. Raises Misuse where it cannot be written."""
    try:
        if path.suffix.lower() == ".html":
            _write_page(solved, path)
        else:
            _write_drawing(solved, path)
    except OSError as error:
        raise Misuse(f"--plot {path} cannot be written: {error.strerror or error}") from error
