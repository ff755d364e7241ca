"""The history of a rung, a command or a gate: figures of one campaign after another, and changes of their level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rooftop.gate.change_points import FEWEST, change_points
from rooftop.gate.history import Series, history
from rooftop.measure.compare import Spread, spread
from rooftop.report.figure_page import Cell, Field, Form, Lines, Part, Picture, Table
from rooftop.serve import arms, stored
from rooftop.serve.arms import ArmName, Measured
from rooftop.serve.asked import Asked, Name, NotThere, Searched
from rooftop.serve.campaigns import paging
from rooftop.serve.levels import Event, drawn_levels
from rooftop.serve.machines import machines_of, name_of
from rooftop.serve.place import Site
from rooftop.serve.stored import Condition
from rooftop.serve.view import View, clock, cut, revision, shortened
from rooftop.store.protocol import Store
from rooftop.text.quantities import interval, number, seconds

LIST_SCHEMA = "rooftop/histories/1"
SCHEMA = "rooftop/arm-history/1"
PER_PAGE = 50
NEWEST = 100  # campaigns of one history
_FEW = f"Changes of level are looked for from {FEWEST} campaigns on."
_DRIFT = (
    "Absolute times drift from day to day on shared machines, and with what else runs there: a change of level is a "
    "reason to measure both sides in one campaign, no verdict."
)


class Histories(Searched):
    """Which histories."""


class OfGate(Asked):
    """The history of a benchmark of gates."""

    benchmark: Name


class OfArm(Asked):
    """The history of a rung, a peer or a command."""

    experiment: Name
    size: Name
    case: Name
    arm: Name


def address_of(name: ArmName) -> str:
    """Return the address of a history."""
    if name.experiment == "gate":
        return f"/history/gate?{urlencode({'benchmark': name.case})}"
    return f"/history/arm?{urlencode(name._asdict())}"


def listed(site: Site, store: Store, asked: Histories) -> View:
    """Return a page of the list of histories."""
    words = [stored.has_text(word, '"case".experiment', '"case".name', "arm.name") for word in asked.text.split()[:8]]
    condition = Condition()
    for one in words:
        condition &= one
    found = arms.listed(store, condition, (asked.page - 1) * PER_PAGE, PER_PAGE + 1)
    pages = asked.page + (len(found) > PER_PAGE)
    rows = [
        {**name._asdict(), "campaigns": count, "newest": newest, "address": address_of(name)}
        for name, count, newest in found[:PER_PAGE]
    ]
    content = {"schema": LIST_SCHEMA, "page": asked.page, "more": pages > asked.page, "histories": rows}
    form = Form("Choose", "/history", [Field("text", "Text", asked.text)], "Show")
    cells = [
        [
            Cell("gate" if name.experiment == "gate" else "command" if name.experiment == "compare" else "rung"),
            Cell(shortened(name.case if name.experiment == "gate" else name.text), address=address_of(name)),
            Cell(str(count), count),
            Cell(clock(newest)),
        ]
        for name, count, newest in found[:PER_PAGE]
    ]
    table = Table("List", ["of a", "what", "campaigns", "newest (UTC)"], cells, frozenset({2}), long=frozenset({1}))
    parts: list[Part] = [form, table if cells else Lines("List", ["No history is like this."])]
    parts += paging("/history", asked, pages)
    return View("History", f"What was measured, in {site.place}", parts, content)


class Point(NamedTuple):
    """A rung, a peer or a command in one campaign."""

    measured: Measured
    time: Spread


def of_arm(site: Site, store: Store, asked: OfArm) -> View:
    """Return the history of a rung, a peer or a command."""
    name = ArmName(asked.experiment, asked.size, asked.case, asked.arm)
    found = arms.newest(store, arms.called(name), NEWEST)
    if not found:
        raise NotThere(f"no campaign has measured {shortened(name.text)!r}")
    times = arms.times(store, [one.key for one in found])
    points = [Point(one, time) for one in reversed(found) if (time := spread(times.get(one.key, ()))) is not None]
    by_machine: dict[str, list[Point]] = {}
    for point in points:
        by_machine.setdefault(point.measured.machine, []).append(point)
    newest = {machine: of_it[-1].measured.campaign for machine, of_it in by_machine.items()}
    kept = machines_of(store, list(newest.values()))
    parts: list[Part] = []
    content: list[dict[str, Any]] = []
    for machine, of_it in by_machine.items():
        title = f"On {name_of(kept.get(newest[machine]), machine)}"
        changes = _changes(of_it)
        events = [Event(p.measured.started, p.time.median, p.time.lo, p.time.hi, p.measured.campaign) for p in of_it]
        told = _told(
            [(of_it[place - 1].measured.campaign, of_it[place].measured.campaign, ratio) for place, ratio in changes],
            len(of_it),
            "took {} of the time",
        )
        figure = drawn_levels(events, [place for place, _ in changes], "seconds for one run")
        says = f"The time of a run in {len(of_it)} campaigns, the oldest on the left. {told}"
        parts.append(Picture(title, figure, says, f"{told} {_DRIFT}"))
        parts.append(_table(title, of_it))
        content.append(_content(machine, of_it, changes))
    if not parts:
        parts = [Lines("History", ["There are no samples of it."])]
    document = {"schema": SCHEMA, **name._asdict(), "newest": NEWEST, "fewest": FEWEST, "series": content}
    return View("History", shortened(name.text), parts, document)


def _changes(points: Sequence[Point]) -> list[tuple[int, float]]:
    """Return the place of the first point after each change of level, and the ratio of the times after and before."""
    levels = [math.log(point.time.median) for point in points]
    places = change_points(levels, [None] * len(levels))
    parts = [median(levels[begin:end]) for begin, end in pairwise([0, *places, len(levels)])]
    return [(place, math.exp(after - before)) for place, (before, after) in zip(places, pairwise(parts), strict=True)]


def _told(changes: Sequence[tuple[str, str, float]], count: int, words: str) -> str:
    """Return the changes of level in words. `changes`: the last before, the first after, and the ratio."""
    if count < FEWEST:
        return _FEW
    if not changes:
        return "No change of level was found."
    told = [
        f"from {revision(last)} to {revision(first)}, {words.format(number(ratio))}" for last, first, ratio in changes
    ]
    return f"Changes of level: {'; '.join(told)}."


def _table(title: str, points: Sequence[Point]) -> Table:
    rows = [
        [
            Cell(clock(one.started)),
            Cell(cut(one.campaign), address=stored.address_of(one.campaign)),
            Cell(seconds(time.median), time.median),
            Cell(f"{seconds(time.lo)} – {seconds(time.hi)}" if time.proven else "too few samples"),
            Cell(str(time.count), time.count),
        ]
        for one, time in reversed(points)
    ]
    columns = ["started (UTC)", "campaign", "median", "95 % interval", "samples"]
    return Table(f"{title}: figures", columns, rows, frozenset({2, 4}))


def _content(machine: str, points: Sequence[Point], changes: Sequence[tuple[int, float]]) -> dict[str, Any]:
    return {
        "machine": machine,
        "analysed": len(points) >= FEWEST,
        "points": [
            {
                "campaign": one.campaign,
                "started": one.started,
                "median_s": time.median,
                "lo_s": time.lo if time.proven else None,
                "hi_s": time.hi if time.proven else None,
                "samples": time.count,
            }
            for one, time in points
        ],
        "change_points": [
            {"last": points[place - 1].measured.campaign, "first": points[place].measured.campaign, "time_ratio": ratio}
            for place, ratio in changes
        ],
    }


def of_gate(site: Site, store: Store, asked: OfGate) -> View:
    """Return the history of a benchmark of gates, as ``rooftop gate --history`` finds it."""
    unreadable: list[str] = []
    document = history(store, asked.benchmark, NEWEST, unreadable)
    if not document.series:
        raise NotThere(f"no gate has measured {shortened(asked.benchmark)!r}")
    parts: list[Part] = []
    for place, series in enumerate(document.series):
        again = f", chain {place + 1}" if len(document.series) > 1 else ""
        parts += _gate_parts(f"{series.metric} on {series.processor} ({series.machine[:8]}){again}", series)
    if unreadable:
        parts.append(
            Lines("Passed over", [f"Kept in another form: {', '.join(shortened(one) for one in unreadable)}."])
        )
    return View(
        "History", f"Gates of {shortened(asked.benchmark)}", parts, document.model_dump(mode="json", by_alias=True)
    )


def _gate_parts(title: str, series: Series) -> list[Part]:
    firsts = {(change.first, change.started) for change in series.change_points}
    places = [place for place, point in enumerate(series.points) if (point.head, point.started) in firsts]
    told = _told(
        [(one.last, one.first, one.ratio) for one in series.change_points], len(series.points), "{} times the speed"
    )
    events = [
        Event(
            p.started, p.level, p.level * p.lo / p.ratio, p.level * p.hi / p.ratio, f"{revision(p.head)}, {p.campaign}"
        )
        for p in series.points
    ]
    figure = drawn_levels(events, places, "speed beside the chain's first base")
    says = f"The speed of {len(series.points)} gated revisions beside the first base, the oldest on the left. {told}"
    caption = (
        f"{told} Each point is measured in pairs against its base, and the ratios chain; whiskers are of its own pairs."
    )
    rows = [
        [
            Cell(clock(p.started)),
            Cell(cut(p.campaign), address=stored.address_of(p.campaign)),
            Cell(revision(p.base)),
            Cell(revision(p.head)),
            Cell(f"{number(p.ratio)} {interval(p.lo, p.hi)}", p.ratio),
            Cell(number(p.level), p.level),
            Cell(str(p.pairs), p.pairs),
        ]
        for p in reversed(series.points)
    ]
    columns = ["started (UTC)", "campaign", "base", "head", "speed beside base", "level", "pairs"]
    return [Picture(title, figure, says, caption), Table(f"{title}: figures", columns, rows, frozenset({4, 5, 6}))]
