"""Materials of decks: directions, temperatures, and what stands in elements before the step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from deck_text import CUBE, HELD, MODEL, PULLED, SETS, STEEL, block, step

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.deck.temperatures import shares
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step
from rooftop.solvers.elasticity.mesh.elastic_law import isotropic_matrices, matrices
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.mesh.reference_element import reference
from rooftop.solvers.elasticity.problem import Problem

ROOM = 1 << 34  # bytes
ORTHOTROPIC = "*ELASTIC, TYPE=ORTHOTROPIC\n500., 157., 400., 158., 159., 300., 126., 116.,\n106.\n"
ENGINEERING = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n200., 100., 50., 0.3, 0.2, 0.25, 60., 40.,\n30.\n"
LOCAL = "*ORIENTATION, NAME=LOCAL\n0., 1., 0., 0., 0., 1.\n"
_NEAR = 0.5 - 0.5 / 3**0.5
AT_A_POINT = f"*ORIENTATION, NAME=LOCAL, SYSTEM=CYLINDRICAL\n{_NEAR}, {_NEAR}, 0., {_NEAR}, {_NEAR}, 1.\n"
AROUND = "*ORIENTATION, NAME=LOCAL, SYSTEM=CYLINDRICAL\n-1., 0., 0., -1., 0., 1.\n"


def problem(folder: Path, text: str, *, unstructured: bool = True) -> Problem:
    path = folder / "deck.inp"
    path.write_text(text, encoding="utf-8")
    return problem_of_step(read_deck(path), ROOM, unstructured=unstructured)


def of(elastic: str, local: str = "", model: str = CUBE + SETS) -> str:
    """Return a model of a material, with local axes."""
    section = "*SOLID SECTION, ELSET=EALL, MATERIAL=M" + (", ORIENTATION=LOCAL\n" if local else "\n")
    return f"{model}*MATERIAL, NAME=M\n{elastic}{local}{section}{HELD}"


def stiffness(folder: Path, text: str) -> list[list[float]]:
    """Return the only stiffness of a deck, (6, 6)."""
    found = problem(folder, text + step())
    assert isinstance(found, MeshProblem)
    assert found.stiffness is not None
    assert found.stiffness.at_points.shape == (1, 21)
    result: list[list[float]] = matrices(found.stiffness.at_points[0]).tolist()
    return result


def test_orthotropic_values(tmp_path: Path) -> None:
    """In the order of CalculiX and Abaqus: 1111, 1122, 2222, 1133, 2233, 3333, 1212, 1313, 2323."""
    expected = np.diag([500.0, 400, 300, 126, 116, 106])
    expected[0, 1] = expected[1, 0] = 157
    expected[0, 2] = expected[2, 0] = 158
    expected[1, 2] = expected[2, 1] = 159
    assert stiffness(tmp_path, of(ORTHOTROPIC)) == expected.tolist()
    assert stiffness(tmp_path, of(ORTHOTROPIC.replace("106.", "106., 294."))) == expected.tolist()
    # The first local axis is y, the second z, and the third x.
    turned = np.diag([300.0, 500, 400, 116, 106, 126])
    turned[0, 1] = turned[1, 0] = 158
    turned[0, 2] = turned[2, 0] = 159
    turned[1, 2] = turned[2, 1] = 157
    assert np.array(stiffness(tmp_path, of(ORTHOTROPIC, LOCAL))) == pytest.approx(turned, abs=1e-10)
    # Turned about its third axis, x, by 90 degrees: the first local axis is z, and the second -y.
    back = np.diag([300.0, 400, 500, 106, 116, 126])
    back[0, 1] = back[1, 0] = 159
    back[0, 2] = back[2, 0] = 158
    back[1, 2] = back[2, 1] = 157
    assert np.array(stiffness(tmp_path, of(ORTHOTROPIC, LOCAL + "3, 90.\n"))) == pytest.approx(back, abs=1e-10)


def test_engineering_constants(tmp_path: Path) -> None:
    inverse = np.linalg.inv(np.array(stiffness(tmp_path, of(ENGINEERING))))
    expected = np.diag([1 / 200, 1 / 100, 1 / 50, 1 / 60, 1 / 40, 1 / 30])
    expected[0, 1] = expected[1, 0] = -0.3 / 200
    expected[0, 2] = expected[2, 0] = -0.2 / 200
    expected[1, 2] = expected[2, 1] = -0.25 / 100
    assert inverse == pytest.approx(expected, abs=1e-15)
    alike = ENGINEERING.replace(
        "200., 100., 50., 0.3, 0.2, 0.25, 60., 40.,\n30.", "26, 26, 26, .3, .3, .3, 10, 10,\n10"
    )
    expected = isotropic_matrices(np.array(26.0), np.array(0.3))
    assert np.array(stiffness(tmp_path, of(alike))) == pytest.approx(expected, abs=1e-12)


def test_anisotropic_values(tmp_path: Path) -> None:
    """The upper triangle, column by column."""
    values = [300 if one in (0, 2, 5, 9, 14, 20) else one for one in range(21)]
    lines = [", ".join(map(str, values[at : at + 8])) for at in (0, 8, 16)]
    found = stiffness(tmp_path, of("*ELASTIC, TYPE=ANISOTROPIC\n" + ",\n".join(lines) + "\n"))
    assert [found[row][column] for column in range(6) for row in range(column + 1)] == values


def test_cylindrical_axes_are_those_of_points(tmp_path: Path) -> None:
    found = problem(tmp_path, of(ORTHOTROPIC, AROUND) + step())
    assert isinstance(found, MeshProblem)
    assert found.stiffness is not None
    assert found.stiffness.at_points.shape == (8, 21)
    assert found.stiffness.at_centre.shape == (1, 21)
    # On the line y = 0 the first axis is x; at an angle of a, the stiffness is that turned by a.
    x, y, _ = (0.5 + reference("hexahedron").points / 2).T
    angle = np.arctan2(y, x + 1)
    expected = 500 * np.cos(angle) ** 4 + 400 * np.sin(angle) ** 4 + (2 * 157 + 4 * 126) * (np.sin(2 * angle) / 2) ** 2
    assert found.stiffness.at_points[:, 0] == pytest.approx(expected, rel=1e-12)


def test_an_axis_through_a_centre(tmp_path: Path) -> None:
    """No point of integration lies there: only the stress that is told has no directions of its own."""
    middle = AROUND.replace("-1., 0., 0., -1., 0., 1.", "0.5, 0.5, 0., 0.5, 0.5, 1.")
    found = problem(tmp_path, of(ORTHOTROPIC, middle) + step())
    assert np.isfinite(found.von_mises(found.solved().displacement)).all()


def test_local_axes_of_an_instance_turn_with_it(tmp_path: Path) -> None:
    part = f"*PART, NAME=P\n{CUBE}{LOCAL}*SOLID SECTION, ELSET=EALL, MATERIAL=M, ORIENTATION=LOCAL\n*END PART\n"
    place = "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0., 0., 0.\n0., 0., 0., 1., 0., 0., 90.\n*END INSTANCE\n"
    place += "*NSET, NSET=BOT, INSTANCE=I\n1, 2, 3, 4\n*NSET, NSET=TOP, INSTANCE=I\n5, 6\n*END ASSEMBLY\n"
    loads = step(PULLED).replace("*NODE PRINT, NSET=NALL\nU\n", "")
    found = problem(tmp_path, f"{part}{place}*MATERIAL, NAME=M\n{ORTHOTROPIC}{HELD}" + loads)
    assert isinstance(found, MeshProblem)
    assert found.stiffness is not None
    # y becomes z, and z becomes -y.
    assert np.diag(matrices(found.stiffness.at_points[0])) == pytest.approx([300, 400, 500, 106, 116, 126], abs=1e-10)
    without = part.replace(", ORIENTATION=LOCAL", "")
    with pytest.raises(Misuse, match="has no ORIENTATION, but its material is anisotropic and its instance is rotated"):
        problem(tmp_path, f"{without}{place}*MATERIAL, NAME=M\n{ORTHOTROPIC}{HELD}" + loads)


@pytest.mark.parametrize(
    ("elastic", "local", "says"),
    [
        ("*ELASTIC, TYPE=ORTHO\n1.\n", "", "*ELASTIC has 1 line; expected 2 lines for each temperature"),
        (ORTHOTROPIC + "1., 1.\n", "", "*ELASTIC has 3 lines"),
        (ORTHOTROPIC.replace("500.", "5."), "", "has a stiffness that is not positive definite; expected constants"),
        (ORTHOTROPIC.replace("126.", "-1."), "", "has a stiffness that is not positive definite"),
        (ORTHOTROPIC.replace("126.", ""), "", "'' is not a finite number; expected D1212"),
        (ORTHOTROPIC.replace("106.", "106., 0., 5."), "", "the line has 3 values; expected 1 and a temperature"),
        (ENGINEERING.replace("50., 0.3", "-50., 0.3"), "", "has a modulus -50; expected numbers above 0"),
        (ENGINEERING.replace("0.25", "9."), "", "has a stiffness that is not positive definite"),
        ("*ELASTIC, TYPE=ANISO\n1., 2.\n", "", "*ELASTIC has 1 line; expected 3 lines"),
        ("*ELASTIC, TYPE=LAMINA\n1.\n", "", "with TYPE=LAMINA is not supported; expected ISOTROPIC, ORTHOTROPIC"),
        ("*ELASTIC\n1., 0.3, 20.\n2., 0.3, 10.\n", "", "*ELASTIC has temperature 10 after 20; expected increasing"),
        ("*ELASTIC\n1., 0.3, 20.\n2., 0.5, 30.\n", "", ":19: Poisson's ratio is 0.5; expected a number above"),
        (ORTHOTROPIC, LOCAL.replace("LOCAL", "OTHER"), "'LOCAL', which is not defined; expected one of: OTHER"),
        (ORTHOTROPIC, LOCAL.replace("0., 0., 1.", "0., -2., 0."), "has both points in one direction; expected two"),
        (ORTHOTROPIC, LOCAL.replace("0., 0., 1.", "0., 0., 0."), "has a point at the origin"),
        (ORTHOTROPIC, LOCAL.replace("0., 0., 1.", "0., 0., 1., 1., 1., 1."), "has an origin, which is not supported"),
        (ORTHOTROPIC, LOCAL + "4, 10.\n", "4 is not a local axis; expected 1 to 3"),
        (ORTHOTROPIC, LOCAL.replace("LOCAL", "LOCAL, SYSTEM=SPHERICAL"), "with SYSTEM=SPHERICAL is not supported"),
        (ORTHOTROPIC, LOCAL.replace("LOCAL", "LOCAL, DEFINITION=NODES"), "with DEFINITION=NODES is not supported"),
        (ORTHOTROPIC, AROUND.replace("0., 1.\n", "0., 0.\n"), "has an axis without length; expected two points"),
        (ORTHOTROPIC, AROUND + "1, 10.\n", "rotates cylindrical axes, which is not supported"),
        (ORTHOTROPIC, AT_A_POINT, "goes through an integration point, which has no radial direction"),
    ],
)  # fmt: skip
def test_materials_that_are_refused(tmp_path: Path, elastic: str, local: str, says: str) -> None:
    with pytest.raises(Misuse) as told:
        problem(tmp_path, of(elastic, local) + step())
    assert says in str(told.value)
    assert "\n" not in str(told.value)
    assert str(told.value).startswith(str(tmp_path / "deck.inp"))


def test_directions_need_a_step(tmp_path: Path) -> None:
    from rooftop.solvers.elasticity.deck.problem import contents_of_deck

    path = tmp_path / "deck.inp"
    path.write_text(of(ORTHOTROPIC), encoding="utf-8")
    with pytest.raises(Misuse, match=r"it has an anisotropic or varying material, but no \*STEP; expected a \*STEP"):
        contents_of_deck(read_deck(path))


def test_orientations_of_isotropic_materials_are_not_looked_at(tmp_path: Path) -> None:
    model = of("*ELASTIC\n1000., 0.3\n", "*ORIENTATION, NAME=LOCAL, SYSTEM=USER\nx\n")
    assert problem(tmp_path, model + step()).young.tolist() == [1000]


WARM = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n"


def test_tables_of_one_temperature_keep_a_box(tmp_path: Path) -> None:
    """Each element has its own temperature: Young's modulus by element, and gravity likewise."""
    tables = STEEL.replace("1000., 0.3\n", "1000., 0.3, 0.\n500., 0.1, 100.\n").replace("2.\n*", "2., 0.\n4., 100.\n*")
    model = block((2, 2, 3)) + tables + WARM + "*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, 3\n"
    found = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 50.\n"), unstructured=False)
    assert isinstance(found, BoxProblem)
    assert found.young.tolist() == [750]
    assert found.poisson.tolist() == pytest.approx([0.2])
    assert problem(tmp_path, model + step("*CLOAD\n12, 3, 1.\n")).young.tolist() == [900]
    assert problem(tmp_path, model + step("*TEMPERATURE\nNALL, 500.\n")).young.tolist() == [500]
    heavy = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 50.\n*DLOAD\nEALL, GRAV, 1., 0., 0., 1.\n"))
    assert heavy.load.sum(axis=0) == pytest.approx([0, 0, 3])


