"""``rooftop solve elasticity`` on meshes that are no boxes: against direct solutions, groups, pictures and misuse."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from cut_box import cut_box, direct_of
from solver_command import solver_command

from rooftop.errors import MISUSE, NotBuilt
from rooftop.solvers.elasticity import (
    KINDS,
    PRECONDITIONERS,
    boundary,
    library,
    mesh_stresses,
    mesh_traction,
    on_side,
    von_mises,
)
from rooftop.solvers.elasticity import run as elasticity_run
from rooftop.solvers.elasticity.document import ElasticityDocument
from rooftop.solvers.elasticity.mesh.arguments import Mesh


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skip all where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a run counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(elasticity_run, "elapsed_s", lambda: 0.5)


def blocks_of(mesh: Mesh) -> list[tuple[str, Any]]:
    return [(KINDS[kind].vtk, cells) for kind, cells in mesh.elements.items()]


solve = partial(solver_command, "elasticity")


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
@pytest.mark.parametrize("layers", [0, 2])
def test_a_mesh_of_tetrahedra(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, layers: int, preconditioner: str
) -> None:
    """Against a direct solution; with hexahedra in some layers, too."""
    mesh = cut_box((4, 5, 7), layers)
    file, out = tmp_path / "body.vtu", tmp_path / "u.vtu"
    meshio.write(file, meshio.Mesh(mesh.coordinates, blocks_of(mesh)))
    words = ["--clamp", "z-min", "--traction", "z-max=0.1,0,-0.2", "--young", "200", "--poisson", "0.25"]
    more = ["--preconditioner", preconditioner, "--tolerance", "1e-10", "--out", out, "--json"]
    code, text, err = solve(capsys, file, *words, *more)
    document = ElasticityDocument.model_validate_json(text)
    assert (code, err, document.valid, document.body) == (0, "", True, "mesh")
    assert (document.nodes, document.nodes_in_all, document.elements) == (None, 140, mesh.elements_count)
    hexahedra = f"{len(mesh.elements['hexahedron'])} hexahedra and " if layers else ""
    assert document.size == f"140 nodes of {hexahedra}{len(mesh.elements['tetrahedron'])} tetrahedra"
    assert document.checked_nodes == 140
    assert document.checked_residual == pytest.approx(document.residual, rel=0.01, abs=1e-13)
    faces = boundary(mesh.elements).within(on_side(mesh.coordinates, "z-max"))
    load = mesh_traction(mesh.coordinates, faces, (0.1, 0, -0.2))
    held = np.repeat(on_side(mesh.coordinates, "z-min")[:, None], 3, axis=1)
    expected = direct_of(mesh, load, held, 200.0, 0.25)
    found = meshio.read(out)
    assert found.point_data["displacement"] == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    stress = mesh_stresses(mesh.coordinates, expected, elements=mesh.elements, young=200, poisson=0.25)
    assert np.concatenate(found.cell_data["von_mises"]) == pytest.approx(von_mises(stress), rel=1e-5)


def test_a_mesh_of_gmsh_with_groups(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = cut_box((4, 5, 7))
    outside = boundary(mesh.elements)
    walls, tops = (outside.within(on_side(mesh.coordinates, side)).corners(3) for side in ("z-min", "z-max"))
    blocks = [("triangle", walls), ("triangle", tops), ("tetra", mesh.elements["tetrahedron"])]
    tags = [np.full(len(cells), tag) for tag, (_, cells) in enumerate(blocks, 1)]
    names = {"wall": np.array([1, 2]), "top": np.array([2, 2])}
    more: dict[str, Any] = {"cell_data": {"gmsh:physical": tags, "gmsh:geometrical": tags}, "field_data": names}
    file, out = tmp_path / "body.msh", tmp_path / "u.vtu"
    meshio.write(file, meshio.Mesh(mesh.coordinates, blocks, **more), "gmsh22")
    code, _, err = solve(capsys, file, "--clamp", "wall", "--traction", "top=0.1,0,0", "--out", out)
    assert (code, err) == (0, f"remark: {file}: cells that are not solids are left out: 48 of type triangle\n")
    load = mesh_traction(mesh.coordinates, outside.within(on_side(mesh.coordinates, "z-max")), (0.1, 0, 0))
    held = np.repeat(on_side(mesh.coordinates, "z-min")[:, None], 3, axis=1)
    expected = direct_of(mesh, load, held)
    assert meshio.read(out).point_data["displacement"] == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("shape", [(), ("--distort", "0.2", "--grade", "2:1")])
def test_a_box_like_any_mesh(capsys: pytest.CaptureFixture[str], tmp_path: Path, shape: tuple[str, ...]) -> None:
    mesh = tmp_path / "mesh.inp"
    mesh.write_text("8 6 10\n1 1 1\n1 1\n1000\n", encoding="utf-8")
    code, text, err = solve(capsys, mesh, "--unstructured", *shape, "--json")
    document = ElasticityDocument.model_validate_json(text)
    assert (code, document.body, document.size) == (0, "mesh", "480 nodes of 315 hexahedra")
    # The graded one has elements some times as long as wide.
    assert err == "".join(f"remark: {remark}\n" for remark in document.remarks)
    assert len(document.remarks) <= len(shape) // 4
    assert document.error is not None
    assert document.error < 1e-6


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_drawings_of_meshes(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    mesh = cut_box((4, 5, 7), 2)
    file, plot = tmp_path / "body.vtk", tmp_path / f"u.{suffix}"
    meshio.write(file, meshio.Mesh(mesh.coordinates, blocks_of(mesh)))
    assert solve(capsys, file, "--clamp", "z-min", "--traction", "z-max=1,0,0", "--plot", plot)[0] == 0
    assert plot.stat().st_size > 10_000


def test_a_part_that_is_not_joined(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mesh = cut_box((3, 3, 3), 0, 0.0)
    file = tmp_path / "body.vtu"
    cells = mesh.elements["tetrahedron"]
    places = np.concatenate([mesh.coordinates, mesh.coordinates + np.array([0, 0, 2])])
    meshio.write(file, meshio.Mesh(places, [("tetra", np.concatenate([cells, cells + 27]))]))
    code, out, err = solve(capsys, file, "--clamp", "z-min", "--traction", "z-max=0,0,1")
    assert (code, out) == (MISUSE, "")
    assert err.count("\n") == 1
    assert "is free to move in 6 ways; expected" in err
    assert err.endswith("9 duplicate nodes: merge nodes with the same coordinates\n")
