"""The timeline of ranks: one lane per rank, its phases above and messages in flight below."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rooftop.driver.timeline import EXCHANGE, PHASES, WAITING, Event
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.text.quantities import number

_COLOURS = {"columns": "rung", "planes": "bandwidth", EXCHANGE: "peer", WAITING: "alarm"}
_OTHERS = "roof"  # for phases without a colour of their own
_LANE = {True: 0.28, False: 0.44}  # bar heights: messages in flight, and other phases
_ROW = 64  # pixels per rank
_MOST_RANKS = 32  # with more, bars are too thin to read
_MOST_EVENTS = 20_000


def _name(phase: str) -> str:
    return PHASES.get(phase, phase)


def _phases(ranks: Sequence[Sequence[Event]]) -> list[str]:
    """Return the phases that occur: known ones first, in their order."""
    there = dict.fromkeys(one.phase for events in ranks for one in events)
    return [*(phase for phase in PHASES if phase in there), *(phase for phase in there if phase not in PHASES)]


def _bars(ranks: Sequence[Sequence[Event]], phase: str, start: int) -> go.Bar:
    """Return the bars of one phase for all ranks; messages are drawn below the other phases."""
    chosen = [(rank, one) for rank, events in enumerate(ranks) for one in events if one.phase == phase]
    messages = phase == EXCHANGE
    return go.Bar(
        orientation="h",
        base=[(one.begin_ns - start) * 1e-9 for _, one in chosen],
        x=[(one.end_ns - one.begin_ns) * 1e-9 for _, one in chosen],
        y=[rank + (0.30 if messages else -0.10) for rank, _ in chosen],
        width=_LANE[messages],
        marker={"color": light(_COLOURS.get(phase, _OTHERS)), "line": {"width": 0.5, "color": light("paper")}},
        hovertext=[
            f"<b>rank {rank}</b><br>{plain(_name(phase))}, step {one.transform}<br>"
            f"{number((one.end_ns - one.begin_ns) * 1e-6)} ms"
            for rank, one in chosen
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name=_name(phase),
        showlegend=True,
    )


def figure(ranks: Sequence[Sequence[Event]]) -> Figure | None:
    """Return the timeline of the first 32 ranks; None if there are no events, or too many to draw."""
    shown = [list(events) for events in ranks[:_MOST_RANKS]]
    if not any(shown) or sum(map(len, shown)) > _MOST_EVENTS:
        return None
    start = min(one.begin_ns for events in shown for one in events)
    traces = [_bars(shown, phase, start) for phase in _phases(shown)]
    names = [f"rank {rank}" for rank in range(len(shown))]
    drawn = finished(
        traces,
        {
            "barmode": "overlay",
            "height": 130 + _ROW * len(shown),
            "margin": {"l": 62, "r": 12, "t": 52, "b": 48},
            "xaxis": axis("s"),
            "yaxis": axis("", tickvals=list(range(len(shown))), ticktext=names, autorange="reversed", showgrid=False),
        },
    )
    drawn["layout"] |= {"showlegend": True, "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0}}
    return drawn
