"""A simulation in lines and rows: what the terminal and the page both show."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.simulate.document import NeedRow, PointRow, SimulateDocument
from rooftop.simulate.what_if import LESS_IS_BETTER
from rooftop.text.plural import listed, plural
from rooftop.text.quantities import number, percent, quantity, ratio, seconds

HEAD = ("ranks", "nodes", "time", "compute", "transfer", "hidden", "balance", "transfer eff.", "speed-up", "efficiency")


def point_cells(point: PointRow) -> list[tuple[str, float]]:
    """Return a point's row: texts with their values."""
    return [
        (str(point.ranks), point.ranks),
        (str(point.nodes), point.nodes),
        *((seconds(value), value) for value in (point.seconds, point.compute_s, point.transfer_s, point.hidden_s)),
        (percent(point.balance), point.balance),
        (percent(point.transfer_efficiency), point.transfer_efficiency),
        (ratio(point.speedup), point.speedup),
        (percent(point.efficiency), point.efficiency),
    ]


def _algorithms(point: PointRow) -> dict[str, str]:
    return {name: used for phase in point.phases for name, used in phase.algorithms.items()}


def remarks(document: SimulateDocument) -> Iterator[str]:
    """Yield what the rows do not say: limits, algorithms, the bound of overlap, and what is assumed."""
    if not document.points:
        return
    ends = {one.ranks: one for one in (document.points[0], document.points[-1])}
    for one in ends.values():
        lead = plural(one.ranks, "rank")
        limits = [
            f"{phase.name} by {'the cores' if phase.limit == 'compute' else 'memory'}"
            for phase in one.phases
            if phase.limit
        ]
        told = [f"limited: {listed(limits)}"] if limits else []
        told += [f"{name} by {algorithm}" for name, algorithm in _algorithms(one).items()]
        yield f"{lead}: {'; '.join(told)}"
        if one.model_s:
            off = one.seconds / one.model_s
            yield f"{lead}: {seconds(one.model_s)} by the model; the replay takes {ratio(off)} of that"
        if one.efficiencies is not None:
            yield f"{lead}: {one.efficiencies}"
        if one.hidden_s:
            most = sum(phase.most_hidden_s for phase in one.phases)
            yield (
                f"{lead}: {seconds(one.hidden_s)} of {seconds(one.transfer_s)} of transfer are hidden; "
                f"perfect overlap would hide {seconds(most)}"
            )
    yield from document.notes
    if document.assumed:
        yield f"assumed figures of the platform: {', '.join(document.assumed)}"


def need_sentence(need: NeedRow, target_s: float) -> str:
    """Return what it takes to reach the target by a figure."""
    lead = f"{plural(need.ranks, 'rank')} in {seconds(target_s)}: {need.figure}"
    if need.factor is None:
        return f"{lead} alone cannot: {seconds(need.least_s)} where it is {number(need.most)} times better"
    if need.factor == 1:
        return f"{lead} as it is"
    if need.figure in LESS_IS_BETTER:
        return f"{lead} /{number(1 / need.factor)}"
    return f"{lead} *{number(need.factor)}"


def figure_text(name: str, value: object) -> str:
    """Return a platform's figure with its unit, which its name has."""
    if isinstance(value, tuple):
        shown = [str(one) for one in value] if all(isinstance(one, int) for one in value) else [f"{len(value)} sizes"]
        return " x ".join(shown)
    if isinstance(value, dict):
        return ", ".join(f"{kind}: {quantity(rate, 'flop/s')}" for kind, rate in value.items())
    if isinstance(value, bool | str) or not isinstance(value, int | float):
        return str(value)
    for ending, unit in (("flops_per_s", "flop/s"), ("bytes_per_s", "byte/s"), ("s_per_byte", "s/byte"), ("_s", "s")):
        if name.endswith(ending):
            return quantity(value, unit)
    return f"{value:g}" if isinstance(value, float) else str(value)
