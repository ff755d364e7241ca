"""Add to meshio: voxels and pixels, more names of number types in legacy VTK files, and quadratic wedges."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

# VTK writes identifiers as 32-bit integers, even if it computes with 64 bits.
_IN_4 = {b"vtktypeint64": b"long", b"vtktypeint32": b"int", b"vtkidtype": b"int"}
_IN_5 = {b"vtkidtype": b"vtktypeint32"}
_VERSION = re.compile(rb"# vtk DataFile Version ([0-9])")


@contextmanager
def with_known_types(path: Path) -> Iterator[Path]:
    """Yield the path of the file or, if meshio lacks its number types, of a copy with others. Raises OSError."""
    content = path.read_bytes()
    version = _VERSION.match(content)
    names = _IN_5 if version is not None and version[1] >= b"5" else _IN_4
    unknown = re.compile(rb"\b(" + b"|".join(names) + rb")\b", re.IGNORECASE)
    if version is None or unknown.search(content) is None:
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=path.suffix) as copy:
        copy.write(unknown.sub(lambda found: names[found[1].lower()], content))
        copy.flush()
        yield Path(copy.name)


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


def meshio_with_all_kinds() -> Any:
    """Return meshio, with quadratic wedges registered as solids, which it lacks to read and write them."""
    import meshio

    dimensions: dict[str, int] = meshio._mesh.topological_dimension
    dimensions.setdefault("wedge15", 3)
    return meshio
