"""``rooftop solve elasticity --ranks`` on meshes that are no boxes: shared out by METIS, and solved by real ranks."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import meshio
import numpy as np
import pytest
from cut_box import cut_box
from elasticity_command import solve, solved

from benchmarks.elements.element_meshes import box_of, warped
from rooftop.errors import MISUSE
from rooftop.settings import Settings
from rooftop.solvers.elasticity import KINDS, PRECONDITIONERS, Kind, boundary, mesh_traction, on_side, ranks
from rooftop.solvers.elasticity import run as elasticity_run
from rooftop.solvers.elasticity.document import ElasticityDocument
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.partition import partition
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.running.stop import Stop

HELD_AND_PULLED = ("--clamp", "z-min", "--traction", "z-max=0.1,0,-0.2")


@pytest.fixture(scope="module", autouse=True)
def program() -> None:
    """Skip all where nothing starts ranks, or METIS is missing."""
    if not (Settings().build_folder / "solvers/elasticity" / ranks.PROGRAM).is_file():
        pytest.skip("the solver is not built for ranks")
    pytest.importorskip("pymetis")


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a run counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(elasticity_run, "elapsed_s", lambda: 0.5)


def mesh_file(folder: Path, mesh: Mesh, young: bool = False) -> Path:
    """Write a mesh, with a material for each element if `young`."""
    path = folder / "body.vtu"
    kinds = [(KINDS[kind].vtk, cells) for kind, cells in mesh.elements.items()]
    data = {"E": [1.0 + np.arange(len(cells)) % 7 for _, cells in kinds]} if young else None
    meshio.write(path, meshio.Mesh(mesh.coordinates, kinds, cell_data=data))
    return path


@pytest.mark.parametrize(
    ("preconditioner", "counts"), [(one, (1, 2, 3, 5) if one == "multigrid" else (3,)) for one in PRECONDITIONERS]
)
def test_ranks_find_what_one_process_finds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, preconditioner: str, counts: tuple[int, ...]
) -> None:
    """On hexahedra and tetrahedra with a material for each."""
    file = mesh_file(tmp_path, cut_box((6, 5, 9), 4), young=True)
    words = (file, *HELD_AND_PULLED, "--young", "E", "--preconditioner", preconditioner, "--threads", 1)
    one = solved(capsys, *words, "--out", tmp_path / "one.vtu")
    expected = meshio.read(tmp_path / "one.vtu").point_data["displacement"]
    for count in counts:
        overlap = "--overlap" if count % 2 else "--no-overlap"
        document = solved(capsys, *words, "--ranks", count, overlap, "--out", tmp_path / "u.vtu")
        assert (document.ranks, document.parts, document.body, document.valid) == (count, None, "mesh", True)
        assert document.part_nodes is not None
        assert (len(document.part_nodes), sum(document.part_nodes)) == (count, 270)
        assert document.residual is not None
        assert document.checked_residual == pytest.approx(document.residual, rel=0.01, abs=1e-13)
        found = meshio.read(tmp_path / "u.vtu").point_data["displacement"]
        assert found == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())
        if preconditioner != "multigrid":  # whose aggregates are those of each rank
            assert abs(document.iterations - one.iterations) <= 1 + one.iterations // 50
    assert one.part_nodes is None


@pytest.mark.case("solvers.L2")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_element_is_shared(kind: Kind) -> None:
    """Also those that no mesh file tells from others."""
    flat, cells = box_of(kind, (5, 3, 2), (2.0, 1.0, 1.0))
    places, elements = warped(flat, (2.0, 1.0, 1.0)), {kind: cells}
    problem = MeshProblem(
        name="body",
        mesh=Mesh(places, elements),
        young=np.arange(len(cells), dtype=np.float64) % 7 + 1,
        poisson=np.full(1, 0.3),
        load=mesh_traction(places, boundary(elements).within(on_side(flat, "x-max")), (0.1, 0, -0.2)),
        held=np.repeat(on_side(flat, "x-min")[:, None], 3, axis=1),
    )
    expected = problem.solved(tolerance=1e-10).displacement
    how = ranks.ByRanks(3, partition(problem.mesh, 3), 1, False, "multigrid", 1e-10, 1000, None)
    found, _ = ranks.solved_by_ranks(problem, how, lambda _: None, Stop())
    assert found.outcome == "converged"
    assert found.displacement == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    true = problem.true_residual(found.displacement, None)
    assert found.residual == pytest.approx(true.residual, rel=0.1, abs=true.rounding)


def test_a_line_for_people_has_the_ranks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = mesh_file(tmp_path, cut_box((4, 5, 7)))
    code, text, _ = solve(capsys, file, *HELD_AND_PULLED, "--ranks", 2)
    assert code == 0
    assert " iterations by 2 ranks (" in text
    assert " nodes each), true residual " in text


def test_pieces_make_up_the_mesh(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = cut_box((5, 4, 8), 3)
    out, whole = tmp_path / "u.pvtu", tmp_path / "whole.vtu"
    words = (mesh_file(tmp_path, mesh), *HELD_AND_PULLED, "--ranks", 3)
    assert solve(capsys, *words, "--out", out)[0] == 0
    assert solve(capsys, *words, "--out", whole)[0] == 0
    index = ET.parse(out).getroot()
    names = [piece.attrib["Source"] for piece in index.iter("Piece")]
    assert names == ["u_0.vtu", "u_1.vtu", "u_2.vtu"]
    body = meshio.read(whole)
    moved = {tuple(place): one for place, one in zip(body.points, body.point_data["displacement"], strict=True)}
    stress: dict[tuple[object, ...], float] = {}
    for kind, values in zip(body.cells, body.cell_data["von_mises"], strict=True):
        centres = body.points[kind.data].mean(axis=1).round(9)
        stress |= {(kind.type, *centre): one for centre, one in zip(centres, values, strict=True)}
    found = 0
    for name in names:
        piece = meshio.read(tmp_path / name)
        for place, one in zip(piece.points, piece.point_data["displacement"], strict=True):
            assert one == pytest.approx(moved[tuple(place)], abs=1e-12)
        for kind, values in zip(piece.cells, piece.cell_data["von_mises"], strict=True):
            centres = piece.points[kind.data].mean(axis=1).round(9)
            for centre, one in zip(centres, values, strict=True):
                assert one == pytest.approx(stress.pop((kind.type, *centre)))
                found += 1
    assert (found, stress) == (mesh.elements_count, {})


def test_a_box_as_a_mesh_is_cut_by_metis(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = tmp_path / "mesh.inp"
    mesh.write_text("8 6 10\n2 1 1\n1 1\n1000\n", encoding="utf-8")
    code, text, err = solve(capsys, mesh, "--unstructured", "--distort", "0.2", "--ranks", 3, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.body, document.parts) == (0, "mesh", None)
    assert "its 2 x 1 x 1 parts are ignored for an unstructured mesh" in err
    assert document.error is not None
    assert document.error < 1e-6


def test_parts_are_even_and_have_few_neighbours_of_others() -> None:
    mesh = cut_box((12, 11, 13), 5)
    found = partition(mesh, 4)
    assert found.dtype == np.int32
    # Nodes of hexahedra have more neighbours, and so more blocks in their rows.
    pairs = np.concatenate(
        [
            np.stack(np.broadcast_arrays(cells[:, :, None], cells[:, None]), -1).reshape(-1, 2)
            for cells in mesh.elements.values()
        ]
    )
    blocks = np.bincount(found[np.unique(pairs, axis=0)[:, 0]], minlength=4)
    assert blocks.max() < 1.05 * blocks.min()
    cut = sum(int((found[cells] != found[cells[:, :1]]).any(axis=1).sum()) for cells in mesh.elements.values())
    assert cut < 0.45 * mesh.elements_count
    assert (partition(mesh, 1) == 0).all()


def test_without_metis_there_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pymetis", None)
    code, out, err = solve(capsys, mesh_file(tmp_path, cut_box((3, 3, 4))), *HELD_AND_PULLED, "--ranks", 2)
    assert (code, out) == (MISUSE, "")
    assert "--ranks is 2, which needs pymetis for a mesh, but it is not installed; expected no --ranks, or" in err
    assert err.count("\n") == 1


def test_more_ranks_than_nodes_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = mesh_file(tmp_path, cut_box((2, 2, 2)))
    code, out, err = solve(capsys, file, *HELD_AND_PULLED, "--ranks", 9)
    assert (code, out) == (MISUSE, "")
    assert "9 ranks cannot share 8 nodes; expected at most one rank for each node" in err
    assert err.count("\n") == 1


def test_a_rank_without_nodes_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """METIS may leave a part empty where there are few nodes."""
    import pymetis

    class Found:
        vertex_part = (0, 0, 0, 1, 1, 3, 3, 3)

    monkeypatch.setattr(pymetis, "part_graph", lambda *_, **__: Found)
    file = mesh_file(tmp_path, cut_box((2, 2, 2)))
    code, out, err = solve(capsys, file, *HELD_AND_PULLED, "--ranks", 4)
    assert (code, out) == (MISUSE, "")
    assert "METIS gives no node to rank 2 of 4: 8 nodes are too few; expected fewer ranks" in err
    assert err.count("\n") == 1


def test_what_ranks_refuse_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A part that nothing holds is found by all ranks, and told by one."""
    mesh = cut_box((3, 3, 3), 0, 0.0)
    file = tmp_path / "body.vtu"
    cells = mesh.elements["tetrahedron"]
    places = np.concatenate([mesh.coordinates, mesh.coordinates + np.array([0, 0, 2])])
    meshio.write(file, meshio.Mesh(places, [("tetra", np.concatenate([cells, cells + 27]))]))
    code, out, err = solve(capsys, file, "--clamp", "z-min", "--traction", "z-max=0,0,1", "--ranks", 3)
    assert (code, out) == (MISUSE, "")
    assert err.count("\n") == 1
    assert "the part of the mesh with node 27 is free to move in 6 ways; expected" in err
    assert err.endswith("9 duplicate nodes: merge nodes with the same coordinates\n")