def test_tables_within_an_element(tmp_path: Path) -> None:
    """A trilinear hexahedron has the mean temperature of its nodes; others what their points have."""
    tables = STEEL.replace("1000., 0.3\n", "1000., 0.3, 0.\n500., 0.3, 100.\n")
    model = CUBE + SETS + tables + WARM + HELD
    found = problem(tmp_path, model + step("*TEMPERATURE\nBOT, 0.\nTOP, 100.\n"))
    assert isinstance(found, MeshProblem)
    assert found.stiffness is not None
    shear = 750 / 2.6
    assert found.stiffness.at_points[:, -1] == pytest.approx(np.full(8, shear))
    assert shares("hexahedron20").sum(axis=1) == pytest.approx(np.ones(27))
    # In x, y and z times x: those of 20 nodes with 27 points have no x * x, but its mean of 1/3 in all directions.
    places = reference("hexahedron20").places
    square = shares("hexahedron20") @ places[:, 0] ** 2
    assert square == pytest.approx(np.full(27, 1 / 3))
    product = shares("hexahedron20") @ (places[:, 0] * places[:, 1])
    points = reference("hexahedron20").points
    assert product == pytest.approx(points[:, 0] * points[:, 1])


def test_no_temperature(tmp_path: Path) -> None:
    """Abaqus takes 0, CalculiX the first line: where these differ, the deck is refused."""
    elastic = "*ELASTIC\n1000., 0.3, {}.\n500., 0.3, 100.\n"
    for first in (0, 20):
        assert problem(tmp_path, of(elastic.format(first)) + step()).young.tolist() == [1000]
    with pytest.raises(
        Misuse, match=r"\*ELASTIC depends on temperature, but no temperature is given; expected \*INITIAL COND"
    ):
        problem(tmp_path, of(elastic.format(-50)) + step())


