"""Hold decks of materials against CalculiX, with each kind of element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.elements.calculix import TYPES, displacement_of_deck, lines_of_elements, missing, version
from benchmarks.elements.element_meshes import box_of, warped
from benchmarks.elements.kind_differences import differences_of_kinds, differences_page
from benchmarks.form import RESULTS, PageOption
from rooftop.errors import Misuse
from rooftop.files.atomic import write_whole
from rooftop.solvers.elasticity import Kind, on_side
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step
from rooftop.solvers.elasticity.mesh.reference_element import reference

PAGE = RESULTS / "element-materials.md"
CELLS, SIZE = (4, 2, 2), (2.0, 1.0, 1.0)
SHAPE = "x".join(map(str, CELLS))
TOLERANCE = 1e-11  # of the residual
ASKED = 1e-6  # of the largest displacement, and half of the last digit that CalculiX prints
_MEMORY = 8 << 30
_ORTHOTROPIC = "*ELASTIC, TYPE=ORTHO\n500., 157., 400., 157., 157., 300., 126., 116.,\n106.\n"
_ORTHOTROPIC_TABLE = (
    "*ELASTIC, TYPE=ORTHO\n500., 157., 400., 157., 157., 300., 126., 116.,\n106., 10.\n"
    "300., 97., 200., 107., 117., 280., 96., 76.,\n66., 60.\n"
)
_ENGINEERING = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n200., 100., 50., 0.3, 0.2, 0.25, 60., 40.,\n30.\n"
_ANISOTROPIC = (
    "*ELASTIC, TYPE=ANISO\n300., 110., 320., 130., 140., 350., 16., 17.,\n18., 190., 20., 21., 22., 23., 240., 25.,\n"
    "26., 27., 28., 29., 300.\n"
)
_AT_AN_ANGLE = "*ORIENTATION, NAME=LOCAL\n1., 0.3, 0.2, 0.1, 1., 0.4\n"
_TURNED = "*ORIENTATION, NAME=LOCAL\n1., 0.3, 0.2, 0.1, 1., 0.4\n3, 35.\n"
_AROUND = "*ORIENTATION, NAME=LOCAL, SYSTEM=CYLINDRICAL\n-0.7, -0.4, -0.2, -0.6, -0.4, 1.\n"
_ISOTROPIC = "*ELASTIC\n200., 0.3\n"
_ISOTROPIC_TABLE = "*ELASTIC\n200., 0.3, 0.\n150., 0.25, 20.\n60., 0.1, 70.\n"
_EXPANSION = "*EXPANSION\n1e-3\n"
_EXPANSION_TABLE = "*EXPANSION, ZERO=15.\n1e-3, 10.\n2e-3, 30.\n1.5e-3, 60.\n"


@dataclass(frozen=True)
class Form:
    """A material, and what stands in it.

    material   cards after *MATERIAL
    local      an *ORIENTATION named LOCAL, or nothing
    warm       whether nodes have temperatures, which change within elements
    stress     whether points of integration have stresses before the step
    strain     whether they have plastic strains
    """

    title: str
    says: str
    material: str
    local: str = ""
    warm: bool = False
    stress: bool = False
    strain: bool = False


FORMS = (
    Form("orthotropic", "nine values, along the global axes", _ORTHOTROPIC),
    Form("at an angle", "the same along local axes", _ORTHOTROPIC, _AT_AN_ANGLE),
    Form("engineering", "engineering constants, local axes turned about the third", _ENGINEERING, _TURNED),
    Form("anisotropic", "21 values along local axes", _ANISOTROPIC, _AT_AN_ANGLE),
    Form("cylindrical", "nine values along cylindrical axes", _ORTHOTROPIC, _AROUND),
    Form("expansion", "isotropic; temperatures that change within elements", _ISOTROPIC + _EXPANSION, warm=True),
    Form("tables", "elasticity and expansion depend on temperature", _ISOTROPIC_TABLE + _EXPANSION_TABLE, warm=True),
    Form(
        "tables at an angle",
        "orthotropic ones, with three expansions",
        _ORTHOTROPIC_TABLE + "*EXPANSION, TYPE=ORTHO\n1e-3, 2e-3, 3e-3, 10.\n2e-3, 1e-3, 1e-3, 50.\n",
        _AROUND,
        warm=True,
    ),
    Form("stresses", "stresses before the step", _ORTHOTROPIC, _AT_AN_ANGLE, stress=True),
    Form("plastic strains", "before the step", _ISOTROPIC, strain=True),
)


def _lines(values: NDArray[np.float64]) -> str:
    return ", ".join(f"{value:.12e}" for value in values)


def deck_of(kind: Kind, form: Form, cells: tuple[int, int, int] = CELLS) -> str:
    """Return a deck that prints all displacements."""
    flat, elements = box_of(kind, cells, SIZE)
    places = warped(flat, SIZE)
    lines = ["*NODE, NSET=NODES"]
    lines += [f"{number}, {_lines(place)}" for number, place in enumerate(places, 1)]
    lines += lines_of_elements({kind: elements})
    lines += ["*MATERIAL, NAME=BODY", form.material + "*DENSITY", "1., 10.", "3., 60.", form.local.rstrip("\n")]
    lines.append("*SOLID SECTION, ELSET=ALL, MATERIAL=BODY" + (", ORIENTATION=LOCAL" if form.local else ""))
    points = range(1, len(reference(kind).points) + 1)
    here = [(element, point) for element in range(1, len(elements) + 1) for point in points]
    random = np.random.default_rng(1)
    for wanted, name, size in ((form.stress, "STRESS", 1.0), (form.strain, "PLASTIC STRAIN", 0.01)):
        if wanted:
            lines.append(f"*INITIAL CONDITIONS, TYPE={name}")
            lines += [f"{e}, {p}, {_lines(random.uniform(-size, size, 6))}" for e, p in here]
    if form.warm:
        lines += ["*INITIAL CONDITIONS, TYPE=TEMPERATURE", "NODES, 5."]
    lines.append("*BOUNDARY")
    lines += [f"{node + 1}, 1, 3" for node in np.flatnonzero(on_side(flat, "x-min"))]
    lines += ["*STEP", "*STATIC", "*CLOAD"]
    lines += [f"{node + 1}, 3, -1." for node in np.flatnonzero(on_side(flat, "x-max"))]
    lines += ["*DLOAD", "ALL, GRAV, 2., 0., 1., 0."]
    if form.warm:
        x, y, z = places.T
        lines.append("*TEMPERATURE")
        lines += [f"{n}, {t:.12e}" for n, t in enumerate(20 + 15 * x * x + 20 * y * z + 5 * np.sin(4 * z), 1)]
    lines += ["*NODE PRINT, NSET=NODES", "U", "*END STEP"]
    return "\n".join(line for line in lines if line) + "\n"


def difference(kind: Kind, form: Form, folder: Path, cells: tuple[int, int, int] = CELLS) -> float:
    """Return the largest difference of displacements to CalculiX's, relative to the largest displacement."""
    text = deck_of(kind, form, cells)
    path = folder / "deck.inp"
    path.write_text(text, encoding="ascii")
    problem = problem_of_step(read_deck(path), _MEMORY, unstructured=True)
    ours = problem.solved(tolerance=TOLERANCE).displacement
    expected = displacement_of_deck(text, problem.nodes_count, folder)
    return float(np.abs(ours - expected).max() / np.abs(expected).max())


def page(found: dict[Kind, Sequence[float]], release: str) -> tuple[str, bool]:
    """Return the page, from differences by kind and form, and whether all that is asked is reached."""
    return differences_page(
        "Displacements of materials against CalculiX",
        "materials",
        f"Largest difference to CalculiX, relative to the largest displacement, on a box of {SHAPE} cells "
        "whose nodes\nare moved so that faces are curved, clamped at one end and pulled sideways at the other. "
        f"Both programs read the same\ndeck. Asked: at most {ASKED:g}. CalculiX prints seven digits.",
        {form.title: form.says for form in FORMS},
        {(TYPES[kind],): row for kind, row in found.items()},
        ASKED,
        release,
    )


def main(to: PageOption = PAGE) -> None:
    """Solve, compare, and write the page."""
    if reason := missing():
        raise Misuse(reason)
    found = differences_of_kinds(difference, FORMS)
    text, met = page(found, version())
    write_whole(to, text)
    raise typer.Exit(0 if met else 1)
