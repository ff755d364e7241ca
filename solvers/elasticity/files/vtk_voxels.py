"""VTK's voxels and pixels: hexahedra and quadrilaterals along the axes, whose corners come row by row.

meshio leaves them out with a warning, so that a mesh would have holes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ROW_BY_ROW = {"voxel": ("hexahedron", [0, 1, 3, 2, 4, 5, 7, 6]), "pixel": ("quad", [0, 1, 3, 2])}


def teach_voxels() -> None:
    """Let meshio read voxels and pixels."""
    from meshio._common import num_nodes_per_cell
    from meshio._mesh import topological_dimension
    from meshio._vtk_common import vtk_to_meshio_type
    from meshio.vtk._vtk_42 import vtk_type_to_numnodes

    for name, number, nodes, dimension in (("voxel", 11, 8, 3), ("pixel", 8, 4, 2)):
        vtk_to_meshio_type.setdefault(number, name)
        num_nodes_per_cell.setdefault(name, nodes)
        topological_dimension.setdefault(name, dimension)
        vtk_type_to_numnodes[number] = nodes


def without_voxels(mesh: Any) -> Any:
    """Return meshio's mesh with hexahedra and quadrilaterals instead of voxels and pixels."""
    from meshio import CellBlock

    for number, block in enumerate(mesh.cells):
        if block.type in _ROW_BY_ROW:
            name, order = _ROW_BY_ROW[block.type]
            mesh.cells[number] = CellBlock(name, np.asarray(block.data)[:, order])
    return mesh
