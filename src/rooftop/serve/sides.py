"""Two machines or two revisions side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rooftop.documents import Roof
from rooftop.gate.history import history
from rooftop.measure.compare import Spread, spread
from rooftop.report.figure_page import Cell, Field, Form, Lines, Part, Table
from rooftop.serve import arms, stored
from rooftop.serve.arms import ArmName, Measured
from rooftop.serve.asked import Asked, Name, NotThere
from rooftop.serve.history import NEWEST, address_of
from rooftop.serve.machines import choice, counted, facts, machines_of, name_of, roofs_of
from rooftop.serve.place import Site
from rooftop.serve.view import View, revision, shortened
from rooftop.store.protocol import Store
from rooftop.text.quantities import number, quantity, ratio, seconds

MACHINES_SCHEMA = "rooftop/machine-sides/1"
REVISIONS_SCHEMA = "rooftop/revision-sides/1"
_MOST_MACHINES = 200  # that can be chosen
_MOST_ARMS = 2000  # of each machine are looked at, the newest
_MOST_COMMON = 200  # are compared
_UNPAIRED = (
    "The newest figures of each machine, not measured in pairs: a ratio here says how the machines differ with all "
    "that was on them, and is no verdict."
)


class Nothing(Asked):
    """An address without a query."""


class OfMachines(Asked):
    """Two machines, by their ids."""

    a: Name
    b: Name


class OfRevisions(Asked):
    """Two revisions: commits, or the beginnings of them."""

    a: Name
    b: Name


def start(site: Site, store: Store, asked: Nothing) -> View:
    """Return the page on which both sides are chosen."""
    known = dict(list(counted(store).items())[:_MOST_MACHINES])
    kept = machines_of(store, [one[1] for one in known.values()])
    parts: list[Part] = []
    if len(known) > 1:
        parts.append(choice({name: kept.get(one[1]) for name, one in known.items()}))
    else:
        parts.append(Lines("Two machines", ["All campaigns here are of one machine."]))
    parts.append(_revisions_form())
    content = {"schema": "rooftop/sides/1", "machines": list(known)}
    return View("Side by side", "Two machines or two revisions", parts, content)


def _revisions_form(first: str = "", second: str = "") -> Form:
    fields = [Field("a", "Revision", first), Field("b", "beside", second)]
    says = "Revisions are commits, or the beginnings of them, that gates have measured."
    return Form("Two revisions", "/sides/revisions", fields, "Side by side", says=says)


def of_machines(site: Site, store: Store, asked: OfMachines) -> View:
    """Return two machines: what they are, their roofs, and what both have measured."""
    known = counted(store)
    for one in (asked.a, asked.b):
        if one not in known:
            raise NotThere(f"no campaign ran on a machine {shortened(one)!r}")
    kept = machines_of(store, [known[asked.a][1], known[asked.b][1]])
    machines = [kept.get(known[one][1]) for one in (asked.a, asked.b)]
    names = [shortened(name_of(machine, one)) for machine, one in zip(machines, (asked.a, asked.b), strict=True)]
    about = [facts(machine) if machine is not None else {} for machine in machines]
    rows = [[Cell(name), *(Cell(shortened(one.get(name, "–"))) for one in about)] for name in {**about[0], **about[1]}]
    roofs = [roofs_of(store, one) for one in (asked.a, asked.b)]
    common = _common(store, asked.a, asked.b)
    parts: list[Part] = [Table("Machines", ["fact", *names], rows, long=frozenset({1, 2}))]
    if table := _roofs(names, roofs):
        parts.append(table)
    columns = ["what", *names, "time of the first : second"]
    cells = [
        [
            Cell(shortened(name.text), address=address_of(name)),
            Cell(seconds(first.median), first.median),
            Cell(seconds(second.median), second.median),
            Cell(ratio(first.median / second.median), first.median / second.median),
        ]
        for name, first, second in common
    ]
    if cells:
        parts.append(Table("Measured on both", columns, cells, frozenset({1, 2, 3}), _UNPAIRED, frozenset({0})))
    else:
        parts.append(Lines("Measured on both", ["Nothing was measured on both."]))
    content = {
        "schema": MACHINES_SCHEMA,
        "machines": [
            {
                "id": name,
                "machine": one.model_dump(mode="json", exclude={"topology_xml"}) if one is not None else None,
                "roofs": [roof.model_dump(mode="json") for roof in own],
            }
            for name, one, own in zip((asked.a, asked.b), machines, roofs, strict=True)
        ],
        "measured": [_told(*one) for one in common],
    }
    return View("Two machines", " and ".join(names), parts, content)


def _told(name: ArmName, first: Spread, second: Spread) -> dict[str, Any]:
    sides = [{"median_s": one.median, "lo_s": one.lo, "hi_s": one.hi, "samples": one.count} for one in (first, second)]
    return {**name._asdict(), "sides": sides, "time_ratio": first.median / second.median}


def _common(store: Store, first: str, second: str) -> list[tuple[ArmName, Spread, Spread]]:
    """Return what both machines have measured, with the time in the newest campaign of each."""
    sides: list[dict[ArmName, Measured]] = []
    for machine in (first, second):
        own: dict[ArmName, Measured] = {}
        for one in arms.newest(store, stored.on_machine(machine), _MOST_ARMS):
            own.setdefault(one.name, one)
        sides.append(own)
    names = sorted(sides[0].keys() & sides[1].keys())[:_MOST_COMMON]
    times = arms.times(store, [side[name].key for name in names for side in sides])
    found = []
    for name in names:
        first_time, second_time = (spread(times.get(side[name].key, ())) for side in sides)
        if first_time is not None and second_time is not None:
            found.append((name, first_time, second_time))
    return found


def _roofs(names: Sequence[str], roofs: Sequence[Sequence[Roof]]) -> Table | None:
    """Return the table of the roofs of both machines; None where neither has any."""

    def key(roof: Roof) -> str:
        more = [roof.level, roof.isa, roof.precision, f"{roof.threads} threads" if roof.threads > 1 else None]
        return " ".join([roof.metric.replace("_", " "), *(one for one in more if one)])

    sides = [{key(roof): roof for roof in own} for own in roofs]
    rows = [[Cell(shortened(name)), *(_figure(side.get(name)) for side in sides)] for name in {**sides[0], **sides[1]}]
    return Table("Roofs", ["roof", *names], rows, frozenset({1, 2})) if rows else None


def _figure(roof: Roof | None) -> Cell:
    return Cell("–") if roof is None else Cell(quantity(roof.value, roof.unit), roof.value)


def of_revisions(site: Site, store: Store, asked: OfRevisions) -> View:
    """Return two revisions by each benchmark of which a chain of gates has both."""
    unreadable: list[str] = []
    found: list[dict[str, Any]] = []
    for series in history(store, newest=NEWEST, unreadable=unreadable).series:
        # The chain's first base is a revision, too, whose level is 1.
        levels = {series.points[0].base: 1.0} | {point.head: point.level for point in series.points}
        sides = [[name for name in levels if name.startswith(one)] for one in (asked.a, asked.b)]
        if all(len(one) == 1 for one in sides):
            (first,), (second,) = sides
            about = series.model_dump(include={"benchmark", "machine", "processor", "metric"})
            found.append({**about, "a": first, "b": second, "speed_ratio": levels[second] / levels[first]})
    rows = [
        [
            Cell(shortened(one["benchmark"]), address=address_of(ArmName("gate", "", one["benchmark"], ""))),
            Cell(shortened(f"{one['processor']} ({one['machine'][:8]})")),
            Cell(shortened(one["metric"])),
            Cell(number(one["speed_ratio"]), one["speed_ratio"]),
        ]
        for one in found
    ]
    columns = ["benchmark", "machine", "metric", "speed of the second : first"]
    note = f"From the newest {NEWEST} gates: the product of the ratios between the two, each measured in pairs."
    parts: list[Part] = [_revisions_form(asked.a, asked.b)]
    if rows:
        parts.append(Table("Benchmarks", columns, rows, frozenset({3}), note))
    else:
        parts.append(Lines("Benchmarks", [f"No chain among the newest {NEWEST} gates has both revisions."]))
    content = {"schema": REVISIONS_SCHEMA, "a": asked.a, "b": asked.b, "newest": NEWEST, "benchmarks": found}
    return View("Two revisions", f"{revision(asked.a)} and {revision(asked.b)}", parts, content)
