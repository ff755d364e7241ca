"""Headless Chromium, for tests that look at pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

Scheme = Literal["light", "dark"]
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield headless Chromium; the tests that want it are skipped where it is missing."""
    if not CHROMIUM.exists():
        pytest.skip("chromium is not installed: apt install chromium")
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        except Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()


@dataclass
class Seen:
    """What a page did that it should not."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def opened(browser: Browser, path: Path, width: int = 1280, scheme: Scheme = "light") -> Iterator[tuple[Page, Seen]]:
    """Open a report in a fresh context; every message, error and request is noted."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True)
    page = context.new_page()
    seen = Seen()
    page.on("console", lambda message: seen.messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", lambda dialog: seen.messages.append(f"dialog: {dialog.message}"))
    page.on("request", lambda request: seen.requests.append(request.url))
    page.goto(path.as_uri())
    yield page, seen
    context.close()


def draw_all(page: Page) -> int:
    """Bring every figure in view and wait until it is drawn; give how many there are."""
    figures = page.locator(".plot:visible")
    for at in range(figures.count()):
        figures.nth(at).scroll_into_view_if_needed()
        figures.nth(at).locator("svg.main-svg").first.wait_for()
    return figures.count()
