"""The documentation site: built without a warning, no broken link, nothing fetched, fit for small screens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

ROOT = Path(__file__).parents[2]
WIDTHS = (390, 1280)
PAGES = (
    "index.html",
    "guide/index.html",
    "guide/tuning.html",
    "measuring.html",
    "reference/solvers-fft.html",
    "results/transforms.html",
    "decisions/0056-rooms-have-an-order.html",
    "experiments/labs/false_sharing/index.html",
)


def built(tree: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a tree as ``make docs`` does."""
    pytest.importorskip("material", reason="mkdocs-material is not installed: packages/venv docs")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed: packages/venv docs")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, cwd=tree, env=environment, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module", name="site")
def site_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this tree."""
    site = tmp_path_factory.mktemp("site")
    done = built(ROOT, site)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    return site


class Page(HTMLParser):
    """What a page names: its anchors, its links, and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        given = {name: value for name, value in attrs if value is not None}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        for name in ("href", "src"):
            if name in given:
                (self.links if tag == "a" else self.loaded).append(given[name])


def test_every_link_leads_somewhere_and_nothing_is_fetched(site: Path) -> None:
    pages = {file: Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    assert len(pages) > 200
    broken, fetched = [], []
    for file, page in pages.items():
        for said in page.links + page.loaded:
            link = urlsplit(said)
            if link.scheme or link.netloc:
                if said in page.loaded and link.scheme != "data":
                    fetched.append(f"{file.relative_to(site)}: {said}")
                continue
            target = (file.parent / unquote(link.path)).resolve() if link.path else file
            there = target.is_file() and (
                not link.fragment or target not in pages or unquote(link.fragment) in pages[target].anchors
            )
            if not there and said != "#__skip":
                broken.append(f"{file.relative_to(site)}: {said}")
    assert (broken, fetched) == ([], [])


def test_the_reference_has_what_a_solver_exports(site: Path) -> None:
    page = Page(site / "reference" / "solvers-fft.html")
    assert {f"rooftop.solvers.fft.{name}" for name in ("fftn", "irfftn", "FourierPlan.forward")} <= page.anchors
    assert "rooftop.solvers.fft.forget_brief_calls" not in page.anchors


@pytest.fixture(scope="module", name="address")
def address_fixture(site: Path) -> Iterator[str]:
    """A server of the site on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_in_silence_and_are_searched(browser: Browser, address: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    said: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    for one in PAGES:
        page.goto(f"{address}/{one}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, one
        assert page.locator("h1").first.is_visible(), one
    if width < 1000:
        page.locator("label[for=__search]").first.click()
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("denormals")  # it listens to keys
    expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=120_000)
    context.close()
    assert said == []
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "docs" / "site", tree / "docs" / "site")
    shutil.copy(ROOT / "mkdocs.yml", tree)
    (tree / "src").symlink_to(ROOT / "src")
    (tree / "docs" / "guide").mkdir()
    (tree / "docs" / "guide" / "README.md").write_text("# Guide\n\n## One\n\n[a](#one)\n", encoding="utf-8")
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "docs/measuring.md"):
        (tree / name).write_text("# Page\n", encoding="utf-8")
    links = {"docs/guide/README.md#one": True, "docs/guide/README.md#two": False, "docs/guide/gone.md": False}
    text = "".join(f"[there]({link})\n\n" for link in links)
    (tree / "README.md").write_text(f"# Home\n\n{text}", encoding="utf-8")
    done = built(tree, tmp_path / "site")
    assert done.returncode != 0
    assert {link: Path(link).name not in done.stderr for link in links} == links, done.stdout + done.stderr
