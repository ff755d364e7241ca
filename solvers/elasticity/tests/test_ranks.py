"""``rooftop solve elasticity --ranks``: the same displacement by real ranks, their files, ends and mistakes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import meshio
import numpy as np
import psutil
import pytest
from elasticity_command import solve, solved
from still_there import family, states

from rooftop.errors import INTERRUPTED, MISUSE, WRONG
from rooftop.settings import Settings
from rooftop.solvers.elasticity import PRECONDITIONERS, ranks
from rooftop.solvers.elasticity import run as elasticity_run
from rooftop.solvers.elasticity.document import ElasticityDocument


@pytest.fixture(scope="module", autouse=True)
def program() -> None:
    """Skip all where nothing starts ranks."""
    if not (Settings().build_folder / "solvers/elasticity" / ranks.PROGRAM).is_file():
        pytest.skip("the solver is not built for ranks")


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a run counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(elasticity_run, "elapsed_s", lambda: 0.5)


def mesh_inp(folder: Path, nodes: str = "9 8 11", parts: str = "1 1 1") -> Path:
    path = folder / "mesh.inp"
    path.write_text(f"{nodes}\n{parts}\n1 1\n100000\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
@pytest.mark.parametrize("shape", [(), ("--grade", "1:10", "--distort", "0.2")])
@pytest.mark.parametrize(("count", "overlap"), [(2, "--overlap"), (3, "--no-overlap")])
def test_ranks_find_what_one_process_finds(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    preconditioner: str,
    shape: tuple[str, ...],
    count: int,
    overlap: str,
) -> None:
    words = (mesh_inp(tmp_path), "--preconditioner", preconditioner, *shape, "--threads", 1)
    one = solved(capsys, *words)
    document = solved(capsys, *words, "--ranks", count, overlap)
    assert (document.ranks, document.threads, document.valid) == (count, 1, True)
    assert document.parts is not None
    assert np.prod(document.parts) == count
    # Rounding shifts hundreds of iterations by some: one process on other numbers of threads has the same.
    assert abs(document.iterations - one.iterations) <= 1 + one.iterations // 100
    assert document.residual is not None
    assert document.residual <= 1e-8
    assert document.error is not None
    assert document.error < 1e-6
    assert document.checked_residual == pytest.approx(document.residual, rel=0.01, abs=1e-12)
    assert (one.ranks, one.parts) == (None, None)


def test_the_division_of_mesh_inp_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = mesh_inp(tmp_path, "12 6 10", "4 1 2")
    document = solved(capsys, mesh, "--ranks", 8)
    assert (document.parts, document.remarks) == ((4, 1, 2), [])
    code, out, err = solve(capsys, mesh, "--ranks", 4)
    assert (code, out) == (MISUSE, "")
    assert "its 4 x 1 x 2 parts are for 8 ranks, but --ranks is 4; expected --ranks 8" in err
    assert err.count("\n") == 1


def test_a_line_for_people_has_the_ranks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, text, _ = solve(capsys, mesh_inp(tmp_path, "8 6 40"), "--ranks", 2)
    assert code == 0
    assert " iterations by 2 ranks (1 x 1 x 2), true residual " in text


def test_threads_that_the_file_asks_for_are_of_each_rank(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = mesh_inp(tmp_path, "8 6 10", "1 1 2")
    mesh.write_text(mesh.read_text(encoding="utf-8").replace("\n1 1\n", "\n500 1\n"), encoding="utf-8")
    code, text, err = solve(capsys, mesh, "--ranks", 2, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert code == 0
    assert "mesh.inp asks for 1000 threads in all" in err
    assert document.threads < 500
    assert "per rank" in document.remarks[0]


@pytest.mark.parametrize("count", [1, 6])
def test_pieces_make_up_the_body(capsys: pytest.CaptureFixture[str], tmp_path: Path, count: int) -> None:
    out, whole = tmp_path / "u.pvtu", tmp_path / "whole.vtu"
    words = (mesh_inp(tmp_path), "--grade", "1:2", "--ranks", count)
    assert solve(capsys, *words, "--out", out)[0] == 0
    assert solve(capsys, *words, "--out", whole)[0] == 0
    index = ET.parse(out).getroot()
    assert index.attrib["type"] == "PUnstructuredGrid"
    names = [piece.attrib["Source"] for piece in index.iter("Piece")]
    assert names == [f"u_{rank}.vtu" for rank in range(count)]
    pieces = [meshio.read(tmp_path / name) for name in names]
    for piece in pieces:
        assert piece.points.dtype == piece.point_data["displacement"].dtype == np.float64
        assert piece.point_data["displacement"] == pytest.approx(piece.points * (-0.3, -0.3, 1), abs=1e-6)
        assert piece.cell_data["von_mises"][0] == pytest.approx(np.ones(len(piece.cells[0].data)), abs=1e-5)
    body = meshio.read(whole)
    centres = np.concatenate([piece.points[piece.cells[0].data].mean(axis=1) for piece in pieces])
    expected = body.points[body.cells[0].data].mean(axis=1)
    assert np.unique(centres.round(9), axis=0) == pytest.approx(np.unique(expected.round(9), axis=0))
    assert len(centres) == len(expected)
    declared = {one.attrib["Name"] for one in index.iter("PDataArray")}
    assert declared == {"Points", "displacement", "von_mises"}


def test_a_mesh_of_another_program_with_a_material_for_each_element(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    box = tmp_path / "box.vtu"
    assert solve(capsys, mesh_inp(tmp_path), "--distort", "0.1", "--out", box)[0] == 0
    mesh = meshio.read(box)
    order = np.random.default_rng(1).permutation(len(mesh.cells[0].data))
    young = 1 + np.arange(len(order)) % 7
    file = tmp_path / "body.vtu"
    cells = [("hexahedron", mesh.cells[0].data[order])]
    meshio.write(file, meshio.Mesh(mesh.points, cells, cell_data={"E": [young[order].astype(float)]}))
    words = (file, "--clamp", "z-min", "--traction", "x-max=0.001,0,0", "--young", "E", "--tolerance", "1e-10")
    outs = [tmp_path / "one.vtu", tmp_path / "five.vtu"]
    one = solved(capsys, *words, "--out", outs[0])
    five = solved(capsys, *words, "--ranks", 5, "--out", outs[1])
    assert abs(one.iterations - five.iterations) <= 1
    first, second = (meshio.read(out).point_data["displacement"] for out in outs)
    assert second == pytest.approx(first, abs=1e-8 * np.abs(first).max())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--ranks", "0"], "--ranks is 0, expected a whole number from 1"),
        (["--ranks", "23"], "23 ranks cannot share 9 x 8 x 11 nodes"),
        (["--overlap"], "expected --ranks too"),
        (["--out", "u.pvtu"], "expected --ranks too, or a .vtu file"),
        (["--ranks", "2", "--out", "u.vtk"], "expected a name that ends in .vtu, or in .pvtu with --ranks"),
    ],
)
def test_misuse_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], says: str) -> None:
    code, out, err = solve(capsys, mesh_inp(tmp_path), *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


def test_what_ranks_refuse_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An element that is inverted is found by the rank that has it, and told by one."""
    code, out, err = solve(capsys, mesh_inp(tmp_path), "--distort", "0.49", "--ranks", 3)
    assert (code, out) == (MISUSE, "")
    assert "is inverted or flat" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_displacement(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def update(*_: object, **more: object) -> None:
        if "residual" in str(more):
            signal.raise_signal(number)

    monkeypatch.setattr("rich.progress.Progress.update", update)
    before = signal.getsignal(number)
    mesh = mesh_inp(tmp_path, "60 60 60")
    code, text, _ = solve(capsys, mesh, "--preconditioner", "none", "--ranks", 2, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.interrupted, document.valid, document.ended) == (INTERRUPTED, True, True, "stopped")
    assert signal.getsignal(number) is before


def test_time_is_a_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = mesh_inp(tmp_path, "60 60 60")
    code, text, err = solve(capsys, mesh, "--preconditioner", "none", "--ranks", 2, "--time", "1s", "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.valid, document.ended) == (WRONG, False, "time limit")
    assert "time" in err


def test_a_wrong_displacement_of_ranks_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ranks.solved_by_ranks

    def spoilt(*words: object) -> object:
        solution, division = found(*words)  # type: ignore[arg-type]
        return replace(solution, residual=solution.residual / 2), division

    monkeypatch.setattr(ranks, "solved_by_ranks", spoilt)
    out = tmp_path / "u.pvtu"
    code, _, err = solve(capsys, mesh_inp(tmp_path), "--ranks", 2, "--out", out)
    assert code == WRONG
    assert "but the solver reports" in err
    assert not out.exists()


def test_ranks_that_fail_are_told_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "_words", lambda *_: ["sh", "-c", "echo no network >&2; exit 7"])
    code, out, err = solve(capsys, mesh_inp(tmp_path), "--ranks", 2)
    assert (code, out) == (WRONG, "")
    assert "the ranks ended with exit code 7: no network" in err
    assert err.count("\n") == 1


def _descends(process: psutil.Process, pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return any(parent.pid == pid for parent in process.parents())
    return False


def test_a_rank_that_dies_ends_the_job(tmp_path: Path) -> None:
    """The others would wait for its messages for ever."""
    words = [sys.executable, "-m", "rooftop", "solve", "elasticity", str(mesh_inp(tmp_path, "90 90 90"))]
    words += ["--preconditioner", "none", "--ranks", "3", "--threads", "1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as command:
        deadline = time.monotonic() + 300
        job: list[psutil.Process] = []
        while len(job) < 3:
            assert time.monotonic() < deadline
            assert command.poll() is None
            started = psutil.process_iter(["cmdline"])
            job = [
                one
                for one in started
                if ranks.PROGRAM in str((one.info["cmdline"] or [""])[0]) and _descends(one, command.pid)
            ]
            time.sleep(0.05)
        everyone = family(command.pid)
        job[1].kill()
        try:
            out, err = command.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            told = states(one.pid for one in [*everyone, *family(command.pid)])
            for one in [*everyone, *family(command.pid)]:
                with contextlib.suppress(psutil.Error):
                    one.kill()
            pytest.fail(f"300 s after a rank was killed there were still\n{told}")
    assert (command.returncode, out) == (WRONG, b"")
    assert b"the ranks ended" in err  # Open MPI's launcher may hang then
    assert err.count(b"\n") == 1
    assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in job)
