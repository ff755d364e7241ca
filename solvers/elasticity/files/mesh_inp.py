"""``mesh.inp``: a box of unit cubes under tension along z, the input of a lecture's finite-element program.

The file has four lines of whole numbers: nodes in each direction; parts in each direction, one part for each rank;
threads of each rank and an unused number; the maximum number of iterations. A ``!`` or ``#`` begins a comment.

By symmetry u_x is 0 at x = 0, u_y at y = 0 and u_z at z = 0; a traction of 1 along z acts on the face of largest z.
The exact displacement is linear: u_z = z / E, u_x = -nu x / E, u_y = -nu y / E, on any grid, even a distorted one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.faces import symmetric, traction
from rooftop.solvers.elasticity.box.problem import BoxProblem, unit_places
from rooftop.solvers.elasticity.box.shapes import box
from rooftop.solvers.elasticity.problem import require_memory
from rooftop.solvers.elasticity.solution import Parts
from rooftop.text.plural import plural

_MOST = 2**31 - 1  # the largest number that the lecture's program can read
_AXES = "xyz"
_LINES = (
    ("nodes in each direction", 3),
    ("divisions in each direction", 3),
    ("threads of each rank and an unused 1", 2),
    ("the maximum number of iterations", 1),
)
_SHOWN = 40  # characters of invalid text shown in messages


@dataclass(frozen=True)
class MeshInp:
    """Contents of the file."""

    nodes: Nodes
    divisions: Parts
    threads: int
    iterations: int

    @property
    def ranks(self) -> int:
        """Number of ranks that the lecture's program would run on."""
        x, y, z = self.divisions
        return x * y * z


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _whole(where: str, text: str, what: str, least: int = 1) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise Misuse(f"{where}: {_shown(text)} is not a whole number; expected {what}, {least} or more")
    digits = text.lstrip("+-").lstrip("0")
    number = int(text) if len(digits) <= 10 else _MOST + 1 if text[0] != "-" else -1
    if number < least:
        raise Misuse(f"{where}: {_shown(text)} is too small; expected {what}, {least} or more")
    if number > _MOST:
        raise Misuse(f"{where}: {_shown(text)} is too large; expected {what}, at most {_MOST}")
    return number


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Return the number and the words of each line that is not blank."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Misuse(f"{path}: it is not UTF-8 text; expected four lines of whole numbers") from None
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    lines = [(number, re.split("[!#]", line, maxsplit=1)[0].split()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, words) for number, words in lines if words]


def read_mesh_inp(path: Path) -> MeshInp:
    """Read the file. Raises Misuse, naming the file, line and value."""
    lines = _lines(path)
    if len(lines) != len(_LINES):
        names = "; ".join(name for name, _ in _LINES)
        raise Misuse(f"{path}: it has {plural(len(lines), 'line')} of numbers; expected {len(_LINES)}: {names}")
    for (number, words), (name, count) in zip(lines, _LINES, strict=True):
        if len(words) != count:
            found, are = _shown(" ".join(words)), plural(len(words), "number")
            raise Misuse(f"{path}:{number}: {found} has {are}; expected {plural(count, 'number')}: {name}")
    (at, sizes), (below, parts), (third, pair), (last, most) = lines
    nx, ny, nz = (
        _whole(f"{path}:{at}", word, f"the nodes along {axis}", 2) for word, axis in zip(sizes, _AXES, strict=True)
    )
    dx, dy, dz = (
        _whole(f"{path}:{below}", word, f"the divisions along {axis}") for word, axis in zip(parts, _AXES, strict=True)
    )
    for count, divisions, axis in zip((nx, ny, nz), (dx, dy, dz), _AXES, strict=True):
        if count % divisions:
            raise Misuse(
                f"{path}:{below}: {divisions} divisions along {axis} do not divide its {count} nodes; "
                f"expected a divisor of {count}"
            )
    threads = _whole(f"{path}:{third}", pair[0], "the number of threads of each rank")
    _whole(f"{path}:{third}", pair[1], "an unused 1", 0)
    iterations = _whole(f"{path}:{last}", most[0], "the maximum number of iterations")
    return MeshInp((nx, ny, nz), (dx, dy, dz), threads, iterations)


def problem_of(
    path: Path, young: float, poisson: float, grade: float, distort: float, seed: int, available: int
) -> BoxProblem:
    """Return the problem of the file. Raises Misuse.

    grade      ratio of the last edge to the first in each direction
    distort    how far nodes are moved at random, as a fraction of an edge
    available  available memory in bytes
    """
    said = read_mesh_inp(path)
    nodes, uniform = said.nodes, grade == 1 and distort == 0
    nx, ny, nz = nodes
    require_memory(str(path), f"{nx} x {ny} x {nz} nodes", nx * ny * nz, available, coordinates=not uniform)
    coordinates = None if uniform else box(nodes, None, (grade,) * 3, distort, seed)
    load = traction(nodes if coordinates is None else coordinates, "z-max", (0, 0, 1))
    exact = unit_places(nodes) if coordinates is None else coordinates.copy()
    exact *= np.array([-poisson, -poisson, 1]) / young
    return BoxProblem(
        name=path.name,
        nodes=nodes,
        coordinates=coordinates,
        young=np.array([young]),
        poisson=np.array([poisson]),
        load=load,
        held=symmetric(nodes, "x-min", "y-min", "z-min"),
        iterations=said.iterations,
        threads=said.ranks * said.threads,
        parts=said.divisions,
        exact=exact,
    )
