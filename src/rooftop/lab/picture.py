"""Draw a lab: the times of its variants, and each measurement relative to its prediction.

For a lab about networks, the networks are drawn instead of the times.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rooftop.documents import ExperimentResult, PredictionResult
from rooftop.ladder.discovery import Found
from rooftop.report.network_picture import Network, draw_network
from rooftop.report.palette import light
from rooftop.report.prediction_text import predicted_of, quantity_of, value_of
from rooftop.text.plural import plural
from rooftop.text.quantities import seconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing


def _network(name: str, graph: Any) -> Network:
    places = {node: (float(data["pos"][0]), float(data["pos"][1])) for node, data in graph.nodes(data=True)}
    links = [(places[a], places[b], float(data.get("links", 1))) for a, b, data in graph.edges(data=True)]
    return Network(name, list(places.values()), links)


def networks(lab: Found, names: Sequence[str]) -> list[Network]:
    """Return the networks of these variants, which have run here; none where the lab has none to show."""
    source = lab.rungs[0].source
    if not names or source.suffix != ".py" or "\ndef graph(" not in source.read_text(encoding="utf-8"):
        return []
    spec = spec_from_file_location(f"rooftop_lab_{lab.folder.name}", source)
    if spec is None or spec.loader is None:
        return []
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return [_network(name, module.graph(name)) for name in names]


_WIDTH, _ROW, _FRAME = 13.0, 0.3, 1.7  # inches: of the picture, of a line in it, and of what is around the lines
_NETWORK_HEIGHT = 4.0
_LOG_SPAN = 20.0  # of times: a wider span is drawn on a logarithmic axis
_SMALL = 8  # points

Times = list[tuple[str, float, float, float]]  # what it is of, the median, and its interval
Judged = list[tuple[str, PredictionResult]]


def _times(result: ExperimentResult) -> Times:
    """Return the time of each rung of each case."""
    several = len(result.cases) > 1
    return [
        (
            f"{case.case}: {rung.name}" if several else rung.name,
            rung.median_s,
            rung.lo_s or rung.median_s,
            rung.hi_s or 0,
        )
        for case in result.cases
        for rung in case.rungs
        if rung.median_s is not None
    ]


def _judged(result: ExperimentResult) -> Judged:
    """Return each prediction of each case, as the picture calls it."""
    found: Judged = []
    for case in result.cases:
        several = len({one.threads for one in case.predictions}) > 1
        for one in case.predictions:
            of_case = f"{case.case}: " if len(result.cases) > 1 else ""
            workers = f", {plural(one.threads, 'worker')}" if several else ""
            found.append((f"{of_case}{quantity_of(one)}{workers}", one))
    return found


def _names(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names, fontsize=_SMALL, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(labelsize=_SMALL, color=light("rule"))
    for side in axes.spines.values():
        side.set_color(light("rule"))


def _draw_times(axes: Axes, times: Times) -> None:
    medians = [median for _, median, _, _ in times]
    below = [max(0.0, median - lo) for _, median, lo, _ in times]
    above = [max(0.0, hi - median) for _, median, _, hi in times]
    axes.barh(range(len(times)), medians, height=0.7, color=light("rung"))
    axes.errorbar(medians, range(len(times)), xerr=[below, above], fmt="none", ecolor=light("ink"), capsize=2)
    for at, (_, median, _, hi) in enumerate(times):
        end = (max(median, hi), at)
        axes.annotate(seconds(median), end, (5, -3), textcoords="offset points", fontsize=_SMALL, color=light("ink"))
    wide = max(medians) / min(medians) > _LOG_SPAN
    if wide:
        axes.set_xscale("log")
        axes.set_xlim(min(medians) / 3, max(medians) * 4)
    else:
        axes.set_xlim(0, max(medians) * 1.25)
    _names(axes, [name for name, *_ in times])
    axes.set_xlabel(f"time of one run, seconds{', log scale' if wide else ''}", fontsize=_SMALL)


def _figures(one: PredictionResult) -> str:
    if one.predicted is None or one.measured is None:
        return "not judged"
    return f"{predicted_of(one)} predicted, {value_of(one, one.measured)} measured"


def _draw_judged(axes: Axes, judged: Judged) -> None:
    """Draw measured / predicted, and the band in which the two agree."""
    ends = [2.0]
    for at, (_, one) in enumerate(judged):
        highest = one.within * (one.predicted_to / one.predicted if one.predicted_to and one.predicted else 1.0)
        axes.barh(at, highest - 1 / one.within, left=1 / one.within, height=0.8, color=light("grid"))
        ends += [one.within, highest]
        if one.predicted is None or one.measured is None:
            continue
        ratio = one.measured / one.predicted
        colour = light("bandwidth" if one.agrees else "alarm")
        if one.lo is not None and one.hi is not None:
            axes.plot([one.lo / one.predicted, one.hi / one.predicted], [at, at], color=colour, linewidth=2)
            ends += [one.hi / one.predicted, one.predicted / one.lo if one.lo > 0 else 1.0]
        axes.plot(ratio, at, "o", color=colour, markersize=5)
        ends += [ratio, 1 / ratio]
    axes.axvline(1.0, color=light("muted"), linewidth=0.8)
    most = max(ends) * 1.3
    axes.set_xscale("log")
    axes.set_xlim(1 / most, most)
    ticks = [tick for tick in (0.01, 0.1, 0.2, 0.5, 0.8, 1.0, 1.25, 2.0, 5.0, 10.0, 100.0) if 1 / most <= tick <= most]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    _names(axes, [f"{name}\n{_figures(one)}" for name, one in judged])
    axes.set_xlabel("measured / predicted, log scale; in the grey band they agree", fontsize=_SMALL)


def _blank(axes: Axes, why: str) -> None:
    axes.set_axis_off()
    axes.annotate(why, (0.5, 0.5), xycoords="axes fraction", ha="center", fontsize=_SMALL + 1, color=light("muted"))


def _height(lines: int) -> float:
    return _FRAME + _ROW * max(4, lines)


def _drawing(height: float) -> Drawing:
    # Matplotlib takes half a second to load, and only pictures need it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(_WIDTH, height), layout="constrained", facecolor=light("paper"))
    FigureCanvasAgg(drawing)
    return drawing


def write_picture(lab: Found, result: ExperimentResult, path: Path) -> None:
    """Write the picture as PNG. Raises OSError."""
    times, judged = _times(result), _judged(result)
    ran = [rung.name for rung in result.cases[0].rungs if rung.outcome == "ok"] if result.cases else []
    shown = networks(lab, ran)
    if shown:
        drawing = _drawing(_NETWORK_HEIGHT + _height(2 * len(judged)))
        rows = drawing.add_gridspec(2, len(shown), height_ratios=[_NETWORK_HEIGHT, _height(2 * len(judged))])
        for at, graph in enumerate(shown):
            draw_network(drawing.add_subplot(rows[0, at]), graph)
        right = drawing.add_subplot(rows[1, :])
    else:
        drawing = _drawing(_height(max(len(times), 2 * len(judged))))
        left, right = drawing.subplots(1, 2)
        if times:
            _draw_times(left, times)
        else:
            _blank(left, "no variant was timed")
    if judged:
        _draw_judged(right, judged)
    else:
        _blank(right, "the lab makes no prediction")
    drawing.suptitle(f"{result.title}: {result.question}", fontsize=_SMALL + 2, parse_math=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    drawing.savefig(path, dpi=120, facecolor=light("paper"))
