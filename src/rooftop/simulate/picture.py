"""The picture of a simulation: time against ranks, split into computing and what of the transfers is not hidden."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from rooftop.report.figures.style import Figure, axis, finished, log_ticks
from rooftop.report.palette import light
from rooftop.simulate.document import SimulateDocument

_HEIGHT = 420
_LEAST = 1e-9  # of the whole time: what is less is not drawn


def curve(document: SimulateDocument) -> Figure:
    """Return time, computing and transfers that are not hidden against ranks."""
    points = sorted(document.points, key=lambda one: one.ranks)
    lines = (
        ("time", "rung", [one.seconds for one in points]),
        ("computing", "roof", [one.compute_s for one in points]),
        ("transfer, not hidden", "alarm", [one.transfer_s - one.hidden_s for one in points]),
    )
    most = max(one.seconds for one in points)
    traces, seen = [], [one.seconds for one in points]
    for name, colour, values in lines:
        shown = [(one.ranks, value) for one, value in zip(points, values, strict=True) if value > _LEAST * most]
        seen += [value for _, value in shown]
        traces.append(
            go.Scatter(
                x=[ranks for ranks, _ in shown],
                y=[value for _, value in shown],
                mode="lines+markers",
                line={"color": light(colour), "width": 2.4 if name == "time" else 1.4},
                name=name,
                hovertemplate=f"{name}: %{{y:.4g}} s on %{{x}} ranks<extra></extra>",
            )
        )
    lo, hi = min(seen) / 1.5, max(seen) * 1.5
    ranks = [one.ranks for one in points]
    span = [math.log10(ranks[0] / 1.2), math.log10(ranks[-1] * 1.2)]
    layout = {
        "height": _HEIGHT,
        "margin": {"l": 70, "r": 20, "t": 20, "b": 50},
        "xaxis": axis("ranks", type="log", range=span, tickvals=ranks, ticktext=[str(one) for one in ranks]),
        "yaxis": axis("seconds", type="log", range=[math.log10(lo), math.log10(hi)], **log_ticks(lo, hi)),
    }
    drawn = finished(traces, layout)
    drawn["layout"] |= {"showlegend": True, "legend": {"orientation": "h", "y": 1.08}}
    return drawn
