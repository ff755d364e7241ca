"""The page of a tuning in a real browser: every kind of figure draws, silently, wide and narrow."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser, expect
from replayed_tuning import OPTIONS, recorded, tune

from rooftop.compare.text import sentence
from rooftop.parameters.space import Kind
from rooftop.parameters.values import Value
from rooftop.report.figure_page import write_figure_page
from rooftop.settings import Settings
from rooftop.tune.options import Options
from rooftop.tune.page import parts
from rooftop.tune.run import KIND

N, MODE = OPTIONS.parameters
LOOKS: tuple[tuple[int, Scheme], ...] = ((1280, "light"), (390, "dark"))
SPACES: dict[str, tuple[tuple[str, Kind, tuple[Value, ...]], ...]] = {
    "one": (("N", "param", (9, 10, 11)), ("mode", "param", ("b",))),
    "two": (("N", "param", (0, 7, 11)), MODE),
    "three": (("N", "param", (0, 7, 11)), MODE, ("<b>K</b>", "env", ("</script>", "&amp;"))),
}


def test_doubts_and_what_the_mean_says_are_shown(settings: Settings, tmp_path: Path) -> None:
    pytest.importorskip("diptest")  # without it no several speeds are named
    # Every configuration has two speeds, of which the median sees one.
    rng = np.random.default_rng(4)
    speeds = {
        name: replace(one, run_ns=[float(ns * (1 + 0.5 * (rng.random() < 0.4))) for ns in list(one.run_ns) * 50])
        for name, one in recorded(OPTIONS).items()
    }
    document = tune(settings, speeds, replace(OPTIONS, how=replace(OPTIONS.how, budget_s=60.0))).document
    assert "Runs of one program have several speeds" in [one.name for one in document.doubts]
    KIND.write_page(document, tmp_path / "page.html")
    text = html.unescape((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert all(one.name in text and one.evidence in text for one in document.doubts)
    assert all(sentence(one, "lower") in text for one in document.comparisons)


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
