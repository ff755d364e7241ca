"""Kinds of elements that meshio names, and does not know the dimension of."""

from __future__ import annotations

from typing import Any


def meshio_with_all_kinds() -> Any:
    """Return meshio, told that a quadratic wedge is a solid: it reads and writes those, but for that."""
    import meshio

    dimensions: dict[str, int] = meshio._mesh.topological_dimension
    dimensions.setdefault("wedge15", 3)
    return meshio
