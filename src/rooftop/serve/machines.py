"""The machines that campaigns ran on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError

from rooftop.documents import Machine, Roof
from rooftop.probe.lines import best
from rooftop.report.figure_page import Cell, Field, Form, Lines, Part, Table
from rooftop.serve import stored
from rooftop.serve.asked import Paged
from rooftop.serve.campaigns import paging
from rooftop.serve.place import Site
from rooftop.serve.view import View, clock, cut, shortened
from rooftop.store.protocol import Store
from rooftop.text.plural import plural
from rooftop.text.quantities import size, whole

SCHEMA = "rooftop/machines/1"
PER_PAGE = 50
_MOST = 100_000  # of the newest campaigns are looked at
_MOST_ROOFS = 1000


class Asked(Paged):
    """Which machines."""


def counted(store: Store) -> dict[str, tuple[int, str, str]]:
    """Return how many campaigns ran on each machine, and the newest one's id and start; the newest machine first."""
    newest: dict[str, tuple[str, str]] = {}
    count: Counter[str] = Counter()
    statement = f"SELECT id, started, {stored.bounded('fingerprint')} FROM campaign ORDER BY started DESC LIMIT ?"
    for name, started, fingerprint in store.execute(statement, [_MOST]):
        machine = stored.machine_id(stored.as_object(fingerprint))
        count[machine] += 1
        newest.setdefault(machine, (str(name), str(started)))
    return {machine: (count[machine], *one) for machine, one in newest.items()}


def machines_of(store: Store, campaigns: Sequence[str]) -> dict[str, Machine | None]:
    """Return the machines as campaigns have kept them, by the campaigns' ids; None for one that cannot be read."""
    if not campaigns:
        return {}
    statement = f"SELECT id, {stored.bounded('machine')} FROM campaign WHERE id IN ({stored.marks(campaigns)})"
    return {name: _read(stored.as_object(text)) for name, text in store.execute(statement, campaigns)}


def _read(content: dict[str, Any]) -> Machine | None:
    try:
        return Machine.model_validate(content)
    except ValidationError:
        return None


def name_of(machine: Machine | None, name: str) -> str:
    """Return a machine's name for people."""
    return f"{machine.processor if machine is not None else 'unknown processor'} ({name[:8]})"


def roofs_of(store: Store, machine: str) -> list[Roof]:
    """Return the best roofs of the newest campaign on a machine that has any."""
    on = stored.on_machine(machine)
    newest = f"""
    SELECT campaign.id FROM campaign WHERE {on.sql} AND EXISTS (SELECT 1 FROM roof WHERE roof.campaign = campaign.id)
    ORDER BY campaign.started DESC LIMIT 1
    """
    statement = f"SELECT {stored.bounded('roof')} FROM roof WHERE campaign = ({newest}) ORDER BY id DESC LIMIT ?"
    found = []
    for (text,) in store.execute(statement, [*on.values, _MOST_ROOFS]):
        try:
            found.append(Roof.model_validate(stored.as_object(text)))
        except ValidationError:
            continue
    return best(found)


def facts(machine: Machine) -> dict[str, str]:
    """Return what is known of a machine, in words."""
    caches = [f"{one.get('level')} {size(one.get('bytes'))}" for one in machine.caches if isinstance(one, dict)]
    return {
        "processor": machine.processor,
        "architecture": machine.architecture,
        "cores": str(machine.cores),
        "threads per core": str(machine.threads_per_core),
        "NUMA nodes": str(machine.numa_nodes),
        "memory": size(machine.memory_bytes),
        "caches": ", ".join(caches) or "–",
        "instruction sets": " ".join(machine.isas) or "–",
    }


def view(site: Site, store: Store, asked: Asked) -> View:
    """Return a page of the list."""
    known = counted(store)
    places = list(known)[(asked.page - 1) * PER_PAGE : asked.page * PER_PAGE]
    by_campaign = machines_of(store, [known[name][1] for name in places])
    kept = {name: by_campaign.get(known[name][1]) for name in places}
    rows = [
        {
            "id": name,
            "campaigns": known[name][0],
            "newest": known[name][2],
            "machine": machine.model_dump(mode="json", exclude={"topology_xml"}) if machine is not None else None,
        }
        for name, machine in kept.items()
    ]
    pages = max(1, -(-len(known) // PER_PAGE))
    content = {"schema": SCHEMA, "page": asked.page, "pages": pages, "count": len(known), "machines": rows}
    cells = [_row(name, machine, *known[name]) for name, machine in kept.items()]
    columns = ["machine", "processor", "cores", "memory", "instruction sets", "campaigns", "newest (UTC)"]
    parts: list[Part] = [Lines("List", ["There is no machine yet."])]
    if cells:
        parts = [Table("List", columns, cells, frozenset({2, 3, 5})), *paging("/machines", asked, pages)]
    if len(kept) > 1:
        parts.append(choice(kept))
    return View("Machines", f"{plural(len(known), 'machine')} in {site.place}", parts, content)


def _row(name: str, machine: Machine | None, count: int, _: str, started: str) -> list[Cell]:
    about = facts(machine) if machine is not None else {}
    return [
        Cell(cut(name)),
        Cell(shortened(about.get("processor", "unknown"))),
        Cell(about.get("cores", "–"), machine.cores if machine is not None else None),
        Cell(about.get("memory", "–"), machine.memory_bytes if machine is not None else None),
        Cell(shortened(about.get("instruction sets", "–"))),
        Cell(whole(count), count, f"/campaigns?{urlencode({'machine': name})}"),
        Cell(clock(started)),
    ]


def choice(machines: dict[str, Machine | None], first: str = "", second: str = "") -> Form:
    """Return the form in which two machines are chosen."""
    choices = [(name, shortened(name_of(machine, name), 60)) for name, machine in machines.items()]
    last = choices[min(1, len(choices) - 1)][0] if choices else ""
    fields = [Field("a", "Machine", first, choices), Field("b", "beside", second or last, choices)]
    return Form("Two machines", "/sides/machines", fields, "Side by side")
