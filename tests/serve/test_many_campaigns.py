"""A page of a large store asks the database as often as one of a small store, and reads as much of it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served_store import MACHINES, Served

from rooftop.serve import campaigns, history, machines, sides
from rooftop.serve.campaign import Drawings, instead
from rooftop.serve.place import Site
from rooftop.settings import Settings
from rooftop.store.database import opened_database, opened_for_reading
from rooftop.store.protocol import Store

FEW, DOUBLINGS = 320, 5
MANY = FEW * 2**DOUBLINGS  # 10 240
FIRST, SECOND = MACHINES
PAGES: dict[str, tuple[Callable[..., Any], Any]] = {
    "campaigns": (campaigns.view, campaigns.Asked(page=3)),
    "chosen": (campaigns.view, campaigns.Asked(kind="compare", text="grid", machine=FIRST)),
    "machines": (machines.view, machines.Asked()),
    "history": (history.listed, history.Histories(text="grid")),
    "command": (
        history.of_arm,
        history.OfArm(experiment="compare", size="commands", case="commands", arm="./old --grid 1"),
    ),
    "gate": (history.of_gate, history.OfGate(benchmark="solve")),
    "sides": (sides.start, sides.Nothing()),
    "two machines": (sides.of_machines, sides.OfMachines(a=FIRST, b=SECOND)),
    "two revisions": (sides.of_revisions, sides.OfRevisions(a=f"{1:040x}", b=f"{9:040x}")),
}


# Tables with the columns that number rows, and those that name a campaign.
TABLES = {
    "campaign": ((), ("id",)),
    "session": (("id",), ("campaign",)),
    "case": (("id",), ("campaign",)),
    "arm": (("id", "case_id"), ()),
    "sample": (("id", "arm_id", "session_id"), ()),
}


def filled(home: Path) -> Site:
    """Return a site of a store with FEW campaigns: gates and comparisons in turn, on two machines."""
    with opened_database(home / "store.sqlite") as store:
        served = Served(store)
        with store.transaction():
            for number in range(FEW // 2):
                served.gate(number, 1.0)
                on = FIRST if number % 3 else SECOND
                commands = [f"./old --grid {number % 2}", f"./new --grid {number % 2}"]
                arms = [(one, "command", [0.01, 0.011]) for one in commands]
                request = {"kind": "compare", "commands": [[one.split(), one] for one in commands]}
                served.campaign(request, [("compare", "commands", "commands", {}, arms)], on=on)
    return Site(Settings(home=home))


def doubled(few: Site, home: Path) -> Site:
    """Return a site of a store whose campaigns are doubled DOUBLINGS times."""
    shutil.copytree(few.settings.home_folder, home)
    with opened_database(home / "store.sqlite") as store, store.transaction():
        for doubling in range(DOUBLINGS):
            _double(store, f"-{doubling}")
    return Site(Settings(home=home))


def _double(store: Store, more: str) -> None:
    """Copy all rows; copies of campaigns have `more` behind their ids."""
    (offset,) = store.execute("SELECT max(id) FROM sample").fetchone()
    for table, (numbers, names) in TABLES.items():
        columns = [row[1] for row in store.execute(f"PRAGMA table_info('{table}')")]
        copied = [
            f'"{one}" + {offset}' if one in numbers else f"\"{one}\" || '{more}'" if one in names else f'"{one}"'
            for one in columns
        ]
        listed = ", ".join(f'"{one}"' for one in columns)
        store.execute(f'INSERT INTO "{table}" ({listed}) SELECT {", ".join(copied)} FROM "{table}"')


@pytest.fixture(scope="module", name="sites")
def sites_fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Site]:
    folder = tmp_path_factory.mktemp("many")
    few = filled(folder / "few")
    return few, doubled(few, folder / "many")


def asked(site: Site, show: Callable[..., Any], query: Any) -> tuple[list[str], Any]:
    """Return the statements of one page, and the page."""
    statements: list[str] = []
    with opened_for_reading(site.place, 300.0) as store:
        assert isinstance(store, sqlite3.Connection)
        store.set_trace_callback(statements.append)
        found = show(site, store, query)
        store.set_trace_callback(None)
    return statements, found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_as_often_whatever_the_store_holds(sites: tuple[Site, Site], page: str) -> None:
    few, many = (asked(site, *PAGES[page]) for site in sites)
    assert len(few[0]) == len(many[0]) <= 9
    for _, found in (few, many):
        assert all(len(getattr(part, "rows", ())) <= 100 for part in found.parts)


def test_all_campaigns_are_on_some_page(sites: tuple[Site, Site]) -> None:
    _, many = sites
    last = campaigns.Asked(page=-(-MANY // campaigns.PER_PAGE))
    with many.opened() as store:
        found = campaigns.view(many, store, last).content
    assert (found["count"], found["pages"], len(found["campaigns"])) == (MANY, 205, 40)


def test_a_campaign_with_too_many_samples_is_not_drawn(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.serve.campaign._MOST_SAMPLES", 10)
    with site.opened() as store:
        shown = campaigns.view(site, store, campaigns.Asked(kind="compare", text="grid")).content["campaigns"][0]["id"]
    found = Drawings(site).of(shown)
    assert "has 40 samples, more than a page is made of" in found.trouble
    assert instead(site, shown, found.trouble).content["error"] == found.trouble
