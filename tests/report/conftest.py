"""Reports drawn once for all tests, and a real browser to look at them with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright
from synthetic_climb import ALL

from rooftop import report

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
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Give the report of every synthetic document."""
    folder = tmp_path_factory.mktemp("reports")
    paths = {name: folder / f"{name}.html" for name in ALL}
    for name, make in ALL.items():
        report.write(make(), paths[name])
    return paths


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give headless Chromium; the tests that want it are skipped where it is missing."""
    if not CHROMIUM.exists():
        pytest.skip("chromium is not installed: apt install chromium")
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        except Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()