@pytest.mark.case("solvers.K9")
def test_a_heated_body_that_is_held_has_stresses(tmp_path: Path) -> None:
    """Free to expand along z alone, its stress across is E a dT / (1 - nu); before, von Mises' stress was that of 0."""
    model = block((3, 3, 3)) + STEEL.replace("*DENSITY\n2.\n", "*EXPANSION\n1e-3\n") + WARM
    model += "*NSET, NSET=LOW, GENERATE\n1, 9\n*BOUNDARY\nNALL, 1, 2\nLOW, 3\n"
    for unstructured in (True, False):
        found = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 120.\n"), unstructured=unstructured)
        moved = found.solved(tolerance=1e-12).displacement
        assert found.von_mises(moved) == pytest.approx(np.full(found.von_mises(moved).shape, 1000 * 0.1 / 0.7))


def test_expansion_along_local_axes(tmp_path: Path) -> None:
    """A body that nothing holds back becomes what its expansions say: the first local axis is y, the second z."""
    expands = ORTHOTROPIC + "*EXPANSION, TYPE=ORTHO\n1e-3, 2e-3, 3e-3\n"
    model = of(expands, LOCAL).replace(HELD, "*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n") + WARM
    found = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 30.\n"))
    moved = found.solved(tolerance=1e-12).displacement
    assert moved == pytest.approx(found.places * [3e-2, 1e-2, 2e-2], abs=1e-10)
    assert found.von_mises(moved) == pytest.approx([0], abs=1e-8)
    with pytest.raises(Misuse, match=r"\*EXPANSION with TYPE=USER is not supported; expected ISO, ORTHO or ANISO"):
        problem(tmp_path, model.replace("TYPE=ORTHO\n1", "TYPE=USER\n1") + step("*TEMPERATURE\nNALL, 30.\n"))


