"""The common style of the figures: fonts, axes, colours, and the ticks of logarithmic axes."""

from __future__ import annotations

import html
import math
from typing import Any

import plotly.graph_objects as go

from rooftop.report.palette import light
from rooftop.text.quantities import NARROW_SPACE

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

Figure = dict[str, Any]


LONGEST_LABEL = 24  # characters of a name in a figure; hovering shows all of it


def plain(text: str) -> str:
    """Return ``text`` escaped where Plotly would read markup, with blanks and line breaks collapsed."""
    return html.escape(" ".join(text.split()), quote=False)


def label(text: str) -> str:
    """Return ``text`` as a label of at most LONGEST_LABEL characters."""
    return plain(text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…")


def axis(title: str, **more: Any) -> dict[str, Any]:
    """Return an axis in the page's style."""
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
    """Return a round value as text, without trailing zeros."""
    return f"{value:,.0f}".replace(",", NARROW_SPACE) if value >= 1 and value % 1 == 0 else f"{value:g}"


def log_ticks(lo: float, hi: float) -> dict[str, Any]:
    """Return ticks at the decades from ``lo`` to ``hi``, and between them if there are three or fewer."""
    decades = math.log10(hi / lo)
    every = (1,) if decades > 3 else (1, 2, 5) if decades > 1 else (1, 1.5, 2, 3, 4, 5, 6, 8)
    values = []
    for exponent in range(math.floor(math.log10(lo)), math.ceil(math.log10(hi)) + 1):
        values += [tick for m in every if lo <= (tick := float(f"{m}e{exponent}")) <= hi]
    return {"tickvals": values, "ticktext": [_tick(value) for value in values]}


def load_drawing() -> None:
    """Load the plotting library before a campaign starts: loading it at the end would delay an interrupt."""
    finished([go.Scatter(x=[0], y=[0])], {"xaxis": {"title": {"text": ""}}, "yaxis": {}})


def finished(traces: list[Any], layout: dict[str, Any]) -> Figure:
    """Return the validated figure as plain data, in the page's style and without Plotly's template."""
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
