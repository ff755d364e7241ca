"""``rooftop solve tsp``: the tour, its document and its pictures, and mistakes in one line each."""

from __future__ import annotations

import re
import signal
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser
from solver_command import solver_command

from rooftop.errors import INTERRUPTED, MISUSE
from rooftop.settings import Settings
from rooftop.solvers.routing import Problem, RoutingArgumentError
from rooftop.solvers.routing.document import TspDocument
from rooftop.solvers.routing.ranks import PROGRAM, RankedSearch

pytestmark = pytest.mark.usefixtures("library", "young_process")


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    """A file of 10 by 10 cities, 100 apart: the shortest tour is 10 000."""
    file = tmp_path / "grid.tsp"
    cities = [f"{i + 1} {100 * (i % 10)} {100 * (i // 10)}" for i in range(100)]
    head = ["NAME: grid100", "TYPE: TSP", "DIMENSION: 100", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION"]
    file.write_text("\n".join([*head, *cities, "EOF", ""]), encoding="utf-8")
    return file


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """A file that gives distances alone."""
    file = tmp_path / "matrix.tsp"
    head = "NAME: m\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
    file.write_text(f"{head}EDGE_WEIGHT_SECTION\n1 9 1\n1 9\n1\nEOF\n", encoding="utf-8")
    return file


solve = partial(solver_command, "tsp")


def test_the_document_tells_of_a_valid_tour(capsys: pytest.CaptureFixture[str], grid: Path, tmp_path: Path) -> None:
    out = tmp_path / "grid.tour"
    code, text, err = solve(capsys, grid, "--iterations", 3000, "--seed", 4, "--threads", 1, "--out", out, "--json")
    assert (code, err) == (0, "")
    document = TspDocument.model_validate_json(text)
    assert (document.valid, document.length, document.cities, document.seed) == (True, 10_000, 100, 4)
    assert (document.iterations, document.tours, document.interrupted) == (3000, 3001, False)
    assert document.history[-1].length == 10_000
    order = [int(word) - 1 for word in out.read_text().split("TOUR_SECTION")[1].split("-1")[0].split()]
    assert Problem.read(grid).length(order) == 10_000


def test_a_line_for_people(capsys: pytest.CaptureFixture[str], grid: Path) -> None:
    code, text, err = solve(capsys, grid, "--time", "1.5s")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"grid100: 100 cities, length \d+, found in [\d.]+ s of [\d.]+ s with \d+ ants, seed 1\n", text)


@pytest.mark.case("solvers.A2")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_best(
    capsys: pytest.CaptureFixture[str],
    grid: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **__: signal.raise_signal(number))
    before = signal.getsignal(number)
    out = tmp_path / "grid.tour"
    code, text, _ = solve(capsys, grid, "--time", "1h", "--out", out, "--json")
    document = TspDocument.model_validate_json(text)
    assert (code, document.interrupted, document.valid) == (INTERRUPTED, True, True)
    assert "TOUR_SECTION" in out.read_text()
    assert signal.getsignal(number) is before


@pytest.fixture
def ranks() -> None:
    """Skips where nothing starts ranks."""
    if not (Settings().build_folder / "solvers/routing" / PROGRAM).is_file():
        pytest.skip("the solver is not built for ranks")


@pytest.mark.usefixtures("ranks")
@pytest.mark.parametrize("count", [2, 3])
def test_ranks_find_the_same_tour_again(
    capsys: pytest.CaptureFixture[str], grid: Path, tmp_path: Path, count: int
) -> None:
    out = tmp_path / "grid.tour"
    words = (grid, "--iterations", 3001, "--ranks", count, "--threads", 1, "--out", out, "--json")
    documents = []
    for _ in range(2):
        code, text, err = solve(capsys, *words)
        assert (code, err) == (0, "")
        documents.append(TspDocument.model_validate_json(text))
    one, other = documents
    assert (one.valid, one.ranks, one.iterations) == (True, count, 3001)
    assert one.length == other.length
    assert one.began_s > 0.5
    order = [int(word) - 1 for word in out.read_text().split("TOUR_SECTION")[1].split("-1")[0].split()]
    assert Problem.read(grid).length(order) == other.length


@pytest.mark.case("solvers.A2.ranks")
@pytest.mark.usefixtures("ranks")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_ranks_too(
    capsys: pytest.CaptureFixture[str], grid: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **__: signal.raise_signal(number))
    code, text, _ = solve(capsys, grid, "--time", "1h", "--ranks", 2, "--json")
    document = TspDocument.model_validate_json(text)
    assert (code, document.interrupted, document.valid) == (INTERRUPTED, True, True)


