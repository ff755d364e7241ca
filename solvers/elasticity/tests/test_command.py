"""``rooftop solve elasticity``: the document, files and pictures, and mistakes in one line each."""

from __future__ import annotations

import re
import signal
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from chromium import draw_all, opened
from playwright.sync_api import Browser
from solver_command import solver_command

from rooftop.errors import INTERRUPTED, MISUSE, WRONG, NotBuilt
from rooftop.solvers import elasticity as solver
from rooftop.solvers.elasticity import PRECONDITIONERS, Solution, box, command
from rooftop.solvers.elasticity import library as elasticity_library
from rooftop.solvers.elasticity import run as elasticity_run
from rooftop.solvers.elasticity.document import ElasticityDocument
from rooftop.solvers.elasticity.picture import factor_of


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skip all where the solver is not built."""
    try:
        elasticity_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a run counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(elasticity_run, "elapsed_s", lambda: 0.5)


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    path = tmp_path / "mesh.inp"
    path.write_text("8 6 10\n1 1 1\n1 1\n1000\n", encoding="utf-8")
    return path


solve = partial(solver_command, "elasticity")


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
@pytest.mark.parametrize("shape", [(), ("--grade", "1:10"), ("--distort", "0.2", "--grade", "2:1", "--seed", "4")])
def test_the_document_of_a_mesh_inp(
    capsys: pytest.CaptureFixture[str], mesh: Path, preconditioner: str, shape: tuple[str, ...]
) -> None:
    code, text, err = solve(capsys, mesh, "--preconditioner", preconditioner, *shape, "--json")
    assert (code, err) == (0, "")
    document = ElasticityDocument.model_validate_json(text)
    assert (document.valid, document.outcome, document.ended) == (True, "ok", "converged")
    assert (document.nodes, document.elements, document.unknowns) == ((8, 6, 10), 315, 1440 - 60 - 80 - 48)
    assert (document.preconditioner, document.tolerance, document.threads) == (preconditioner, 1e-8, 1)
    assert document.residual is not None
    assert document.residual <= 1e-8
    assert document.checked_residual == pytest.approx(document.residual, rel=0.01, abs=1e-12)
    assert document.checked_nodes == 480
    assert document.error is not None
    assert document.error < 1e-6
    assert document.largest_displacement == pytest.approx(np.hypot(9, 0.3 * np.hypot(7, 5)), rel=1e-5)
    assert document.largest_von_mises == pytest.approx(1, rel=1e-5)
    assert document.history[0].iteration == 0
    assert document.history[-1].iteration == document.iterations
    assert document.remarks == []


def test_a_line_for_people(capsys: pytest.CaptureFixture[str], mesh: Path) -> None:
    code, text, err = solve(capsys, mesh, "--young", "200", "--poisson", "0.25")
    assert (code, err) == (0, "")
    told = r"true residual [\d.e-]+, set-up [\d.]+ s of [\d.]+ s, largest error [\d.e-]+ of the exact displacement"
    assert re.fullmatch(rf"mesh\.inp: 8 x 6 x 10 nodes, 1252 unknowns: \d+ iterations, {told}\n", text)


def test_ranks_become_threads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = tmp_path / "mesh.inp"
    mesh.write_text("8 6 10\n4 3 5\n100 1\n1000\n", encoding="utf-8")
    code, text, err = solve(capsys, mesh, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert code == 0
    assert err == "".join(f"remark: {remark}\n" for remark in document.remarks)
    assert "60 parts for 60 ranks" in document.remarks[0]
    assert "asks for 6000 threads in all" in document.remarks[1]
    code, text, _ = solve(capsys, mesh, "--json", "--threads", 3)
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.threads, len(document.remarks)) == (0, 3, 1)


def test_a_mesh_of_another_program(capsys: pytest.CaptureFixture[str], mesh: Path, tmp_path: Path) -> None:
    """What one run writes, another reads: the same body held and pulled by options has the same displacement."""
    out, again = tmp_path / "u.vtu", tmp_path / "again.vtu"
    assert solve(capsys, mesh, "--grade", "1:3", "--distort", "0.1", "--out", out)[0] == 0
    words = [word for face in ("x-min", "y-min", "z-min") for word in ("--symmetry", face)]
    code, text, err = solve(capsys, out, *words, "--traction", "z-max=0,0,1", "--out", again, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, err, document.valid, document.error) == (0, "", True, None)
    first, second = meshio.read(out), meshio.read(again)
    assert second.points == pytest.approx(first.points)
    assert second.point_data["displacement"] == pytest.approx(first.points * (-0.3, -0.3, 1), abs=1e-6)
    assert second.point_data["displacement"] == pytest.approx(first.point_data["displacement"], abs=1e-6)
    assert second.cell_data["von_mises"][0] == pytest.approx(np.ones(315), abs=1e-6)


def test_a_beam_that_is_clamped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Two materials in cell data; the beam bends downwards."""
    places = box((13, 3, 3), (12, 1, 1))
    numbers = np.arange(117).reshape(3, 3, 13)
    around = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    cells = np.stack([numbers[z : z + 2, y : y + 2, x : x + 12] for x, y, z in around], axis=-1).reshape(-1, 8)
    file, out = tmp_path / "beam.vtk", tmp_path / "u.vtu"
    stiffness = np.repeat([1000.0, 2000.0], 24)
    meshio.write(file, meshio.Mesh(places.reshape(-1, 3), [("hexahedron", cells)], cell_data={"E": [stiffness]}))
    words = ["--clamp", "x-min", "--traction", "x-max=0,0,-0.01", "--young", "E", "--out", out]
    assert solve(capsys, file, *words)[0] == 0
    moved = meshio.read(out).point_data["displacement"].reshape(3, 3, 13, 3)
    assert not moved[:, :, 0].any()
    assert (np.diff(moved[1, 1, :, 2]) < 0).all()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_displacement(
    capsys: pytest.CaptureFixture[str],
    mesh: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    """One that comes while the solver runs."""
    found = solver.solve

    def interrupted(*words: Any, **more: Any) -> Solution:
        signal.raise_signal(number)
        return found(*words, **more)

    monkeypatch.setattr(solver, "solve", interrupted)
    before, out = signal.getsignal(number), tmp_path / "u.vtu"
    code, text, _ = solve(capsys, mesh, "--preconditioner", "none", "--out", out, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.interrupted, document.valid, document.ended) == (INTERRUPTED, True, True, "stopped")
    assert meshio.read(out).point_data["displacement"].shape == (480, 3)
    assert signal.getsignal(number) is before


@pytest.mark.parametrize(
    ("words", "ended", "says"),
    [
        (["--iterations", "2"], "iteration limit", "after 2 iterations, above 1e-08, because of the iteration limit"),
        (["--time", "500ms"], "time limit", "time"),
        (["--tolerance", "1e-30"], "stagnated", "because of rounding: expected a larger --tolerance"),
    ],
)  # fmt: skip
def test_what_has_not_converged_is_wrong(
    capsys: pytest.CaptureFixture[str], mesh: Path, tmp_path: Path, words: list[str], ended: str, says: str
) -> None:
    mesh.write_text("8 6 10\n1 1 1\n1 1\n100000\n", encoding="utf-8")
    if ended == "time limit":
        mesh.write_text("60 60 60\n1 1 1\n1 1\n100000\n", encoding="utf-8")
    out = tmp_path / "u.vtu"
    words = [*words, "--preconditioner", "none", "--out", str(out), "--plot", str(tmp_path / "u.svg"), "--json"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code, text, err = solve(capsys, mesh, *words)
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.outcome, document.valid, document.ended) == (WRONG, "wrong", False, ended)
    assert says in err
    assert err.count("\n") == 1
    assert out.exists()


@pytest.mark.parametrize("preconditioner", ["none", "multigrid"])
def test_iterations_of_the_file_are_a_limit(
    capsys: pytest.CaptureFixture[str], mesh: Path, preconditioner: str
) -> None:
    mesh.write_text("8 6 10\n1 1 1\n1 1\n1\n", encoding="utf-8")
    code, text, _ = solve(capsys, mesh, "--preconditioner", preconditioner, "--json")
    assert (code, ElasticityDocument.model_validate_json(text).iterations) == (WRONG, 1)
    assert solve(capsys, mesh, "--preconditioner", preconditioner, "--iterations", 500)[0] == 0


@pytest.mark.parametrize("all_nodes", [True, False])
@pytest.mark.parametrize("spoil", ["moved", "told", "held", "nan"])
def test_a_wrong_displacement_is_told(
    capsys: pytest.CaptureFixture[str],
    mesh: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: str,
    all_nodes: bool,
) -> None:
    found = solver.solve

    def spoilt(*words: Any, **more: Any) -> Solution:
        solution = found(*words, **more)
        if spoil == "told":
            return replace(solution, residual=solution.residual / 2)
        solution.displacement[(0, 0, 0, 2) if spoil == "held" else (4, 3, 2, 1)] += np.nan if spoil == "nan" else 1e-5
        return solution

    monkeypatch.setattr(solver, "solve", spoilt)
    if not all_nodes:
        monkeypatch.setattr(elasticity_run, "CHECKED_ALL", 10)
    out, plot = tmp_path / "u.vtu", tmp_path / "u.png"
    code, text, err = solve(capsys, mesh, "--out", out, "--plot", plot, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.outcome, document.valid) == (WRONG, "wrong", False)
    assert not out.exists()
    assert not plot.exists()
    assert err.startswith("wrong: ")
    assert {"held": "has moved", "nan": "not finite"}.get(spoil, "but the solver reports") in err


def test_large_bodies_are_checked_at_a_sample(
    capsys: pytest.CaptureFixture[str], mesh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticity_run, "CHECKED_ALL", 100)
    monkeypatch.setattr(elasticity_run, "CHECKED_SAMPLE", 50)
    code, text, _ = solve(capsys, mesh, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.checked_nodes, document.largest_von_mises) == (0, 50, None)
    assert document.residual is not None
    assert document.checked_residual is not None
    assert 0 < document.checked_residual < document.residual


@pytest.mark.parametrize(
    ("words", "room"), [((), 90_000), (("--preconditioner", "none"), 60_000), (("--distort", "0.1"), 800_000)]
)
def test_bodies_that_the_solver_has_no_memory_for(
    capsys: pytest.CaptureFixture[str], mesh: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], room: int
) -> None:
    monkeypatch.setattr(elasticity_run, "available_bytes", lambda: room)
    code, out, err = solve(capsys, mesh, *words)
    assert (code, out) == (MISUSE, "")
    assert "of memory, but only" in err
    assert ("or --preconditioner none" in err) != ("none" in words)
    assert solve(capsys, mesh, *words, "--preconditioner", "none")[0] == (MISUSE if "none" in words else 0)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_drawings(capsys: pytest.CaptureFixture[str], mesh: Path, tmp_path: Path, suffix: str) -> None:
    plot = tmp_path / f"u.{suffix}"
    assert solve(capsys, mesh, "--plot", plot)[0] == 0
    assert plot.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG"}[suffix])


