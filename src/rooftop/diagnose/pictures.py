"""The timeline of threads and the matrix of messages, as heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
import plotly.graph_objects as go

from rooftop.diagnose.facts import RankFacts
from rooftop.diagnose.timeline import RUNS, WANTS, Timeline
from rooftop.observe.sleeping import IO, LOCK, NETWORK
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.text.quantities import size

_COLOURS = {RUNS: "rung", WANTS: "alarm", LOCK: "peer", IO: "bandwidth", NETWORK: "roof"}
_ASLEEP = "rule"  # in anything else
_LANE = 18  # pixels
_MOST_RANKS = 64
_MOST_TICKS = 32
_LARGEST = 760  # pixels


def _steps(colours: Sequence[str]) -> list[tuple[float, str]]:
    """Return a colour scale that has one colour for each whole number from 0 on."""
    count = len(colours)
    return [(at / count, colour) for place, colour in enumerate(colours) for at in (place, place + 1)]


def lanes(timeline: Timeline) -> Figure:
    """Return the timeline: a lane for each thread, coloured by what it did."""
    states = timeline.states
    there = [letter for letter in states if any(letter in lane.states for lane in timeline.lanes)]
    colours = [light(_COLOURS.get(states[letter], _ASLEEP)) for letter in there]
    place = {letter: number for number, letter in enumerate(there)}
    names = [lane.name for lane in timeline.lanes]
    trace = go.Heatmap(
        z=[[place.get(letter) for letter in lane.states] for lane in timeline.lanes],
        text=[[states.get(letter, "") for letter in lane.states] for lane in timeline.lanes],
        x0=timeline.column_s / 2,
        dx=timeline.column_s,
        y=list(range(len(names))),
        zmin=-0.5,
        zmax=len(there) - 0.5,
        colorscale=_steps(colours or [light("paper")]),
        showscale=False,
        ygap=2,
        hoverongaps=False,
        hovertemplate="%{x:.3g} s: %{text}<extra></extra>",
    )
    # A heat map has no legend of its own.
    asleep = [states[letter] for letter in there if states[letter] not in _COLOURS]
    keys = {states[letter]: _COLOURS[states[letter]] for letter in there if states[letter] in _COLOURS}
    keys |= {f"asleep: {', '.join(asleep)}": _ASLEEP} if asleep else {}
    legend = [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"size": 10, "symbol": "square", "color": light(role)},
            name=name if name in {RUNS, WANTS} or name.startswith("asleep") else f"asleep: {name}",
            showlegend=True,
        )
        for name, role in keys.items()
    ]
    drawn = finished(
        [trace, *legend],
        {
            "height": 110 + _LANE * len(names),
            "margin": {"l": 165, "r": 12, "t": 40, "b": 48},
            "xaxis": axis("s"),
            "yaxis": axis(
                "",
                tickvals=list(range(len(names))),
                ticktext=[plain(name) for name in names],
                automargin=True,
                autorange="reversed",
                showgrid=False,
            ),
        },
    )
    drawn["layout"] |= {"showlegend": True, "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0}}
    return drawn


def traffic(ranks: Sequence[RankFacts], most: int = _MOST_RANKS) -> tuple[np.ndarray, np.ndarray, int]:
    """Return messages and bytes, of shape (senders, receivers), and how many ranks in a row are one of them."""
    together = ceil(len(ranks) / most)
    groups = ceil(len(ranks) / together)
    messages, sent = np.zeros((groups, groups), dtype=np.int64), np.zeros((groups, groups), dtype=np.int64)
    for rank, one in enumerate(ranks):
        for peer, told in one.to.items():
            messages[rank // together, peer // together] += told.messages
            sent[rank // together, peer // together] += told.sent_bytes
    return messages, sent, together


def matrix(ranks: Sequence[RankFacts]) -> Figure:
    """Return what ranks sent to each other from point to point, as bytes."""
    messages, sent, together = traffic(ranks)
    names = [
        str(first) if together == 1 else f"{first}–{min(first + together, len(ranks)) - 1}"
        for first in range(0, len(ranks), together)
    ]
    told = [
        [
            f"{names[row]} to {names[column]}<br>{messages[row, column]:,} messages, {size(float(sent[row, column]))}"
            for column in range(len(names))
        ]
        for row in range(len(names))
    ]
    trace = go.Heatmap(
        z=[
            [float(value) if count else None for value, count in zip(*pair, strict=True)]
            for pair in zip(sent, messages, strict=True)
        ],
        x=list(range(len(names))),
        y=list(range(len(names))),
        text=told,
        zmin=0,
        zmax=max(1.0, float(sent.max(initial=0))),
        colorscale=[(0.0, light("grid")), (1.0, light("rung"))],
        colorbar={
            "title": {"text": "bytes"},
            "outlinewidth": 0,
            "tickfont": {"color": light("muted")},
            "thickness": 14,
        },
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate="%{text}<extra></extra>",
    )
    shown = range(0, len(names), ceil(len(names) / _MOST_TICKS))
    ticks = {"tickvals": list(shown), "ticktext": [names[place] for place in shown], "showgrid": False}
    what = "rank" if together == 1 else "ranks"
    return finished(
        [trace],
        {
            "height": min(_LARGEST, 150 + 36 * len(names)),
            "margin": {"l": 70, "r": 12, "t": 16, "b": 56},
            "xaxis": axis(f"to {what}", constrain="domain", **ticks),
            "yaxis": axis(f"from {what}", autorange="reversed", scaleanchor="x", constrain="domain", **ticks),
        },
    )