STRESSED = "".join(f"1, {point}, 0., 0., 5., 0., 0., 0.\n" for point in range(1, 9))


@pytest.mark.parametrize("values", [STRESSED, "EALL, 0., 0., 5., 0., 0., 0.\n", "EALL, 0., 0., 5.\n"])
def test_stresses_before_the_step(tmp_path: Path, values: str) -> None:
    """A tension that nothing balances pulls the free side back; the decks' forms are CalculiX's and Abaqus's."""
    model = MODEL.replace(HELD, "*BOUNDARY\nNALL, 1, 2\nBOT, 3\n")
    found = problem(tmp_path, model + f"*INITIAL CONDITIONS, TYPE=STRESS\n{values}" + step("*CLOAD\nTOP, 3, 0.\n"))
    assert found.load[4:] == pytest.approx(np.tile([0, 0, -1.25], (4, 1)))
    moved = found.solved(tolerance=1e-12).displacement
    modulus = 1000 * 0.7 / 1.3 / 0.4
    assert moved[4:, 2] == pytest.approx(np.full(4, -5 / modulus))
    assert found.von_mises(moved) == pytest.approx([0.3 / 0.7 * 5])


def test_plastic_strains_before_the_step(tmp_path: Path) -> None:
    """They are strains without stress; shear strains are those of the tensor."""
    lines = "".join(f"1, {point}, 0.01, 0.02, 0.03, 0.004, 0.005, 0.006\n" for point in range(1, 9))
    model = MODEL.replace(HELD, "*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n")
    found = problem(
        tmp_path, model + f"*INITIAL CONDITIONS, TYPE=PLASTIC STRAIN\n{lines}" + step("*CLOAD\nTOP, 3, 0.\n")
    )
    moved = found.solved(tolerance=1e-13).displacement
    # With y of node 2, and z of nodes 2 and 4, held: shear is a slope of x by y, and of x and y by z.
    slopes = np.array([[0.01, 0.008, 0.010], [0, 0.02, 0.012], [0, 0, 0.03]])
    assert moved == pytest.approx(found.places @ slopes.T, abs=1e-10)
    assert found.von_mises(moved) == pytest.approx([0], abs=1e-8)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("STRESS\n1, 9, 1., 1., 1., 0., 0., 0.\n", "a C3D8 has no integration point 9; expected 1 to 8"),
        ("STRESS\n1, 0, 1., 1., 1., 0., 0., 0.\n", "a C3D8 has no integration point 0; expected 1 to 8"),
        ("STRESS\n9, 1, 1., 1., 1., 0., 0., 0.\n", "element 9 is not defined"),
        ("STRESS\n1, 1, 1., 1., 1., 0., 0., 0., 7.\n", "9 fields; expected an element, a point and 6 values"),
        ("STRESS\n1, 1, x\n", "'x' is not a finite number; expected a stress xx"),
        ("PLASTIC STRAIN\nEALL, 1.5, 1.\n", "'1.5' is not an integration point; expected an element, a point"),
        ("STRESS, USER\n", "*INITIAL CONDITIONS with USER calls a subroutine, which is not supported"),
        ("STRESS\nEALL, 1e308, 1e308, 1e308\n", "forces of thermal or initial stresses are too large"),
    ],
)
def test_initial_conditions_that_are_refused(tmp_path: Path, lines: str, says: str) -> None:
    far = CUBE.replace("1.,", "1e3,").replace(" 1.\n", " 1e3\n") + SETS + STEEL + HELD
    with pytest.raises(Misuse) as told:
        problem(tmp_path, far + f"*INITIAL CONDITIONS, TYPE={lines}" + step())
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_stresses_of_a_set_are_along_local_axes(tmp_path: Path) -> None:
    model = of(ORTHOTROPIC, LOCAL) + "*INITIAL CONDITIONS, TYPE=STRESS\nEALL, 0., 0., 5.\n"
    with pytest.raises(
        Misuse, match="initial stresses without an integration point are along the local axes of the section"
    ):
        problem(tmp_path, model + step())