def test_the_page_draws_in_a_browser(
    capsys: pytest.CaptureFixture[str], mesh: Path, tmp_path: Path, browser: Browser
) -> None:
    plot = tmp_path / "u.html"
    assert solve(capsys, mesh, "--plot", plot)[0] == 0
    with opened(browser, plot, 390) as (page, seen):
        assert draw_all(page) == 2
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        # WebGL without a graphics card warns that it is slow.
        assert [message for message in seen.messages if not message.startswith("warning: ")] == []
        assert seen.requests == [plot.as_uri()]


def test_displacements_are_drawn_so_that_they_are_seen() -> None:
    assert factor_of(10, 1) == 1
    assert factor_of(10, 10) == 0.1
    assert factor_of(10, 0.03) == 20
    assert factor_of(1, 1e-6) == 1e5
    assert factor_of(1, 0) == 1


def test_choices_are_those_of_the_solver() -> None:
    assert command.PRECONDITIONERS == PRECONDITIONERS


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--time", "soon"], "--time"),
        (["--iterations", "0"], "--iterations"),
        (["--threads", "0"], "--threads"),
        (["--tolerance", "0"], "--tolerance is 0"),
        (["--tolerance", "nan"], "--tolerance is nan"),
        (["--preconditioner", "ilu"], "--preconditioner is 'ilu', expected one of none, bjacobi, cheby, multigrid"),
        (["--grade", "1:0"], "--grade is '1:0'"),
        (["--grade", "10"], "--grade is '10'"),
        (["--grade", "1:1e9"], "expected a ratio between 1e-06 and 1e+06"),
        (["--distort", "0.5"], "--distort is 0.5"),
        (["--distort", "nan"], "--distort is nan"),
        (["--distort", "0.49"], "inverted"),
        (["--young", "0"], "--young is 0"),
        (["--young", "E"], "mesh.inp has no cell data"),
        (["--poisson", "0.5"], "--poisson is 0.5"),
        (["--clamp", "x-min"], "--clamp is for mesh files"),
        (["--traction", "x-min=1,2,3"], "--traction is for mesh files"),
        (["--plot", "u.gif"], "--plot"),
        (["--out", "u.vtk"], "--out"),
        (["--out", "/nonexistent/folder/u.vtu"], "--out"),
    ],
)  # fmt: skip
def test_misuse_is_one_line(capsys: pytest.CaptureFixture[str], mesh: Path, words: list[str], says: str) -> None:
    code, out, err = solve(capsys, mesh, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "no supports, so it is free to move; expected --clamp"),
        (["--clamp", "x-min"], "the body has no load; expected --traction"),
        (["--symmetry", "x-min", "--traction", "z-max=0,0,1"], "the body is free to move"),
        (["--clamp", "left", "--traction", "z-max=0,0,1"], "--clamp is 'left', expected a face: one of x-min, x-max"),
        (["--clamp", "x-min", "--traction", "z-max"], "--traction is 'z-max', expected a face and three numbers"),
        (["--clamp", "x-min", "--traction", "z-max=0,0,inf"], "expected a face and three numbers"),
        (["--clamp", "x-min", "--traction", "top=0,0,1"], "--traction is 'top', expected a face"),
        (["--clamp", "x-min", "--traction", "z-max=0,0,1", "--grade", "1:2"], "--grade is for the box of a mesh.inp"),
        (["--clamp", "x-min", "--traction", "z-max=0,0,1", "--young", "E"], "the name of cell data"),
    ],
)  # fmt: skip
def test_misuse_of_mesh_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], says: str) -> None:
    file = tmp_path / "body.vtu"
    corners = box((2, 2, 2)).reshape(-1, 3)[[0, 1, 3, 2, 4, 5, 7, 6]]
    meshio.write(file, meshio.Mesh(corners, [("hexahedron", [[*range(8)]])]))
    code, out, err = solve(capsys, file, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


def test_files_that_are_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, says in (
        ("none.inp", "No such file"),
        ("body.stl", "expected mesh.inp, or a mesh file that ends in"),
    ):
        code, out, err = solve(capsys, tmp_path / name)
        assert (code, out) == (MISUSE, "")
        assert says in err


def test_abaqus_files_are_told_from_the_lecture_s(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "body.inp"
    corners = box((2, 2, 2)).reshape(-1, 3)[[0, 1, 3, 2, 4, 5, 7, 6]]
    meshio.write(file, meshio.Mesh(corners, [("hexahedron", [[*range(8)]])]), file_format="abaqus")
    assert solve(capsys, file, "--clamp", "x-min", "--traction", "x-max=1,0,0")[0] == 0
