"""Linear static steps by CalculiX: a deck is written, solved by `ccx`, and its displacements are read.

CalculiX reads numbers of up to 20 characters, and prints seven digits.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity import Kind

Array = NDArray[np.float64]

PROGRAM = "ccx"
TYPES: dict[Kind, str] = {
    "tetrahedron": "C3D4",
    "wedge": "C3D6",
    "hexahedron": "C3D8",
    "hexahedron_incompatible": "C3D8I",
    "tetrahedron10": "C3D10",
    "wedge15": "C3D15",
    "hexahedron20": "C3D20",
    "hexahedron20_reduced": "C3D20R",
}


def missing() -> str | None:
    """Return why CalculiX cannot be run; None where it can."""
    return None if shutil.which(PROGRAM) else f"{PROGRAM} is not installed: apt-get install calculix-ccx"


def version() -> str:
    """Return what CalculiX calls itself, such as "2.20"."""
    said = subprocess.run([PROGRAM, "-v"], capture_output=True, text=True, check=False).stdout
    return said.split()[-1] if said.split() else "of an unknown version"


@dataclass(frozen=True, kw_only=True)
class Body:
    """A body with its supports and loads.

    coordinates   (nodes, 3)
    elements      of each kind (elements, nodes of one), in VTK's order
    held          where displacements are zero, (nodes, 3)
    forces        on nodes, (nodes, 3)
    pressed       faces under pressure: the element's number, from 0, and the face's, from 1 as Abaqus counts them
    pressure      on these
    gravity       force per volume, (3,)
    """

    coordinates: Array
    elements: Mapping[Kind, NDArray[np.int64]]
    young: float
    poisson: float
    held: NDArray[np.bool_]
    forces: Array | None = None
    pressed: Sequence[tuple[int, int]] = field(default_factory=list)
    pressure: float = 0
    gravity: tuple[float, float, float] | None = None


def _numbers(values: Sequence[float] | Array) -> str:
    return ", ".join(f"{value:.12e}" for value in values)


def lines_of_elements(elements: Mapping[Kind, NDArray[np.int64]]) -> list[str]:
    """Return the elements as a deck has them, in the set ALL."""
    lines, number = [], 0
    for kind, cells in elements.items():
        lines.append(f"*ELEMENT, TYPE={TYPES[kind]}, ELSET=ALL")
        for nodes in cells:
            number += 1
            words = [str(number), *(str(node + 1) for node in nodes)]
            lines += [
                ", ".join(words[at : at + 15]) + ("," if at + 15 < len(words) else "")
                for at in range(0, len(words), 15)
            ]
    return lines


def deck(body: Body) -> str:
    """Return the body as CalculiX reads it."""
    lines = ["*NODE, NSET=NODES"]
    lines += [f"{number}, {_numbers(place)}" for number, place in enumerate(body.coordinates, 1)]
    lines += lines_of_elements(body.elements)
    lines += ["*MATERIAL, NAME=BODY", "*ELASTIC", _numbers([body.young, body.poisson]), "*DENSITY", "1."]
    lines += ["*SOLID SECTION, ELSET=ALL, MATERIAL=BODY", "*BOUNDARY"]
    lines += [f"{node + 1}, {direction + 1}" for node, direction in np.argwhere(body.held)]
    lines += ["*STEP", "*STATIC"]
    if body.forces is not None:
        lines.append("*CLOAD")
        lines += [f"{n + 1}, {d + 1}, {body.forces[n, d]:.12e}" for n, d in np.argwhere(body.forces != 0)]
    if body.pressed:
        lines.append("*DLOAD")
        lines += [f"{element + 1}, P{face}, {body.pressure:.12e}" for element, face in body.pressed]
    if body.gravity is not None:
        size = float(np.linalg.norm(body.gravity))
        lines += ["*DLOAD", f"ALL, GRAV, {size:.12e}, {_numbers(np.array(body.gravity) / size)}"]
    lines += ["*NODE PRINT, NSET=NODES", "U", "*END STEP"]
    return "\n".join(lines) + "\n"


def displacement(body: Body, folder: Path) -> Array:
    """Return what CalculiX finds, (nodes, 3). Raises RuntimeError with its words where it fails."""
    return displacement_of_deck(deck(body), len(body.coordinates), folder)


def displacement_of_deck(text: str, nodes: int, folder: Path) -> Array:
    """Return what CalculiX finds of a deck that prints the displacements of so many nodes. Raises RuntimeError."""
    (folder / "body.inp").write_text(text, encoding="ascii")
    (folder / "body.dat").unlink(missing_ok=True)
    ended = subprocess.run([PROGRAM, "body"], cwd=folder, capture_output=True, text=True, check=False)
    found = folder / "body.dat"
    rows = [line.split() for line in found.read_text(encoding="ascii").splitlines()] if found.is_file() else []
    values = {int(row[0]): [float(word) for word in row[1:]] for row in rows if len(row) == 4 and row[0].isdigit()}
    if len(values) != nodes:
        raise RuntimeError(f"{PROGRAM} ended with {ended.returncode}: {ended.stdout[-2000:]}")
    return np.array([values[number] for number in range(1, nodes + 1)])
