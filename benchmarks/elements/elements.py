"""Hold each kind of element against CalculiX on several load cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.elements.calculix import TYPES, Body, displacement, missing, version
from benchmarks.elements.element_meshes import box_of, warped
from benchmarks.elements.kind_differences import differences_of_kinds, differences_page
from benchmarks.form import RESULTS, PageOption
from rooftop.errors import Misuse
from rooftop.files.atomic import write_whole
from rooftop.solvers import elasticity
from rooftop.solvers.elasticity import KINDS, Face, Kind

PAGE = RESULTS / "elements.md"
CELLS, SIZE = (4, 2, 2), (2.0, 1.0, 1.0)
SHAPE = "x".join(map(str, CELLS))
TOLERANCE = 1e-9  # of the residual
ASKED = 1e-5  # of the largest displacement
YOUNG = 200.0


@dataclass(frozen=True)
class LoadCase:
    """What is held and what pulls.

    held      the side that does not move
    pulled    the side with a traction or a pressure
    traction  force per area on it; None: a pressure of 1, which CalculiX computes the forces of
    gravity   force per volume, which CalculiX computes the forces of
    """

    title: str
    says: str
    held: Face
    pulled: Face | None = None
    traction: tuple[float, float, float] | None = None
    gravity: tuple[float, float, float] | None = None
    poisson: float = 0.3


CASES = (
    LoadCase("bending", "clamped at one end, a traction across the other", "x-min", "x-max", (0, 0, -1)),
    LoadCase("shear", "clamped at the bottom, a traction along the top", "z-min", "z-max", (1, 0, 0)),
    LoadCase("pressure", "clamped at the bottom, a pressure on the top", "z-min", "z-max"),
    LoadCase("nearly incompressible", "the same with a Poisson's ratio of 0.4999", "z-min", "z-max", poisson=0.4999),
    LoadCase("sideways", "clamped at the bottom, a pressure on one end", "z-min", "x-max"),
    LoadCase("weight", "clamped at one end, a force per volume", "x-min", gravity=(0, 0, -1)),
)


def _pressed(kind: Kind, cells: NDArray[np.int64], there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return elements and their faces, as `Body` counts them, of which all nodes are there."""
    faces = list(enumerate(KINDS[kind].faces, 1))
    return [(e, face) for e, nodes in enumerate(cells) for face, of in faces if there[nodes[list(of)]].all()]


def difference(kind: Kind, case: LoadCase, folder: Path, cells: tuple[int, int, int] = CELLS) -> float:
    """Return the largest difference of displacements to CalculiX's, relative to the largest displacement."""
    flat, nodes = box_of(kind, cells, SIZE)
    places, elements = warped(flat, SIZE), {kind: nodes}
    held = np.repeat(elasticity.on_side(flat, case.held)[:, None], 3, axis=1)
    load, theirs = np.zeros(places.shape), dict[str, Any]()
    if case.pulled is not None:
        there = elasticity.on_side(flat, case.pulled)
        faces = elasticity.boundary(elements).within(there)
        if case.traction is not None:
            load += elasticity.mesh_traction(places, faces, case.traction)
            theirs["forces"] = load
        else:
            load += elasticity.mesh_pressure(places, faces, 1)
            theirs |= {"pressed": _pressed(kind, nodes, there), "pressure": 1.0}
    if case.gravity is not None:
        load += elasticity.mesh_body_force(places, elements, case.gravity)
        theirs["gravity"] = case.gravity
    ours = elasticity.solve_mesh(
        places, elements=elements, young=YOUNG, poisson=case.poisson, load=load, held=held, tolerance=TOLERANCE
    )
    body = Body(coordinates=places, elements=elements, young=YOUNG, poisson=case.poisson, held=held, **theirs)
    expected = displacement(body, folder)
    return float(np.abs(ours.displacement - expected).max() / np.abs(expected).max())


def page(found: dict[Kind, Sequence[float]], release: str) -> tuple[str, bool]:
    """Return the page, from differences by kind and case, and whether all that is asked is reached."""
    return differences_page(
        "Displacements of each kind of element against CalculiX",
        "elements",
        f"Largest difference to CalculiX, relative to the largest displacement, on a box of {SHAPE} cells "
        "whose nodes\nare moved so that faces are curved. "
        f"Asked: at most {ASKED:g}. CalculiX prints seven digits.",
        {case.title: case.says for case in CASES},
        {(f"`{kind}`", TYPES[kind]): row for kind, row in found.items()},
        ASKED,
        release,
    )


def main(to: PageOption = PAGE) -> None:
    """Solve, compare, and write the page."""
    if reason := missing():
        raise Misuse(reason)
    found = differences_of_kinds(difference, CASES)
    text, met = page(found, version())
    write_whole(to, text)
    raise typer.Exit(0 if met else 1)
