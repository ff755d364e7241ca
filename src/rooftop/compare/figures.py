"""The figure of a comparison: every run of every command, so that several speeds, steps and drift can be seen."""

from __future__ import annotations

import plotly.graph_objects as go

from rooftop.compare.document import CompareDocument
from rooftop.report.figures.style import Figure, axis, finished, label, plain
from rooftop.report.palette import light

_HALF = 0.35  # of a row, from its first run to its middle one
_ROW, _MARGINS = 56, 90  # pixels


def runs(document: CompareDocument) -> Figure | None:
    """Return the runs as dots, a row for each command, from its first run at the top to its last; None without any."""
    shown = [one for one in document.commands if one.samples]
    if not shown:
        return None
    traces = []
    for row, command in enumerate(shown):
        values = [one.value for one in command.samples]
        last = max(1, len(values) - 1)
        traces.append(
            go.Scatter(
                x=values,
                y=[row - _HALF + 2 * _HALF * place / last for place in range(len(values))],
                mode="markers",
                marker={"size": 5, "opacity": 0.6, "color": light("rung")},
                hovertext=[f"{plain(command.name)}<br>run {place + 1}" for place in range(len(values))],
                hovertemplate="%{hovertext}: %{x:.5g}<extra></extra>",
            )
        )
    rows = {"tickvals": list(range(len(shown))), "ticktext": [label(one.name) for one in shown]}
    return finished(
        traces,
        {
            "xaxis": axis(f"{document.metric}, {document.unit or 'as printed'}"),
            "yaxis": axis("", autorange="reversed", automargin=True, **rows),
            "height": _MARGINS + _ROW * len(shown),
        },
    )
