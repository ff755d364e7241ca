"""Each kind of element against CalculiX, where there is one, and what the page of it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.elements.calculix import Body, deck, displacement, missing
from benchmarks.elements.element_meshes import box_of
from benchmarks.elements.elements import ASKED, CASES, LoadCase, difference, page
from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import KINDS, Kind, library


@pytest.fixture(name="both")
def both_fixture() -> None:
    """Skip where CalculiX or the solver is missing."""
    if reason := missing():
        pytest.skip(reason)
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.mark.case("solvers.L1")
@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("both")
def test_displacements_are_those_of_calculix(kind: Kind, case: LoadCase, tmp_path: Path) -> None:
    assert difference(kind, case, tmp_path, (3, 2, 2)) <= ASKED


@pytest.mark.usefixtures("both")
def test_what_calculix_cannot_solve_is_told(tmp_path: Path) -> None:
    places, cells = box_of("hexahedron", (1, 1, 1), (1.0, 1.0, 1.0))
    elements: dict[Kind, np.ndarray[tuple[int, ...], np.dtype[np.int64]]] = {
        "hexahedron": cells[:, KINDS["hexahedron"].turned]
    }
    held = np.ones(places.shape, dtype=bool)
    with pytest.raises(RuntimeError, match="jacobian"):
        displacement(Body(coordinates=places, elements=elements, young=1, poisson=0.3, held=held), tmp_path)


def test_a_deck_has_lines_that_calculix_reads() -> None:
    places, cells = box_of("hexahedron20", (1, 1, 1), (1.0, 1.0, 1.0))
    held = np.zeros(places.shape, dtype=bool)
    held[3, 1] = True
    words = deck(
        Body(
            coordinates=places,
            elements={"hexahedron20": cells},
            young=1,
            poisson=0.3,
            held=held,
            pressed=[(0, 2)],
            pressure=3,
            gravity=(0, 0, -2),
        )
    )
    assert "*ELEMENT, TYPE=C3D20, ELSET=ALL\n1, 1, 2, 4, 3, 5, 6, 8, 7, " in words
    assert "*BOUNDARY\n4, 2\n*STEP" in words
    assert "*DLOAD\n1, P2, 3.000000000000e+00\n" in words
    assert "ALL, GRAV, 2.000000000000e+00, 0.000000000000e+00, 0.000000000000e+00, -1.000000000000e+00" in words
    fields = [field.strip() for line in words.splitlines() if not line.startswith("*") for field in line.split(",")]
    assert max(map(len, fields)) <= 20
    assert max(len(line.split(",")) for line in words.splitlines()) <= 16


def test_what_differs_is_missed() -> None:
    text, met = page({"wedge": [1e-7] * len(CASES), "hexahedron20": [1e-7] * (len(CASES) - 1) + [2e-5]}, "2.20")
    assert not met
    assert "| `wedge` | C3D6 | 1.0e-07 |" in text
    assert text.count("| met |") == text.count("| missed |") == 1
    assert page({"wedge": [1e-7] * len(CASES)}, "2.20")[1]
