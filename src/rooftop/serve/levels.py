"""A figure of one measurement after another, with whiskers and changes of level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import plotly.graph_objects as go

from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.text.quantities import number

_HEIGHT = 380


class Event(NamedTuple):
    """One measurement: its value with its interval, and what hovering shows."""

    started: str
    value: float
    lo: float
    hi: float
    about: str


def drawn_levels(events: Sequence[Event], changes: Sequence[int], unit: str) -> Figure:
    """Return the figure. `changes` are the places of the first events after each change of level.

    Events stand side by side in their order: several may have happened within an hour, and then none for a month.
    """
    values = [one.value for one in events]
    levels = []
    for begin, end in pairwise([0, *changes, len(events)]):
        middle = median(values[begin:end])
        levels.append(
            go.Scatter(
                x=[begin - 0.4, end - 0.6],
                y=[middle, middle],
                mode="lines",
                line={"color": light("roof"), "width": 1.6, "dash": "solid" if changes else "dot"},
                hoverinfo="skip",
            )
        )
    points = go.Scatter(
        x=list(range(len(events))),
        y=values,
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [max(one.hi - one.value, 0.0) for one in events],
            "arrayminus": [max(one.value - one.lo, 0.0) for one in events],
            "thickness": 1.2,
            "width": 3,
            "color": light("rung"),
        },
        mode="markers",
        marker={"color": light("rung"), "size": 7},
        hovertext=[f"<b>{plain(one.about)}</b><br>{plain(one.started)}<br>{number(one.value)}" for one in events],
        hoverinfo="text",
    )
    ticks = sorted({0, (len(events) - 1) // 2, len(events) - 1})  # as many dates as fit on a phone
    dates = [plain(events[at].started[:10]) for at in ticks]
    layout = {
        "height": _HEIGHT,
        "margin": {"l": 64, "r": 36, "t": 12, "b": 44},
        "xaxis": axis("", tickvals=ticks, ticktext=dates, tickangle=0, showgrid=False),
        "yaxis": axis(unit, rangemode="tozero"),
    }
    return finished([*levels, points], layout)
