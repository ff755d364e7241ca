"""The page of a campaign is the report's, made by a process of its own that runs no code a store names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from growing_store import Growing
from served_site import LOCAL, Served, served
from served_store import HOSTILE
from served_store import Served as Store

from rooftop.cli.app import main
from rooftop.serve import campaigns, history
from rooftop.serve.app import application
from rooftop.serve.campaign import Crowded, Drawings, Drawn
from rooftop.serve.place import Site
from rooftop.store.database import opened_database

SITE_NAVIGATION = re.compile(r'<nav class="site".*?</nav>\n', re.DOTALL)


def first(server: Served, **asked: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    found: str = server.ask(f"/campaigns.json?{query}").content["campaigns"][0]["id"]
    return found


def test_it_is_the_page_of_rooftop_report(
    server: Served, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = first(server, kind="compare", text="grid")
    monkeypatch.setenv("ROOFTOP_HOME", str(site.settings.home_folder))
    assert main(["report", campaign, "--out", str(tmp_path / "report.html")]) == 0
    page = server.ask(f"/campaigns/{campaign}")
    assert page.code == 200
    assert SITE_NAVIGATION.sub("", page.text) == (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    document = server.ask(f"/campaigns/{campaign}.json")
    assert (document.content["schema"], document.content["campaign"]) == ("rooftop/compare/1", campaign)


def test_a_hostile_campaign_is_shown_as_text(server: Served) -> None:
    campaign = first(server, machine=quote(HOSTILE), kind="compare")
    page = server.ask(f"/campaigns/{campaign}")
    assert "&lt;script&gt;alert" in page.text
    assert not {attack for attack in ("<script>alert", "<img src", "\x1b", "\u202e") if attack in page.text}


def test_one_that_cannot_be_read_is_told_with_what_the_store_says(server: Served) -> None:
    campaign = first(server, kind="gate")
    page = server.ask(f"/campaigns/{campaign}")
    assert page.code == 422
    assert "stored it in another format" in page.text
    assert "in the store" in page.text
    document = server.ask(f"/campaigns/{campaign}.json")
    assert (document.code, "another format" in document.content["error"]) == (422, True)


def test_one_that_was_copied_in_part_is_told_to_be(own_site: Site) -> None:
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        names = [Store(store).gate(1, 1.0), Store(store).comparison(["a", "b"], [0.1, 0.2], name="other")]
        store.execute("UPDATE campaign SET finished = NULL, copying = 'mark'")
    for name in names:
        assert f"campaign {name} was copied in part only: run the 'rooftop sync'" in Drawings(own_site).of(name).trouble
    with own_site.opened() as opened:
        listed = campaigns.view(own_site, opened, campaigns.Asked()).content["campaigns"]
        assert [one["state"] for one in listed] == ["copied in part"] * 2
        assert history.listed(own_site, opened, history.Histories()).content["histories"] == []


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"names": ["{evil}"]}, "there is no experiment"),
        ({"names": [], "experiments": "{evil}"}, "the code of experiments of elsewhere is not run here"),
    ],
    ids=["name", "from"],
)
def test_no_code_is_run_that_a_store_names(own_site: Site, tmp_path: Path, request_: dict[str, Any], told: str) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "experiment.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    said = json.loads(json.dumps(request_).replace("{evil}", str(evil)))
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        Store(store).campaign({"kind": "climb", "size": "quick", **said}, [], name="evil")
    found = Drawings(own_site).of("evil")
    assert told in found.trouble
    assert not (tmp_path / "ran").exists()


def test_it_is_made_again_only_when_it_has_grown(own_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    drawings = Drawings(own_site)

    def counted(_: Drawings, campaign: str) -> Drawn:
        made.append(campaign)
        return Drawn(page=b"a page")

    monkeypatch.setattr(Drawings, "_made", counted)
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        growing = Growing(store, "growing")
        growing.measure(4)
        before = drawings.of("growing")
        assert drawings.of("growing") is before
        growing.measure(4)
        after = drawings.of("growing")
    assert (made, after is before) == (["growing"] * 2, False)
    assert len(drawings._kept) == 1


def test_it_has_a_limit_of_time_and_is_tried_again(server: Served, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, drawings = first(server, kind="compare", text="grid"), Drawings(site)
    with monkeypatch.context() as patched:
        patched.setattr("rooftop.serve.campaign.LIMIT_S", 0.01)
        assert "was not made within 0.01 s" in drawings.of(campaign).trouble
    assert drawings.of(campaign).page


def test_more_than_a_few_that_wait_are_asked_to_come_again(site: Site) -> None:
    drawings = Drawings(site)
    while drawings._waiting.acquire(blocking=False):
        pass
    with site.opened() as store:
        (campaign,) = store.execute("SELECT id FROM campaign WHERE id LIKE '20%' LIMIT 1").fetchone()
    with pytest.raises(Crowded, match="ask again"):
        drawings.of(campaign)


def test_without_a_store_each_page_says_so(own_site: Site) -> None:
    with served(application(own_site, LOCAL)) as server:
        for address in ("/campaigns", "/machines", "/history", "/sides", "/campaigns/x"):
            found = server.ask(f"{address}.json")
            assert found.code == 503
            assert "the first campaign makes it" in found.content["error"]
        assert server.ask("/jobs.json").code == 200
    assert not own_site.settings.home_folder.exists()


def test_an_error_of_the_site_tells_no_trace(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.serve.machines.counted", lambda _: 1 / 0)
    with served(application(site, LOCAL)) as server:
        found = server.ask("/machines.json")
        assert (found.code, found.content["error"]) == (
            500,
            "internal error: ZeroDivisionError; the server's log has more",
        )
        assert found.headers["x-content-type-options"] == "nosniff"
