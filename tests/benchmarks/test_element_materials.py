"""Materials of decks against CalculiX with each kind of element, where there is one, and what the page of it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.elements.calculix import displacement_of_deck, missing
from benchmarks.elements.materials import ASKED, FORMS, Form, deck_of, difference, page
from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import KINDS, Kind, library
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step


@pytest.fixture(name="both")
def both_fixture() -> None:
    """Skip where CalculiX or the solver is missing."""
    if reason := missing():
        pytest.skip(reason)
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("form", FORMS, ids=[form.title for form in FORMS])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("both")
def test_displacements_are_those_of_calculix(kind: Kind, form: Form, tmp_path: Path) -> None:
    assert difference(kind, form, tmp_path, (3, 2, 2)) <= ASKED


@pytest.mark.parametrize("form", FORMS, ids=[form.title for form in FORMS])
@pytest.mark.usefixtures("both")
def test_stresses_are_those_of_calculix(form: Form, tmp_path: Path) -> None:
    """Of tetrahedra, whose centre is their point of integration."""
    text = deck_of("tetrahedron", form, (2, 1, 1)).replace(
        "*END STEP", "*EL PRINT, ELSET=ALL, GLOBAL=YES\nS\n*END STEP"
    )
    path = tmp_path / "deck.inp"
    path.write_text(text, encoding="ascii")
    problem = problem_of_step(read_deck(path), 1 << 34, unstructured=True)
    found = problem.von_mises(problem.solved(tolerance=1e-12).displacement)
    displacement_of_deck(text, problem.nodes_count, tmp_path)
    rows = [line.split() for line in (tmp_path / "body.dat").read_text(encoding="ascii").splitlines()]
    xx, yy, zz, xy, xz, yz = np.array([row[2:] for row in rows if len(row) == 8 and row[0].isdigit()], np.float64).T
    expected = np.sqrt(((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) / 2 + 3 * (xy**2 + xz**2 + yz**2))
    assert found == pytest.approx(expected, abs=2e-6 * expected.max())


def test_the_page_tells_what_was_missed() -> None:
    few = [1e-9] * len(FORMS)
    text, met = page({"hexahedron": few, "wedge": [*few[:-1], 2 * ASKED]}, "2.20")
    assert not met
    assert "| C3D8 | 1.0e-09 |" in text
    assert text.count("| met |") == 1
    assert text.count("| missed |") == 1
    assert page({"hexahedron": few}, "2.20")[1]
