"""A store on a server shows the same as one in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from postgres_server import running_server, why_not
from served_store import HOSTILE, varied

from rooftop.serve import campaigns, history, machines, sides
from rooftop.serve.campaign import Drawings
from rooftop.serve.place import Site
from rooftop.settings import Settings
from rooftop.store.database import opened_database

PAGES: list[tuple[Any, Any]] = [
    (campaigns.view, campaigns.Asked()),
    (campaigns.view, campaigns.Asked(kind="climb", text="QUICK")),
    (campaigns.view, campaigns.Asked(text=HOSTILE)),
    (campaigns.view, campaigns.Asked(text="100%_!\\")),
    (machines.view, machines.Asked()),
    (history.listed, history.Histories(text="grid")),
    (history.of_arm, history.OfArm(experiment="compare", size="commands", case="commands", arm="./old --grid 64")),
    (history.of_gate, history.OfGate(benchmark="solve")),
    (sides.start, sides.Nothing()),
    (sides.of_machines, sides.OfMachines(a="a" * 16, b="b" * 16)),
    (sides.of_revisions, sides.OfRevisions(a=f"{2:040x}", b=f"{20:040x}")),
]


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_pages_of_a_server_are_those_of_a_file(site: Site, tmp_path: Path) -> None:
    with running_server() as server:
        place = server.new_store()
        with opened_database(place) as store:
            varied(store)
        served = Site(Settings(home=tmp_path, store=place.url))
        for show, asked in PAGES:
            with served.opened() as there, site.opened() as here:
                assert show(served, there, asked).content == show(site, here, asked).content
        with served.opened() as there:
            chosen = campaigns.view(served, there, campaigns.Asked(kind="compare", text="grid")).content["campaigns"]
        drawn = Drawings(served).of(chosen[0]["id"])
        assert b"./old --grid 64" in drawn.page, drawn.trouble
