"""A bracket of tetrahedra that Gmsh meshes: a plate and an upright, a hole through each.

    .venv/bin/python experiments/elasticity_solution/bracket.py

It writes the body that the size `bracket` solves for, where that expects it. The plate's end is clamped, and a traction
of 1 along x acts on the upright's top. Nodes are numbered by reverse Cuthill-McKee, so that a range of them, which is a
rank's share, is a slab.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

#: The edges of its tetrahedra: about 60 000 nodes.
EDGE = 0.057

_LENGTH, _WIDTH, _THICKNESS, _RADIUS = 4.0, 2.0, 1.0, 0.5
_MIDDLE = 2.75  # of a hole, from the corner
_TRIANGLE, _TETRAHEDRON = 2, 4  # Gmsh's numbers of them


def meshed(edge: float) -> tuple[Any, Any, Any]:
    """Return nodes [node, xyz], the triangles of the surface [triangle, 3] and the tetrahedra [tetrahedron, 4]."""
    import gmsh  # an extra

    gmsh.initialize(interruptible=False)
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.option.setNumber("General.NumThreads", 1)  # threads would make another mesh each time
        gmsh.option.setNumber("Mesh.MeshSizeMin", edge)
        gmsh.option.setNumber("Mesh.MeshSizeMax", edge)
        shapes = gmsh.model.occ
        plate = shapes.addBox(0, 0, 0, _LENGTH, _WIDTH, _THICKNESS)
        upright = shapes.addBox(0, 0, 0, _THICKNESS, _WIDTH, _LENGTH)
        whole, _ = shapes.fuse([(3, plate)], [(3, upright)])
        down = shapes.addCylinder(_MIDDLE, _WIDTH / 2, -1, 0, 0, _THICKNESS + 2, _RADIUS)
        across = shapes.addCylinder(-1, _WIDTH / 2, _MIDDLE, _THICKNESS + 2, 0, 0, _RADIUS)
        shapes.cut(whole, [(3, down), (3, across)])
        shapes.synchronize()
        gmsh.model.mesh.generate(3)
        tags, places, _ = gmsh.model.mesh.getNodes()
        _, triangles = gmsh.model.mesh.getElementsByType(_TRIANGLE)
        _, tetrahedra = gmsh.model.mesh.getElementsByType(_TETRAHEDRON)
    finally:
        gmsh.finalize()
    used, numbered = np.unique(tetrahedra, return_inverse=True)
    at = dict(zip(tags.tolist(), places.reshape(-1, 3), strict=True))
    nodes = np.array([at[tag] for tag in used.tolist()])
    return nodes, np.searchsorted(used, triangles).reshape(-1, 3), numbered.reshape(-1, 4)


def in_slabs(nodes: Any, triangles: Any, tetrahedra: Any) -> tuple[Any, Any, Any]:
    """Number the nodes by reverse Cuthill-McKee, and the tetrahedra by the first of their nodes."""
    from scipy.sparse import coo_array, csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    rows, columns = np.repeat(tetrahedra, 4, axis=1).ravel(), np.tile(tetrahedra, 4).ravel()
    graph = csr_array(coo_array((np.ones(rows.size), (rows, columns)), shape=(len(nodes), len(nodes))))
    order = reverse_cuthill_mckee(graph, symmetric_mode=True)
    number = np.empty(len(nodes), np.int64)
    number[order] = np.arange(len(nodes))
    tetrahedra = number[tetrahedra]
    return nodes[order], number[triangles], tetrahedra[np.argsort(tetrahedra.min(axis=1), kind="stable")]


def bracket(edge: float) -> dict[str, list[Any]]:
    """Return the body with edges of about this length, as listed_body.hpp takes it."""
    nodes, triangles, tetrahedra = in_slabs(*meshed(edge))
    on_top = triangles[np.isclose(nodes[triangles, 2], _LENGTH).all(axis=1)]
    a, b, c = (nodes[on_top[:, corner]] for corner in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    load = np.zeros_like(nodes)
    np.add.at(load[:, 0], on_top, area[:, None] / 3)
    clamped = np.flatnonzero(np.isclose(nodes[:, 0], _LENGTH))
    return {
        "coordinates": nodes.ravel().tolist(),
        "tetrahedra": tetrahedra.ravel().tolist(),
        "load": load.ravel().tolist(),
        "held": (3 * clamped[:, None] + np.arange(3)).ravel().tolist(),
    }


def write(file: Path, edge: float) -> None:
    """Write the body; a file that is there is whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(bracket(edge)), encoding="utf-8")
    unfinished.replace(file)


if __name__ == "__main__":
    from rooftop.ladder.discovery import load_declaration

    (case,) = load_declaration(Path(__file__).with_name("experiment.py")).cases("bracket")
    write(Path(case.parameters["file"]), EDGE)
