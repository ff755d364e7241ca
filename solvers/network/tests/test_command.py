"""``rooftop solve network``: the front, its document, files and pictures, and mistakes in one line each."""

from __future__ import annotations

import re
import signal
from functools import partial
from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser
from small_network import TABLES, write_tables
from solver_command import solver_command

from rooftop.errors import INTERRUPTED, MISUSE, WRONG, NotBuilt
from rooftop.solvers import network as solver
from rooftop.solvers.c_interface.solver_library import NothingFound
from rooftop.solvers.network import Front
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network import run as network_run
from rooftop.solvers.network.bill import Bill, Inspector, bill
from rooftop.solvers.network.document import NetworkDocument
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.plan_file import read_plan
from rooftop.solvers.network.run import Plan
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.running.stop import Stop


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skips all where the solver is not built."""
    try:
        network_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a search counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(network_run, "elapsed_s", lambda: 0.5)


@pytest.fixture
def town(tmp_path: Path) -> Path:
    return write_tables(tmp_path / "town")


solve = partial(solver_command, "network")


def test_the_document_tells_of_a_valid_front(capsys: pytest.CaptureFixture[str], town: Path, tmp_path: Path) -> None:
    out = tmp_path / "plan.csv"
    words = ["--iterations", 200, "--seed", 4, "--threads", 1, "--weights", "co2e=1", "--out", out, "--json"]
    code, text, err = solve(capsys, town, *words)
    assert (code, err) == (0, "")
    document = NetworkDocument.model_validate_json(text)
    assert (document.valid, document.outcome, document.name, document.iterations) == (True, "ok", "town", 200)
    assert (document.nodes, document.links, document.demands, document.months) == (5, 6, 4, 2)
    assert document.chosen is not None
    assert document.chosen.figures.co2e == min(one.co2e for one in document.front)
    assert document.chosen.figures == document.front[document.chosen.plan]
    assert 0 < document.chosen.load_factor <= 1
    assert document.hypervolume is not None
    assert document.hypervolume > 0
    assert document.history[-1].hypervolume == pytest.approx(document.hypervolume)
    # The file alone is a whole plan.
    found = bill(read_network([town]), read_plan(out))
    assert (found.cost, found.time, found.co2e) == pytest.approx(
        (document.chosen.figures.cost, document.chosen.figures.time, document.chosen.figures.co2e)
    )


def test_the_front_depends_on_the_seed_alone(capsys: pytest.CaptureFixture[str], town: Path) -> None:
    documents = []
    for threads in (1, 2, 4):
        code, text, _ = solve(capsys, town, "--iterations", 60, "--threads", threads, "--json")
        assert code == 0
        documents.append(NetworkDocument.model_validate_json(text))
    assert documents[0].front == documents[1].front == documents[2].front
    assert documents[0].chosen == documents[1].chosen == documents[2].chosen


def test_a_line_for_people(capsys: pytest.CaptureFixture[str], town: Path) -> None:
    code, text, err = solve(capsys, *(town / f"{name}.csv" for name in TABLES), "--time", "1s")
    assert (code, err) == (0, "")
    figures = r"cost [\d.]+, [\d.]+ tonne-hours, [\d.]+ kg CO2e"
    assert re.fullmatch(rf"town: \d+ plans with \d+ ants in [\d.]+ s, seed 1; chosen: {figures}\n", text)


@pytest.mark.case("solvers.A2")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_front(
    capsys: pytest.CaptureFixture[str],
    town: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    """One that comes while the solver runs, as its callback does."""
    monkeypatch.setattr("rich.progress.Progress.update", lambda *_, **__: signal.raise_signal(number))
    before = signal.getsignal(number)
    out = tmp_path / "plan.csv"
    code, text, _ = solve(capsys, town, "--time", "1h", "--out", out, "--json")
    document = NetworkDocument.model_validate_json(text)
    assert (code, document.interrupted, document.valid) == (INTERRUPTED, True, True)
    assert document.front
    assert read_plan(out)
    assert signal.getsignal(number) is before


@pytest.mark.case("solvers.A2.before")
def test_an_interrupt_before_there_is_a_plan_is_one(
    capsys: pytest.CaptureFixture[str], town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object, stop: Stop, **__: object) -> Front:
        stop.request()
        raise NothingFound("there was no time for a plan")

    monkeypatch.setattr(solver, "solve", search)
    code, out, err = solve(capsys, town, "--time", "1h")
    assert (code, out, err) == (INTERRUPTED, "", "rooftop: interrupted\n")


@pytest.mark.case("solvers.A6.nothing")
def test_no_time_for_a_plan_is_told(
    capsys: pytest.CaptureFixture[str], town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object, **__: object) -> Front:
        raise NothingFound("there was no time for a plan: expected more seconds")

    monkeypatch.setattr(solver, "solve", search)
    code, out, err = solve(capsys, town, "--time", "1h")
    assert (code, out, err) == (WRONG, "", "rooftop: there was no time for a plan: expected more seconds\n")


@pytest.mark.case("solvers.A6.verifying")
def test_no_more_plans_are_verified_than_there_is_time_for(
    capsys: pytest.CaptureFixture[str], town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    inspect = Inspector.bill

    def bill_noted(self: Inspector, plan: Plan) -> Bill:
        looked.append(plan)
        return inspect(self, plan)

    front = solver.solve(make_model(read_network([town])), iterations=300, threads=1)
    assert len(front.points) > 3
    monkeypatch.setattr(solver, "solve", lambda *_, **__: front)
    monkeypatch.setattr(Inspector, "bill", bill_noted)
    monkeypatch.setattr(network_run._Search, "goes_on", lambda _: not looked)
    code, text, _ = solve(capsys, town, "--time", "1h", "--json")
    document = NetworkDocument.model_validate_json(text)
    assert (code, document.valid, len(document.front)) == (0, True, 3)
    assert len(looked) == 4  # the chosen one once more, for its loads
    least = [min(point) for point in zip(*front.points, strict=True)]
    assert [min(getattr(one, name) for one in document.front) for name in ("cost", "time")] == least[:2]


@pytest.mark.parametrize("suffix", ["svg", "png"])
@pytest.mark.parametrize("placed", [True, False])
def test_drawings(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str, placed: bool) -> None:
    node = TABLES["node"] if placed else TABLES["node"].replace("50,10,hub", ",,hub")
    folder, plot = write_tables(tmp_path / "town", node=node), tmp_path / f"plans.{suffix}"
    assert solve(capsys, folder, "--iterations", 20, "--plot", plot)[0] == 0
    assert plot.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG"}[suffix])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_draws_in_a_browser(
    capsys: pytest.CaptureFixture[str], town: Path, tmp_path: Path, browser: Browser, width: int, scheme: Scheme
) -> None:
    plot = tmp_path / "plans.html"
    assert solve(capsys, town, "--iterations", 100, "--plot", plot)[0] == 0
    with opened(browser, plot, width, scheme) as (page, seen):
        assert draw_all(page) == 5
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == []
        assert seen.requests == [plot.as_uri()]


def test_a_wrong_plan_is_told(capsys: pytest.CaptureFixture[str], town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solver.solve

    def spoil(*words: object, **more: object) -> solver.Front:
        front = found(*words, **more)  # type: ignore[arg-type]
        front.points[-1, 2] -= 1
        return front

    monkeypatch.setattr(solver, "solve", spoil)
    code, text, err = solve(capsys, town, "--iterations", 20, "--json")
    document = NetworkDocument.model_validate_json(text)
    assert (code, document.outcome, document.valid, document.front) == (WRONG, "wrong", False, [])
    assert "co2e is" in err


def test_demands_beyond_the_capacities(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    narrow = TABLES["link"].replace("70,50,5,,", "70,50,5,4,").replace("120,90,,,", "120,90,,30,")
    demands = TABLES["demand"] + "".join(f"x{i},2,P,K,9\n" for i in range(7))
    code, out, err = solve(capsys, write_tables(tmp_path, link=narrow, demand=demands), "--iterations", 20)
    assert (code, out) == (MISUSE, "")
    assert "month 2" in err
    assert err.count("\n") == 1


def test_no_plan_found_is_no_front(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Three shipments of 20 t fit two links of 30 t if they are split: no flow proves that whole they do not."""
    header = "link_id,from_node_id,to_node_id,directed,length,free_speed,capacity_t\n"
    links = f"{header}a,P,K,true,9,50,30\nb,P,K,true,9,50,30\n"
    demands = "demand_id,month,from_node_id,to_node_id,tonnes\n" + "".join(f"x{i},1,P,K,20\n" for i in range(3))
    folder = write_tables(tmp_path, link=links, demand=demands)
    code, text, err = solve(capsys, folder, "--iterations", 20, "--json")
    document = NetworkDocument.model_validate_json(text)
    assert (code, document.valid, document.front, document.chosen) == (WRONG, False, [], None)
    assert "exceeds them by 10 t" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--time", "soon"], "--time"),
        (["--iterations", "0"], "--iterations"),
        (["--threads", "0"], "--threads"),
        (["--plans", "0"], "--plans"),
        (["--weights", "price=1"], "--weights"),
        (["--reference", "cost=1"], "--reference"),
        (["--plot", "plans.gif"], "--plot"),
        (["--out", "/nonexistent/folder/x.csv"], "--out"),
    ],
)
def test_misuse_is_one_line(capsys: pytest.CaptureFixture[str], town: Path, words: list[str], says: str) -> None:
    code, out, err = solve(capsys, town, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.case("solvers.B5.some")
def test_what_is_not_read_is_remarked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_tables(tmp_path, vehicle="payload_t,curb\n26,5\n")
    code, text, err = solve(capsys, folder, "--iterations", 5, "--json")
    document = NetworkDocument.model_validate_json(text)
    assert (code, err) == (0, f"remark: {document.remarks[0]}\n")
    assert document.remarks == [f"{folder / 'vehicle.csv'}: ignored columns: 'curb' (did you mean 'curb_t'?)"]


def test_tables_that_are_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = solve(capsys, tmp_path / "none")
    assert code == MISUSE
    assert "none" in err
