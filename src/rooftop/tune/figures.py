"""Figures of a tuning: a heat map for two parameters, parallel coordinates for more, and each parameter's gain."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from rooftop.parameters.values import Value, in_order, number
from rooftop.report.figures.style import Figure, axis, finished, label, log_ticks, plain
from rooftop.report.palette import light
from rooftop.text.quantities import interval, ratio
from rooftop.tune.document import Chosen, Tried, TuneDocument
from rooftop.tune.gains import Gain

_COLOURS = ("Cividis", 0.12, 0.88)  # without its ends, which have little contrast to a light or dark page
_SHADES = 16
MOST_LINES = 400  # in parallel coordinates: only the fastest are drawn


def _colour(place: float) -> str:
    """Return the colour for a position between the slowest (0) and the fastest (1)."""
    name, lo, hi = _COLOURS
    found: list[str] = sample_colorscale(name, [lo + (hi - lo) * min(max(place, 0.0), 1.0)])
    return found[0]


def _scale() -> list[tuple[float, str]]:
    return [(step / _SHADES, _colour(step / _SHADES)) for step in range(_SHADES + 1)]


def usable_ones(document: TuneDocument) -> list[Tried]:
    """Return the usable configurations that were tried, the slowest first."""
    found = [one for one in document.tried if one.speed is not None]
    return sorted(found, key=lambda one: one.speed or 0.0)


def _told(one: Tried) -> str:
    name = ", ".join(f"{plain(key)}={plain(str(value))}" for key, value in one.parameters.items())
    if one.speed is None:
        return f"{name}<br>{one.outcome}: {plain(one.reason or '')}"
    return f"{name}<br>{ratio(one.speed)} the default's speed"


def values_of(document: TuneDocument) -> dict[str, list[Value]]:
    """Return the values of every parameter that were tried; numbers are sorted."""
    found: dict[str, list[Value]] = {name: [] for name in document.default.parameters}
    for one in [document.default.parameters, *(one.parameters for one in document.tried)]:
        for name, value in one.items():
            if value not in found[name]:
                found[name].append(value)
    return {name: in_order(values) for name, values in found.items()}


def varied(document: TuneDocument) -> dict[str, list[Value]]:
    """Return the parameters for which more than one value was tried, with these values."""
    return {name: values for name, values in values_of(document).items() if len(values) > 1}


def _frame(one: Chosen, x: str, y: str, values: dict[str, list[Value]], role: str) -> dict[str, Any]:
    across, up = values[x].index(one.parameters[x]), values[y].index(one.parameters[y])
    return {
        "type": "rect",
        "x0": across - 0.48,
        "x1": across + 0.48,
        "y0": up - 0.46,
        "y1": up + 0.46,
        "line": {"color": light(role), "width": 3},
    }


def heat_map(document: TuneDocument, x: str, y: str) -> Figure:
    """Return the speed relative to the default over two parameters; empty cells were not tried or not usable."""
    values = values_of(document)
    by_place = {(one.parameters[x], one.parameters[y]): one for one in document.tried}
    grid = [[by_place.get((across, up)) for across in values[x]] for up in values[y]]
    few = len(values[x]) <= 12
    heat = go.Heatmap(
        x=[plain(str(value)) for value in values[x]],
        y=[plain(str(value)) for value in values[y]],
        z=[[math.log2(one.speed) if one is not None and one.speed else None for one in row] for row in grid],
        text=[[_cell(one) if few else "" for one in row] for row in grid],
        hovertext=[[_told(one) if one is not None else "not tried" for one in row] for row in grid],
        hovertemplate="%{hovertext}<extra></extra>",
        texttemplate="%{text}",
        textfont={"size": 11},
        colorscale=_scale(),
        xgap=2,
        ygap=2,
        colorbar=_colour_bar(document),
    )
    frames = [_frame(document.default, x, y, values, "peer")]
    if document.best is not None:
        frames.append(_frame(document.best, x, y, values, "alarm"))
    layout = {
        "xaxis": axis(x, type="category", showgrid=False),
        "yaxis": axis(y, type="category", showgrid=False, automargin=True),
        "shapes": frames,
        "height": max(260, min(760, 120 + 34 * len(values[y]))),
        "margin": {"l": 60, "r": 8, "t": 12, "b": 48},
    }
    return finished([heat], layout)


def _cell(one: Tried | None) -> str:
    if one is None:
        return ""
    return ratio(one.speed) if one.speed is not None else one.outcome


def _colour_bar(document: TuneDocument) -> dict[str, Any]:
    speeds = [one.speed for one in document.tried if one.speed]
    ticks = log_ticks(min(speeds, default=1.0), max(speeds, default=1.0) * 1.0001)
    return {
        "title": {"text": "speed", "font": {"size": 11, "color": light("muted")}},
        "tickvals": [math.log2(value) for value in ticks["tickvals"]],
        "ticktext": [f"{text}×" for text in ticks["ticktext"]],
        "tickfont": {"size": 11, "color": light("muted")},
        "thickness": 12,
        "outlinewidth": 0,
    }


def along(document: TuneDocument, name: str) -> Figure:
    """Return the speed relative to the default over one parameter."""
    usable = {one.parameters[name]: one for one in usable_ones(document)}
    values = [value for value in values_of(document)[name] if value in usable]
    points = go.Scatter(
        x=[plain(str(value)) for value in values],
        y=[usable[value].speed for value in values],
        mode="lines+markers" if all(number(value) is not None for value in values) else "markers",
        line={"color": light("rung"), "width": 1.1},
        marker={"color": light("rung"), "size": 9},
        hovertext=[_told(usable[value]) for value in values],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    layout = {
        "xaxis": axis(name, type="category"),
        "yaxis": axis("speed relative to the default", rangemode="tozero", automargin=True),
        "height": 360,
        "margin": {"l": 56, "r": 12, "t": 12, "b": 48},
    }
    return finished([points], layout)


def parallel_coordinates(document: TuneDocument) -> Figure:
    """Return every configuration as a line through its values and its speed (last axis); the fastest are on top."""
    names = list(varied(document))
    values = values_of(document)
    usable = usable_ones(document)[-MOST_LINES:]
    logs = [math.log2(one.speed or 1.0) for one in usable]
    lowest, highest = min(logs, default=0.0), max(logs, default=0.0)
    spread = (highest - lowest) or 1.0

    def height(name: str, value: Value) -> float:
        count = len(values[name])
        return values[name].index(value) / (count - 1) if count > 1 else 0.5

    traces: list[Any] = []
    for one, log_speed in zip(usable, logs, strict=True):
        place = (log_speed - lowest) / spread
        best = document.best is not None and one.parameters == document.best.parameters
        traces.append(
            go.Scatter(
                x=list(range(len(names) + 1)),
                y=[*(height(name, one.parameters[name]) for name in names), place],
                mode="lines",
                line={
                    "color": light("alarm") if best else _colour(place),
                    "width": 3 if best else 1,
                    "shape": "spline",
                    "smoothing": 0.6,
                },
                opacity=1 if best else 0.35 + 0.4 * place,
                hovertext=_told(one),
                hoverinfo="text",
            )
        )
    notes = [_note(at, height(name, value), str(value)) for at, name in enumerate(names) for value in values[name]]
    ticks = log_ticks(2**lowest, 2**highest * 1.0001)
    for value, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        notes.append(_note(len(names), (math.log2(value) - lowest) / spread, f"{text}×"))
    layout = {
        "xaxis": axis(
            "",
            tickvals=list(range(len(names) + 1)),
            ticktext=[*map(label, names), "speed"],
            range=[-0.35, len(names) + 0.5],
        ),
        "yaxis": axis("", visible=False, range=[-0.06, 1.06]),
        "annotations": notes,
        "height": 460,
        "margin": {"l": 8, "r": 8, "t": 12, "b": 36},
        "hovermode": "closest",
    }
    return finished(traces, layout)


def _note(column: int, height: float, text: str) -> dict[str, Any]:
    return {
        "x": column,
        "y": height,
        "text": label(text),
        "showarrow": False,
        "xanchor": "left",
        "xshift": 4,
        "font": {"size": 11, "color": light("ink")},
        "bgcolor": light("paper"),
        "borderpad": 1,
        "opacity": 0.9,
    }


def _gain_points(document: TuneDocument, key: str, told: str, role: str, symbol: str) -> go.Scatter:
    shown = [(_change(one), getattr(one, key)) for one in document.gains if getattr(one, key) is not None]
    return go.Scatter(
        x=[gain.ratio for _, gain in shown],
        y=[name for name, _ in shown],
        mode="markers",
        marker={"color": light(role), "size": 9, "symbol": symbol},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [gain.hi - gain.ratio for _, gain in shown],
            "arrayminus": [gain.ratio - gain.lo for _, gain in shown],
            "color": light(role),
            "thickness": 1.4,
        },
        hovertext=[f"{name}<br>{told}: {ratio(gain.ratio)}, {interval(gain.lo, gain.hi)}" for name, gain in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        name=told,
    )


def _change(one: Gain) -> str:
    return label(f"{one.name} {one.default} → {one.best}")


def gains_figure(document: TuneDocument) -> Figure:
    """Return the effect of each parameter, alone and on top of all others, with 95 % intervals."""
    traces = [
        _gain_points(document, "alone", "alone", "peer", "diamond"),
        _gain_points(document, "last", "on top of the others", "rung", "circle"),
    ]
    unchanged = {"type": "line", "x0": 1, "x1": 1, "y0": 0, "y1": 1, "yref": "paper"}
    layout = {
        "xaxis": axis("times as fast", automargin=True),
        "yaxis": axis("", type="category", automargin=True, autorange="reversed"),
        "shapes": [{**unchanged, "line": {"color": light("muted"), "width": 1}}],
        "height": 120 + 44 * len(document.gains),
        "margin": {"l": 8, "r": 12, "t": 12, "b": 48},
    }
    return finished(traces, layout)
