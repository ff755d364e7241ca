"""Displacements and stresses as a VTK file of an unstructured grid, which ParaView opens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files.meshio_kinds import meshio_with_all_kinds
from rooftop.solvers.elasticity.problem import Problem


def write_vtu(problem: Problem, displacement: NDArray[np.float64], von_mises: NDArray[np.float64], path: Path) -> None:
    """Write the body with `displacement` at nodes and `von_mises` in elements. Raises Misuse where that fails.

    Nodes and elements are numbered as in the mesh file, kind by kind; those of a mesh.inp with x fastest, then y,
    then z.
    """
    meshio = meshio_with_all_kinds()
    mesh = meshio.Mesh(
        problem.by_node(problem.places),
        problem.cells(),
        point_data={"displacement": problem.by_node(displacement)},
        cell_data={"von_mises": problem.by_element(von_mises)},
    )
    partial = path.with_name(f".{path.name}.partial")
    try:
        meshio.write(partial, mesh, file_format="vtu")
        partial.replace(path)
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
