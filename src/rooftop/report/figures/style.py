"""What the figures share: type, axes, colours, and the ticks of a logarithmic axis."""

from __future__ import annotations

import html
import math
from typing import Any

import plotly.graph_objects as go

from rooftop.report.palette import light
from rooftop.text.quantities import NARROW_SPACE

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

Figure = dict[str, Any]


LONGEST_LABEL = 24  # characters that a name may take in a figure; hovering shows all of it


def plain(text: str) -> str:
    """``text`` for a place where Plotly reads markup: shown as it is, whatever it holds."""
    return html.escape(" ".join(text.split()), quote=False)


def label(text: str) -> str:
    """``text`` as a label, cut where it would take the room of the figure."""
    return plain(text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…")


def axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis in the page's style."""
    return {
        "title": {"text": plain(title), "font": {"size": 12, "color": light("muted")}, "standoff": 8},
        "tickfont": {"size": 11, "color": light("muted")},
        "gridcolor": light("grid"),
        "linecolor": light("rule"),
        "zeroline": False,
        "showline": True,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": light("rule"),
        "fixedrange": True,
        **more,
    }


def _tick(value: float) -> str:
    """A round value without trailing zeros."""
    return f"{value:,.0f}".replace(",", NARROW_SPACE) if value >= 1 and value % 1 == 0 else f"{value:g}"


def log_ticks(lo: float, hi: float) -> dict[str, Any]:
    """Ticks at the decades from ``lo`` to ``hi``, and at 2 and 5 between them where the span is short."""
    decades = math.log10(hi / lo)
    every = (1,) if decades > 3 else (1, 2, 5) if decades > 1 else (1, 1.5, 2, 3, 4, 5, 6, 8)
    values = []
    for exponent in range(math.floor(math.log10(lo)), math.ceil(math.log10(hi)) + 1):
        values += [tick for m in every if lo <= (tick := float(f"{m}e{exponent}")) <= hi]
    return {"tickvals": values, "ticktext": [_tick(value) for value in values]}


def load_drawing() -> None:
    """Load what drawing takes before a campaign: at its end an interrupt would wait for that."""
    finished([go.Scatter(x=[0], y=[0])], {"xaxis": {"title": {"text": ""}}, "yaxis": {}})


def finished(traces: list[Any], layout: dict[str, Any]) -> Figure:
    """The checked figure as plain data, without Plotly's own template."""
    figure = go.Figure(traces, layout)
    figure.update_layout(
        font={"family": FONT, "size": 12, "color": light("ink")},
        paper_bgcolor=light("paper"),
        plot_bgcolor=light("paper"),
        showlegend=False,
        dragmode=False,
        hoverlabel={
            "bgcolor": light("panel"),
            "bordercolor": light("rule"),
            "font": {"family": FONT, "size": 12, "color": light("ink")},
            "align": "left",
        },
    )
    data: Figure = figure.to_plotly_json()
    data["layout"].pop("template", None)
    return data
