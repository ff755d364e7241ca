"""The page of a tuning in a real browser: every kind of figure draws, silently, wide and narrow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser, expect
from replayed_tuning import OPTIONS, recorded, tune

from rooftop.report.figure_page import write_figure_page
from rooftop.settings import Settings
from rooftop.tune.options import Options
from rooftop.tune.page import parts
from rooftop.tune.parameters import Kind
from rooftop.tune.values import Value

N, MODE = OPTIONS.parameters
LOOKS: tuple[tuple[int, Scheme], ...] = ((1280, "light"), (390, "dark"))
SPACES: dict[str, tuple[tuple[str, Kind, tuple[Value, ...]], ...]] = {
    "one": (("N", "param", (9, 10, 11)), ("mode", "param", ("b",))),
    "two": (("N", "param", (0, 7, 11)), MODE),
    "three": (("N", "param", (0, 7, 11)), MODE, ("<b>K</b>", "env", ("</script>", "&amp;"))),
}


@pytest.mark.parametrize("space", SPACES)
def test_it_draws(space: str, settings: Settings, tmp_path: Path, browser: Browser) -> None:
    options = Options(words=OPTIONS.words, parameters=SPACES[space], how=replace(OPTIONS.how, budget_s=90.0))
    document = tune(settings, recorded(options), options).document
    page_file = tmp_path / "page.html"
    write_figure_page(page_file, "Tuning of </title>app", "aside & more", parts(document), document.rooftop)
    for width, scheme in LOOKS:
        with opened(browser, page_file, width, scheme) as (page, seen):
            assert draw_all(page) == (1 if space == "one" else 2)
            expect(page.locator("tbody tr")).to_have_count(len(document.tried))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not seen.messages
            assert seen.requests == [page_file.as_uri()]
