"""Displacements and stresses as a VTK file of an unstructured grid, which ParaView opens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.problem import Problem

_AROUND = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))  # VTK's corners


def _cells(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the nodes of each element of a grid of nodes (nz, ny, nx), in VTK's order: (nz-1, ny-1, nx-1, 8)."""
    parts = [numbers[tuple(slice(d, d - 1 or None) for d in (z, y, x))] for x, y, z in _AROUND]
    return np.stack(parts, axis=-1)


def write_vtu(problem: Problem, displacement: NDArray[np.float64], von_mises: NDArray[np.float64], path: Path) -> None:
    """Write the body with `displacement` at nodes and `von_mises` in elements. Raises Misuse where that fails.

    Nodes and elements are numbered as in the mesh file, or with x fastest, then y, then z.
    """
    import meshio

    nx, ny, nz = problem.nodes
    numbers = np.arange(nx * ny * nz).reshape(nz, ny, nx) if problem.numbers is None else problem.numbers
    by_node = np.argsort(numbers, axis=None)
    by_element = slice(None) if problem.elements is None else np.argsort(problem.elements, axis=None)
    mesh = meshio.Mesh(
        problem.places.reshape(-1, 3)[by_node],
        [("hexahedron", _cells(numbers).reshape(-1, 8)[by_element])],
        point_data={"displacement": displacement.reshape(-1, 3)[by_node]},
        cell_data={"von_mises": [von_mises.reshape(-1)[by_element]]},
    )
    partial = path.with_name(f".{path.name}.partial")
    try:
        meshio.write(partial, mesh, file_format="vtu")
        partial.replace(path)
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)
