"""Element types of decks and the kinds of elements they map to."""

from __future__ import annotations

import re
from typing import Any

from rooftop.solvers.elasticity.mesh.kinds import KINDS, Kind

_KIND_OF: dict[str, Any] = {
    "C3D4": "tetrahedron",
    "C3D6": "wedge",
    "C3D8": "hexahedron",
    "C3D8I": "hexahedron_incompatible",
    "C3D10": "tetrahedron10",
    "C3D15": "wedge15",
    "C3D20": "hexahedron20",
    "C3D20R": "hexahedron20_reduced",
}
# Types that the solver supports. Their nodes are in the same order as VTK's.
SOLIDS: dict[str, Kind] = {name: kind for name, kind in _KIND_OF.items() if kind in KINDS}
# meshio writes these types for any hexahedra and tetrahedra. They are accepted only without a section.
_OF_MESHIO = {"C3D8RH": "C3D8", "C3D10MH": "C3D10", "C3D20RH": "C3D20"}
SHAPES: dict[str, Kind] = SOLIDS | {name: SOLIDS[of] for name, of in _OF_MESHIO.items() if of in SOLIDS}

# Elements without volume whose nodes go around a surface: triangles and quadrilaterals, of first or second order.
_SURFACE = re.compile(r"(S|STRI|DS|M3D|SFM3D|CPS|CPE|CAX|R3D)([34689])[0-9A-Z]*")
_LINE = re.compile(r"(T[23]D|B[23]|RB[23]D|R2D)[123][0-9A-Z]*")
# Elements that only have mass.
MASSES = frozenset({"MASS", "ROTARYI"})


def is_surface(kind: str) -> bool:
    """Whether a type is a surface element: a shell, a membrane, or another type that meshers use to name faces."""
    return _SURFACE.fullmatch(kind) is not None


def is_line(kind: str) -> bool:
    """Whether a type is a line element: a beam, a truss, or another type that meshers use to name edges."""
    return _LINE.fullmatch(kind) is not None
