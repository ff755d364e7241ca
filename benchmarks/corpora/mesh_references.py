"""What meshes and decks are held against: scikit-fem, and CalculiX with the digits that it prints."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora.corpus_steps import LeftOut, Wrong
from rooftop.solvers.elasticity import Kind

TOLERANCE = 1e-6  # of the largest displacement
PRINTED = 5e-7  # of a value: CalculiX prints seven digits
YOUNG, POISSON = 1.0, 0.3  # of meshes
_SET = "ROOFTOP_PRINTED"
_TABLE = re.compile(r"^ *displacements \(vx,vy,vz\) for set (\S+) and time", re.IGNORECASE)
_ITERATIVE = re.compile(r",\s*SOLVER\s*=\s*ITERATIVE[^,]*", re.IGNORECASE)
_CCX_S = 60

Array = NDArray[np.float64]


def require_near(found: Array, expected: Array, room: float, by: str) -> None:
    """Raise Wrong where displacements differ by more than a share of the largest one."""
    largest = float(np.abs(expected).max()) or float(np.abs(found).max()) or 1.0
    off = float(np.abs(found - expected).max()) / largest
    if not off <= room:
        raise Wrong(f"displacements differ from those of {by} by {off:.3g} of the largest; expected at most {room:.3g}")


def by_scikit_fem(places: Array, elements: Mapping[Kind, Any], load: Array, held: NDArray[np.bool_]) -> Array:
    """Return the displacements of tetrahedra and hexahedra of first order. Raises LeftOut for other elements."""
    try:
        import skfem
        from skfem.io.meshio import INV_HEX_MAPPING
        from skfem.models.elasticity import lame_parameters, linear_elasticity
    except ImportError as error:
        raise LeftOut(f"scikit-fem is not installed: {error}") from error
    from scipy.sparse.linalg import spsolve

    matrix: Any = None
    for kind, cells in elements.items():
        if kind == "tetrahedron":
            mesh, element, order = skfem.MeshTet1(places.T, cells.T), skfem.ElementTetP1(), 1
        elif kind == "hexahedron":
            mesh, element, order = skfem.MeshHex1(places.T, cells[:, INV_HEX_MAPPING[:8]].T), skfem.ElementHex1(), 3
        else:
            raise LeftOut(f"scikit-fem is not asked about {kind}")
        basis = skfem.Basis(mesh, skfem.ElementVector(element), intorder=order)
        part = linear_elasticity(*lame_parameters(YOUNG, POISSON)).assemble(basis)
        numbers = basis.nodal_dofs.T.ravel()
        part = part.tocsr()[numbers][:, numbers]
        matrix = part if matrix is None else matrix + part
    free = ~held.ravel()
    result = np.zeros(load.size)
    result[free] = spsolve(matrix[free][:, free].tocsc(), load.ravel()[free])
    return result.reshape(-1, 3)


_TYPES = {
    "tetrahedron": "C3D4",
    "wedge": "C3D6",
    "hexahedron": "C3D8",
    "tetrahedron10": "C3D10",
    "wedge15": "C3D15",
    "hexahedron20": "C3D20",
}


def deck_of(places: Array, elements: Mapping[Kind, Any], load: Array, held: NDArray[np.bool_]) -> str:
    """Return a mesh with its forces and supports as a deck."""
    lines = ["*NODE"]
    lines += [f"{n}, {x:.11e}, {y:.11e}, {z:.11e}" for n, (x, y, z) in enumerate(places.tolist(), 1)]
    first = 1
    for kind, cells in elements.items():
        lines.append(f"*ELEMENT, TYPE={_TYPES[kind]}, ELSET=ALL")
        for number, nodes in enumerate((cells + 1).tolist(), first):
            words = [str(number), *map(str, nodes)]
            rows = [words[at : at + 11] for at in range(0, len(words), 11)]
            lines += [", ".join(row) + ("," if row is not rows[-1] else "") for row in rows]
        first += len(cells)
    lines += [
        "*MATERIAL, NAME=M",
        "*ELASTIC",
        f"{YOUNG}, {POISSON}",
        "*SOLID SECTION, ELSET=ALL, MATERIAL=M",
        "*BOUNDARY",
    ]
    lines += [f"{node + 1}, {axis + 1}" for node, axis in np.argwhere(held).tolist()]
    lines += ["*STEP", "*STATIC", "*CLOAD"]
    lines += [f"{node + 1}, {axis + 1}, {load[node, axis]:.11e}" for node, axis in np.argwhere(load != 0).tolist()]
    return "\n".join([*lines, "*END STEP", ""])


def printed_deck(text: str, labels: Sequence[int]) -> str:
    """Return a deck whose first step is its last, and prints the displacements of nodes along x, y and z."""
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if re.match(r"\s*\*\s*STEP\b", line, re.IGNORECASE)]
    ends = [n for n, line in enumerate(lines) if re.match(r"\s*\*\s*END\s*STEP\b", line, re.IGNORECASE)]
    if not starts or not ends:
        raise LeftOut("the step is in an included file, which CalculiX is not asked about")
    # CalculiX's iterative solvers end long before six digits are right.
    lines = [_ITERATIVE.sub("", line) if line.lstrip().startswith("*") else line for line in lines]
    chosen = ["*NSET, NSET=" + _SET, *(f"{one}," for one in labels)]
    printed = [f"*NODE PRINT, NSET={_SET}, GLOBAL=YES", "U"]
    return "\n".join([*lines[: starts[0]], *chosen, *lines[starts[0] : ends[0]], *printed, "*END STEP", ""])


def by_calculix(folder: Path, text: str, labels: Sequence[int]) -> Array:
    """Return the displacements of nodes, (nodes, 3), of a deck. Raises LeftOut where CalculiX does not solve it.

    folder  an empty one, or with the files that the deck includes
    """
    program = shutil.which("ccx")
    if program is None:
        raise LeftOut("CalculiX is not installed: apt-get install calculix-ccx")
    (folder / "held.inp").write_text(printed_deck(text, labels), encoding="latin-1", errors="replace")
    try:
        done = subprocess.run(
            [program, "held"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=_CCX_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LeftOut(f"CalculiX takes more than {_CCX_S} s") from error
    file = folder / "held.dat"
    found = _displacements(file.read_text(errors="replace")) if file.exists() else {}
    if set(found) != set(labels):
        told = re.search(r"\*ERROR[^\n]*\n?[^\n]*", done.stdout)
        raise LeftOut(f"CalculiX prints no displacements: {' '.join((told[0] if told else 'no error').split())}")
    return np.array([found[one] for one in labels])


def _displacements(text: str) -> dict[int, tuple[float, float, float]]:
    """Return the last table of displacements of the set, by the nodes' numbers."""
    found: dict[int, tuple[float, float, float]] = {}
    within = False
    for line in text.split("\n"):
        if table := _TABLE.match(line):
            within = table[1].upper() == _SET
        elif within and (words := line.split()):
            try:
                node, x, y, z = int(words[0]), float(words[1]), float(words[2]), float(words[3])
            except (IndexError, ValueError):
                within = False
                continue
            found[node] = (x, y, z)
    return found