NETWORK = MODEL.replace("8, 0., 1., 1.\n", "8, 0., 1., 1.\n90, 5., 5., 5.\n")


def test_pressures_of_a_network(tmp_path: Path) -> None:
    """Held against CalculiX by `beamd2` of its tests: the direction 2 of the node is the pressure."""
    loads = "*DLOAD\nEALL, P2NP, 90\n*BOUNDARY\n90, 2, 2, 4.\n"
    assert problem(tmp_path, NETWORK + step(loads)).load.sum(axis=0).tolist() == [0, 0, -4]
    with pytest.raises(Misuse, match="the pressure of node 90 is unknown, because nothing prescribes its direction 2"):
        problem(tmp_path, NETWORK + step("*DLOAD\nEALL, P2NP, 90\n"))
    with pytest.raises(Misuse, match="load P2NP names 4 nodes, which is not supported; expected one node, without"):
        problem(tmp_path, NETWORK + step("*DLOAD\nEALL, P2NP, TOP\n"))
    with pytest.raises(Misuse, match="node 5, which gives the pressure, belongs to an element; expected a node that"):
        problem(tmp_path, NETWORK + step("*DLOAD\nEALL, P2NP, 5\n"))


def test_sections_of_sets_that_are_not_there(tmp_path: Path) -> None:
    """As in `c3d6` of CalculiX's tests: nothing is made of it, unless a body has what it may be meant for."""
    model = MODEL + "*MEMBRANE, ELSET=NONE, MATERIAL=STEEL\n0.\n"
    assert problem(tmp_path, model + step()).elements_count == 1
    with pytest.raises(Misuse, match="'NONE' is not a set of elements"):
        problem(tmp_path, model + "*ELEMENT, TYPE=M3D4\n9, 5, 6, 7, 8\n" + step())


def test_ranks_refuse_directions(tmp_path: Path) -> None:
    why = "the stiffness is anisotropic or varies within elements"
    assert problem(tmp_path, of(ORTHOTROPIC) + step()).not_shared == why
    assert not problem(tmp_path, MODEL + step()).not_shared
