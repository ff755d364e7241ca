"""A page that follows a search: what is drawn on the way, by whom, and that a browser reads it again."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from chromium import opened
from playwright.sync_api import Browser

from rooftop.cli.app import main
from rooftop.errors import MISUSE
from rooftop.solvers.routing import Problem, Progress, Tour
from rooftop.solvers.routing import live_page as tsp_live
from rooftop.solvers.routing.live_page import LivePage
from rooftop.solvers.routing.picture import write_page
from rooftop.text.quantities import whole

GOES_ON, AGAIN = "the search goes on", 'http-equiv="refresh"'
LONG_S = 60.0


pytestmark = pytest.mark.usefixtures("library")


@pytest.fixture
def ring() -> Problem:
    """Thirty cities on a circle, in order."""
    angle = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    return Problem.in_plane(1000 * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def says(length: int) -> str:
    """Return what a page says of a tour."""
    return f"length {whole(length)}"


def until_it_says(path: Path, words: str) -> str:
    """Return a page as soon as it says something."""
    ends_s = time.monotonic() + LONG_S
    while time.monotonic() < ends_s:
        if path.is_file() and words in (text := path.read_text(encoding="utf-8")):
            return text
        time.sleep(0.01)
    raise AssertionError(f"the page never said {words!r}")


def test_the_newest_tour_is_drawn_while_the_search_goes_on(
    ring: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tsp_live, "EVERY_S", 0.01)
    monkeypatch.setattr(tsp_live, "_PART", 1.0)
    path = tmp_path / "page.html"
    order = np.arange(30, dtype=np.int32)
    with LivePage(ring, 7, path) as page:
        page.show(Progress(0.5, 1, 6300), order)
        text = until_it_says(path, says(6300))
        assert GOES_ON in text
        assert AGAIN in text
        page.show(Progress(1.5, 20, 6271), order)
        assert "1.5 s" in until_it_says(path, says(6271))
    path.unlink()
    page.show(Progress(2.5, 30, 6270), order)  # nobody draws any longer
    assert not path.exists()


def test_a_folder_that_is_gone_ends_the_drawing_alone(ring: Problem, tmp_path: Path) -> None:
    path = tmp_path / "file" / "page.html"
    path.parent.write_text("in the way", encoding="utf-8")
    with LivePage(ring, 7, path) as page:
        page.show(Progress(0.5, 1, 6300), np.arange(30, dtype=np.int32))
    assert not page._thread.is_alive()


def test_a_browser_follows_to_the_end(ring: Problem, tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "page.html"
    order = np.arange(30, dtype=np.int32)
    tour = Tour(order, 6300, 0.5, 1, (Progress(0.5, 1, 6300),))
    write_page(ring, tour, 7, path, refresh_s=0.2)
    with opened(browser, path, 1280, "light") as (page, seen):
        write_page(ring, Tour(order, 6271, 1.5, 20, (*tour.history, Progress(1.5, 20, 6271))), 7, path)
        page.get_by_text(says(6271)).wait_for()
        assert GOES_ON not in page.content()
        assert seen.messages == []


def test_the_page_that_stays_is_that_of_the_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, plot = tmp_path / "grid.tsp", tmp_path / "grid.html"
    cities = [f"{i + 1} {100 * (i % 10)} {100 * (i // 10)}" for i in range(100)]
    head = ["NAME: grid100", "TYPE: TSP", "DIMENSION: 100", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION"]
    file.write_text("\n".join([*head, *cities, "EOF", ""]), encoding="utf-8")
    words = ["solve", "tsp", str(file), "--live", "--iterations", "3000"]
    assert main([*words, "--plot", str(plot)]) == 0
    text = plot.read_text(encoding="utf-8")
    assert says(10_000) in text
    assert GOES_ON not in text
    assert AGAIN not in text
    for more, told in (
        ([], "expected --plot FILE.html"),
        (["--plot", str(tmp_path / "a.png")], "expected --plot FILE.html"),
        (["--plot", str(plot), "--ranks", "2"], "--live works with one rank only, but --ranks is 2"),
    ):
        capsys.readouterr()
        assert main([*words, *more]) == MISUSE
        err = capsys.readouterr().err
        assert told in err
        assert err.count("\n") == 1
