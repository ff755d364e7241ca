"""Small decks for tests: a cube of one hexahedron, and blocks of hexahedra."""

from __future__ import annotations

from itertools import product

CUBE_NODES = """\
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
"""
CUBE_ELEMENT = "1, 1,2,3,4,5,6,7,8\n"
CUBE = f"*NODE, NSET=NALL\n{CUBE_NODES}*ELEMENT, TYPE=C3D8, ELSET=EALL\n{CUBE_ELEMENT}"
SETS = "*NSET, NSET=BOT, GENERATE\n1, 4\n*NSET, NSET=TOP, GENERATE\n5, 8\n"
STEEL = """\
*MATERIAL, NAME=STEEL
*ELASTIC
1000., 0.3
*DENSITY
2.
*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
"""
HELD = "*BOUNDARY\nBOT, 1, 3\n"
MODEL = CUBE + SETS + STEEL + HELD
PULLED = "*CLOAD\nTOP, 3, 1.\n"


def step(loads: str = PULLED, procedure: str = "*STATIC\n", heading: str = "*STEP\n") -> str:
    """Return a step with loads."""
    return f"{heading}{procedure}{loads}*NODE PRINT, NSET=NALL\nU\n*END STEP\n"


def block(
    nodes: tuple[int, int, int],
    kind: str = "C3D8",
    lengths: tuple[float, float, float] = (1, 1, 1),
    corner: tuple[float, float, float] = (0, 0, 0),
    after: int = 0,
) -> str:
    """Return nodes and elements of a block: set EALL, the first node at a corner, numbers with x fastest.

    after  the number before the first one, of nodes and elements
    """
    nx, ny, nz = nodes
    lines = ["*NODE, NSET=NALL"]
    for number, (k, j, i) in enumerate(product(range(nz), range(ny), range(nx)), 1):
        parts = zip((i, j, k), lengths, nodes, corner, strict=True)
        x, y, z = (first + at * length / (count - 1) for at, length, count, first in parts)
        lines.append(f"{after + number}, {x!r}, {y!r}, {z!r}")
    lines.append(f"*ELEMENT, TYPE={kind}, ELSET=EALL")
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    for number, (k, j, i) in enumerate(product(range(nz - 1), range(ny - 1), range(nx - 1)), 1):
        around = [after + 1 + i + a + nx * (j + b + ny * (k + c)) for a, b, c in corners]
        lines.append(", ".join(map(str, (after + number, *around))))
    return "\n".join(lines) + "\n"
