"""The machine: a picture of its topology, its measured roofs, and the conditions during the measurement."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import ClimbDocument, Machine, Roof
from rooftop.report.roofs import LEVELS
from rooftop.report.sections import Section
from rooftop.report.topology import Node, count, folded, from_caches, from_xml, svg
from rooftop.text.plural import plural
from rooftop.text.quantities import number, quantity, size

ORDER = 40

_GROUPS = (
    ("Compute, multiply-add peak", "flop/s"),
    ("Bandwidth", "byte/s"),
    ("Random reads of files", "reads/s"),
    ("Latency and cost", "s"),
)
_REMARKS = 3  # with more than these, none is shown
_METRICS = {
    "fma": "",
    "file_read_direct": "file read, O_DIRECT",
    "file_write_direct": "file write, O_DIRECT",
    "file_random_read": "4 KiB file reads",
    "file_random_read_direct": "4 KiB file reads, O_DIRECT",
    "core_to_core": "core to core",
    "page_fault": "page fault",
    "timer": "timer",
    "aa_noise": "A/A noise floor",
    "aa_noise_median": "A/A noise, median",
}


@dataclass(frozen=True)
class RoofLine:
    """One row of a table of roofs: the best value for each number of threads."""

    name: str
    by_threads: dict[int, str]
    working_set: str
    note: str


@dataclass(frozen=True)
class RoofTable:
    """The roofs of one unit."""

    title: str
    threads: list[int]
    lines: list[RoofLine]
    working_sets: bool
    notes: bool


def _name(roof: Roof) -> str:
    metric = _METRICS.get(roof.metric, roof.metric.replace("_", " "))
    return ", ".join(part for part in (roof.level, roof.isa, roof.precision, metric) if part) or "peak"


def _order(roof: Roof) -> tuple[int, str, str, float]:
    level = LEVELS.index(roof.level) if roof.level in LEVELS else len(LEVELS)
    return level, roof.metric, roof.precision or "", roof.value


def _note(roofs: list[Roof]) -> str:
    """Return the details that all figures of a row share; empty if they are many."""
    remarks = [
        {
            f"{key.replace('_', ' ')} {_scalar(value)}"
            for key, value in roof.detail.items()
            if not isinstance(value, list | dict)
        }
        for roof in roofs
    ]
    shared = set.intersection(*remarks) if remarks else set()
    return "; ".join(sorted(shared)) if len(shared) <= _REMARKS else ""


def _value(roofs: list[Roof]) -> str:
    """Return the best figure, or best to worst if they are about different things, such as pairs of cores."""
    ordered = sorted(roofs, key=lambda roof: roof.value, reverse=roofs[0].unit.endswith("/s"))
    best, worst = quantity(ordered[0].value, ordered[0].unit), quantity(ordered[-1].value, ordered[-1].unit)
    places = {json.dumps(roof.detail, sort_keys=True, default=str) for roof in roofs}
    return best if len(places) == 1 or best == worst else f"{best} to {worst}"


def _table(title: str, roofs: list[Roof]) -> RoofTable:
    rows: dict[str, list[Roof]] = {}
    for roof in sorted(roofs, key=_order):
        rows.setdefault(_name(roof), []).append(roof)
    lines = []
    for name, found in rows.items():
        by_threads: dict[int, list[Roof]] = {}
        for roof in found:
            by_threads.setdefault(roof.threads, []).append(roof)
        sets = sorted({roof.bytes for roof in found if roof.bytes})
        working_set = " to ".join(size(value) for value in dict.fromkeys((sets[0], sets[-1]))) if sets else ""
        values = {threads: _value(same) for threads, same in by_threads.items()}
        lines.append(RoofLine(name, values, working_set, _note(found)))
    threads = sorted({roof.threads for roof in roofs})
    return RoofTable(title, threads, lines, any(line.working_set for line in lines), any(line.note for line in lines))


def _tables(roofs: list[Roof]) -> list[RoofTable]:
    tables = []
    known = {unit for _, unit in _GROUPS}
    for title, unit in _GROUPS:
        if group := [roof for roof in roofs if roof.unit == unit]:
            tables.append(_table(title, group))
    if others := [roof for roof in roofs if roof.unit not in known]:
        tables.append(_table("Other", others))
    return tables


def _scalar(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _flat(conditions: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and value of each condition; nested names become ``cgroup: cpu quota``."""
    for key, value in conditions.items():
        name = f"{prefix}{str(key).replace('_', ' ')}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}: ")
        elif isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
            yield name, ", ".join(_scalar(item) for item in value) or "none"
        else:
            yield name, _scalar(value)


def _tree(machine: Machine) -> tuple[Node, str]:
    """Return the topology, and a remark if it is not from lstopo."""
    if not machine.topology_xml:
        return from_caches(machine), "Drawn from the list of caches, since lstopo's topology was not recorded."
    try:
        return from_xml(machine.topology_xml), ""
    except ValueError as error:
        return from_caches(machine), f"Drawn from the list of caches, since {error}."


def _described(tree: Node) -> str:
    parts = [
        plural(count(tree, "package"), "package"),
        plural(count(tree, "memory"), "memory node"),
        plural(count(tree, "cache"), "cache"),
        plural(count(tree, "core"), "core"),
    ]
    return "Topology of the machine: " + ", ".join(part for part in parts if not part.startswith("0 ")) + "."


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    machine = document.machine
    tree, remark = _tree(machine)
    body = pages.get_template("sections/machine.html").render(
        machine=machine,
        picture=svg(folded(tree), _described(tree)),
        remark=remark,
        tables=_tables(machine.roofs),
        conditions=list(_flat(machine.conditions)),
    )
    return [Section("machine", "Machine", Markup(body))]