@pytest.mark.usefixtures("ranks")
def test_ranks_that_fail_are_told_in_one_line(
    capsys: pytest.CaptureFixture[str], grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RankedSearch, "_words", lambda _: ["sh", "-c", "echo no network >&2; exit 7"])
    code, out, err = solve(capsys, grid, "--iterations", 5, "--ranks", 2)
    assert (code, out) == (1, "")
    assert "no network" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_drawings(capsys: pytest.CaptureFixture[str], grid: Path, tmp_path: Path, suffix: str) -> None:
    plot = tmp_path / f"tour.{suffix}"
    assert solve(capsys, grid, "--iterations", 50, "--plot", plot)[0] == 0
    assert plot.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG"}[suffix])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_draws_in_a_browser(
    capsys: pytest.CaptureFixture[str], grid: Path, tmp_path: Path, browser: Browser, width: int, scheme: Scheme
) -> None:
    plot = tmp_path / "tour.html"
    assert solve(capsys, grid, "--iterations", 500, "--plot", plot)[0] == 0
    with opened(browser, plot, width, scheme) as (page, seen):
        assert draw_all(page) == 2
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == []
        assert seen.requests == [plot.as_uri()]


def test_distances_alone_cannot_be_drawn(capsys: pytest.CaptureFixture[str], matrix: Path, tmp_path: Path) -> None:
    assert solve(capsys, matrix, "--iterations", 5, "--plot", tmp_path / "m.html")[0] == 0
    code, _, err = solve(capsys, matrix, "--iterations", 5, "--plot", tmp_path / "m.png")
    assert code == MISUSE
    assert "no coordinates to draw" in err


def test_a_wrong_tour_is_told(capsys: pytest.CaptureFixture[str], grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Problem.solve

    def spoilt(self: Problem, *words: object, **more: object) -> object:
        tour = found(self, *words, **more)  # type: ignore[arg-type]
        tour.order[1] = tour.order[2]
        return tour

    monkeypatch.setattr(Problem, "solve", spoilt)
    code, text, err = solve(capsys, grid, "--iterations", 5, "--json")
    document = TspDocument.model_validate_json(text)
    assert (code, document.outcome, document.valid, document.length) == (1, "wrong", False, None)
    assert "once" in err


@pytest.mark.case("solvers.B3.file")
def test_a_file_within_the_unit_square_is_remarked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = "".join(f"{city} 0.{city} 0.{city * 7 % 10}\n" for city in range(1, 9))
    for metric, remarked in (("EUC_2D", True), ("ATT", True), ("GEO", False)):
        file = tmp_path / f"{metric}.tsp"
        file.write_text(
            f"NAME: near\nTYPE: TSP\nDIMENSION: 8\nEDGE_WEIGHT_TYPE: {metric}\nNODE_COORD_SECTION\n{rows}EOF\n"
        )
        code, text, err = solve(capsys, file, "--iterations", 5, "--json")
        document = TspDocument.model_validate_json(text)
        assert (code, err) == (0, "".join(f"remark: {one}\n" for one in document.remarks))
        assert bool(document.remarks) is remarked
        assert all(f"{metric}: distances are rounded to whole numbers" in one for one in document.remarks)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--time", "soon"], "--time"),
        (["--time", "0s"], "--time"),
        (["--iterations", "0"], "--iterations"),
        (["--threads", "0"], "--threads"),
        (["--ranks", "0"], "--ranks"),
        (["--ranks", "3", "--iterations", "2"], "--iterations"),
        (["--plot", "tour.gif"], "--plot"),
        (["--out", "/nonexistent/folder/x.tour"], "--out"),
    ],
)
def test_misuse_is_one_line(capsys: pytest.CaptureFixture[str], grid: Path, words: list[str], says: str) -> None:
    code, out, err = solve(capsys, grid, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("hello\n", "hello"),
        ("NAME: x\nTYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1 1\nEOF\n", "2"),
        ("NAME: x\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 nan 1\n", "nan"),
        (
            "TYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
            "FIXED_EDGES_SECTION\n1 2\n3 2\n-1\nEDGE_WEIGHT_SECTION\n0 1 2\n3 0 4\n5 6 0\nEOF\n",
            "city 2 twice",
        ),
    ],
)
def test_a_file_that_is_no_problem_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "bad.tsp"
    file.write_text(text, encoding="utf-8")
    code, out, err = solve(capsys, file, "--iterations", 5)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


def test_fixed_edges_and_directions_are_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, out = tmp_path / "way.atsp", tmp_path / "way.tour"
    file.write_text(
        "NAME: way\nTYPE: ATSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
        "FIXED_EDGES_SECTION\n4 2\n-1\nEDGE_WEIGHT_SECTION\n0 1 9 9\n9 0 1 9\n9 9 0 1\n1 9 9 0\nEOF\n",
        encoding="utf-8",
    )
    code, text, err = solve(capsys, file, "--iterations", 5, "--out", out)
    assert (code, err) == (0, "")
    assert "length 28," in text  # 4 without the fixed way
    problem = Problem.read(file)
    with pytest.raises(RoutingArgumentError, match="lacks the fixed edge 4 2"):
        problem.length([0, 1, 2, 3])


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = solve(capsys, tmp_path / "none.tsp")
    assert code == MISUSE
    assert "none.tsp" in err


def test_places_are_those_of_the_file(grid: Path) -> None:
    coordinates = Problem.read(grid).coordinates
    assert coordinates is not None
    assert np.array_equal(coordinates[11], [100, 100])
