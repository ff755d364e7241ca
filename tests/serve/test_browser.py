"""The site in a real browser: wide and narrow, by keyboard, live, without JavaScript, and attacked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from chromium import draw_all
from playwright.sync_api import Browser, Page, expect
from served_site import LOCAL, Served, served
from served_store import HOSTILE

from rooftop.serve import jobs
from rooftop.serve.app import application
from rooftop.serve.place import Site

PAGES = {
    "/campaigns": 0,
    f"/campaigns?{urlencode({'text': HOSTILE})}": 0,
    "/machines": 0,
    "/history": 0,
    "/history/gate?benchmark=solve": 1,
    f"/history/gate?{urlencode({'benchmark': HOSTILE})}": 1,
    f"/history/arm?{urlencode({'experiment': 'compare', 'size': 'commands', 'case': 'commands', 'arm': HOSTILE})}": 1,
    f"/sides/machines?a={'a' * 16}&b={'b' * 16}": 0,
    f"/sides/machines?a={'a' * 16}&b={quote(HOSTILE)}": 0,
    f"/sides/revisions?a={2:040x}&b={20:040x}": 0,
    "/jobs": 0,
}


@contextmanager
def looked_at(browser: Browser, url: str, width: int = 1280, **more: Any) -> Iterator[tuple[Page, list[str]]]:
    """Open an address; messages, errors, dialogs and requests to elsewhere are noted."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **more)
    page, seen = context.new_page(), list[str]()
    page.on("console", lambda message: seen.append(message.text))
    page.on("pageerror", lambda error: seen.append(str(error)))
    page.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    page.on("request", lambda one: None if one.url.startswith(url.split("/", 3)[0]) else seen.append(one.url))
    page.goto(url)
    yield page, seen
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_each_page_is_silent_and_fits(browser: Browser, server: Served, width: int) -> None:
    for address, figures in list(PAGES.items())[:: 1 if width == 390 else 2]:
        with looked_at(browser, server.url + address, width) as (page, seen):
            assert draw_all(page) == figures, address
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
            assert page.locator("h1").count() == 1
            assert page.locator("main script:not([type='application/json']), main img, main iframe").count() == 0
            assert seen == [], address


def test_the_report_of_a_campaign_is_drawn_in_the_site(browser: Browser, server: Served) -> None:
    (campaign, *_) = server.ask("/campaigns.json?kind=compare&text=grid").content["campaigns"]
    with looked_at(browser, f"{server.url}/campaigns/{campaign['id']}", 390) as (page, seen):
        assert draw_all(page) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Campaigns").click()
        expect(page.locator("h1")).to_have_text("Campaigns")
        assert seen == []


def test_it_can_be_used_by_keyboard(browser: Browser, server: Served) -> None:
    with looked_at(browser, f"{server.url}/campaigns") as (page, seen):
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.get_by_label("Text").focus()
        page.keyboard.type("--grid")
        page.keyboard.press("Enter")
        expect(page.locator("tbody tr")).to_have_count(16)
        expect(page.get_by_label("Text")).to_have_value("--grid")
        heading = page.get_by_role("button", name="campaign")
        heading.focus()
        page.keyboard.press("Enter")
        expect(page.locator("thead th").first).to_have_attribute("aria-sort", "ascending")
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="History").focus()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("History")
        page.locator("tbody a").first.focus()
        assert page.evaluate("document.activeElement.matches(':focus-visible')")
        assert seen == []


@pytest.fixture(name="jobs_site")
def jobs_site_fixture(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Served, list[dict[str, Any]]]]:
    """Yield a site whose scheduler tells what is in the list, and is asked whenever somebody looks."""
    rows: list[dict[str, Any]] = []
    watch = jobs.Watch(Path(), lambda _: [dict(one) for one in rows])
    monkeypatch.setattr(jobs, "Watch", lambda home: watch)
    monkeypatch.setattr(jobs, "POLL_S", 0.0)
    monkeypatch.setattr(jobs, "LIVE_S", 0.2)
    with served(application(site, LOCAL)) as server:
        yield server, rows


def job(state: str) -> dict[str, Any]:
    """Return a job as ``rooftop status --json`` tells it."""
    more = {"on": "slurm", "native": "7", "submitted": "2026-01-01T08:00:00Z", "exit_code": None, "told": ""}
    return {"id": "20260101-080000-abcd", "state": state, "subject": HOSTILE, **more}


def test_jobs_are_live(browser: Browser, jobs_site: tuple[Served, list[dict[str, Any]]]) -> None:
    server, rows = jobs_site
    with looked_at(browser, f"{server.url}/jobs", 390) as (page, seen):
        expect(page.locator("main")).to_contain_text("No campaign was submitted in a job.")
        rows.append(job("queued"))
        expect(page.locator("tbody")).to_contain_text("queued")
        rows[0] = job("running")
        expect(page.locator("tbody")).to_contain_text("running")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert seen == []


def test_without_javascript_it_reloads_and_lists(
    browser: Browser, jobs_site: tuple[Served, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, rows = jobs_site
    monkeypatch.setattr(jobs, "LIVE_S", 2)
    with looked_at(browser, f"{server.url}/jobs", java_script_enabled=False) as (page, _):
        assert "No campaign was submitted in a job." in server.ask("/jobs").text
        rows.append(job("queued"))
        with page.expect_event("framenavigated", timeout=60_000):
            pass
        monkeypatch.setattr(jobs, "LIVE_S", 3600)
        page.goto(f"{server.url}/jobs")
        assert "queued" in page.locator("tbody").inner_text()
    with looked_at(browser, f"{server.url}/campaigns", java_script_enabled=False) as (page, _):
        page.get_by_label("Kind").select_option("gate")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("tbody tr")).to_have_count(25, timeout=60_000)


def test_a_scheduler_is_asked_no_more_often_than_it_may(site: Site) -> None:
    asked: list[Path] = []

    def ask(home: Path) -> list[dict[str, Any]]:
        asked.append(home)
        return []

    watch = jobs.Watch(site.settings.home_folder, ask)
    threads = [threading.Thread(target=jobs.view, args=(watch, site)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == 1
