"""The picture of a run of FT: what each rank did when, and its page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import plotly.graph_objects as go

from rooftop.errors import Misuse
from rooftop.report.figure_page import Cell, Lines, Part, Picture, Table, write_figure_page
from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.report.quantities import number, plural
from rooftop.solve.ft_document import FtDocument
from rooftop.solve.ft_report import rank_lines
from rooftop.solve.timeline import EXCHANGE, PHASES, Event

_COLOURS = {"columns": "rung", "planes": "bandwidth", EXCHANGE: "peer", "waiting": "alarm"}
_LANE = {True: 0.28, False: 0.44}  # heights: messages under way, and what is done
_ROW = 64  # pixels for each rank
_MOST_RANKS = 32  # a picture of more would show stripes only
_MOST_EVENTS = 20_000


def _bars(ranks: Sequence[Sequence[Event]], phase: str, start: int) -> go.Bar:
    """Give the bars of one phase, a lane for each rank; messages have a lane of their own below."""
    chosen = [(rank, one) for rank, events in enumerate(ranks) for one in events if one.phase == phase]
    messages = phase == EXCHANGE
    return go.Bar(
        orientation="h",
        base=[(one.begin_ns - start) * 1e-9 for _, one in chosen],
        x=[(one.end_ns - one.begin_ns) * 1e-9 for _, one in chosen],
        y=[rank + (0.30 if messages else -0.10) for rank, _ in chosen],
        width=_LANE[messages],
        marker={"color": light(_COLOURS[phase]), "line": {"width": 0.5, "color": light("paper")}},
        hovertext=[
            f"<b>rank {rank}</b><br>{plain(PHASES[phase])}, transform {one.transform}<br>"
            f"{number((one.end_ns - one.begin_ns) * 1e-6)} ms"
            for rank, one in chosen
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name=PHASES[phase],
        showlegend=True,
    )


def figure(ranks: Sequence[Sequence[Event]]) -> Figure | None:
    """Give the figure of the first ranks; None where nothing was recorded."""
    shown = [list(events) for events in ranks[:_MOST_RANKS]]
    if not any(shown) or sum(map(len, shown)) > _MOST_EVENTS:
        return None
    start = min(one.begin_ns for events in shown for one in events)
    traces = [_bars(shown, phase, start) for phase in PHASES if any(e.phase == phase for es in shown for e in es)]
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


def _table(document: FtDocument) -> Table:
    columns = ["rank", *(f"{name}, s" for name in (*PHASES.values(),))]
    rows = [
        [
            Cell(str(one.rank), float(one.rank)),
            *(Cell(number(s), s) for s in (one.columns_s, one.planes_s, one.exchange_s, one.waiting_s)),
        ]
        for one in document.time
    ]
    return Table("Where each rank's time went", columns, rows, frozenset(range(len(columns))))


def write(document: FtDocument, ranks: Sequence[Sequence[Event]], path: Path) -> None:
    """Write the page. Raises Misuse where it cannot be written."""
    parts: list[Part] = []
    if (drawn := figure(ranks)) is not None:
        says = f"Phases of {plural(len(ranks), 'rank')} over the run; the table below has their sums."
        caption = (
            "Above in each lane what the rank computes or waits for, below when a transform's messages are under way, "
            "from its first one's start to its last one's arrival."
        )
        parts.append(Picture("What each rank did when", drawn, says, caption))
    parts += [Lines("In words", rank_lines(document)), _table(document)]
    heading = f"NAS FT {document.nx}x{document.ny}x{document.nz}, {plural(document.ranks, 'rank')}"
    seconds = f"{document.seconds:.3f} s" if document.seconds is not None else "a wrong result has no time"
    aside = f"Class {document.class_}, {plural(document.iterations, 'iteration')}: {seconds}"
    try:
        write_figure_page(path, heading, aside, parts, document.rooftop)
    except OSError as error:
        raise Misuse(f"--picture {path} cannot be written: {error.strerror or error}") from error
