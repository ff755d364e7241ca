"""Linear static steps of decks: what holds and loads the body, and what is refused by its keyword."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deck_text import CUBE, HELD, MODEL, PULLED, SETS, STEEL, block, step

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step
from rooftop.solvers.elasticity.problem import Problem

ROOM = 1 << 34  # bytes


def problem(folder: Path, text: str, *, unstructured: bool = True) -> Problem:
    path = folder / "deck.inp"
    path.write_text(text, encoding="utf-8")
    return problem_of_step(read_deck(path), ROOM, unstructured=unstructured)


def top(folder: Path, loads: str, model: str = MODEL) -> list[list[float]]:
    """Return the forces on the nodes of the cube's top."""
    found = problem(folder, model + step(loads))
    assert not found.load[:4].any() or "GRAV" in loads or "B" in loads
    forces: list[list[float]] = found.load[4:].tolist()
    return forces


@pytest.mark.case("solvers.K6")
def test_a_deck_is_solved_as_it_is_written(tmp_path: Path) -> None:
    """Held against CalculiX 2.20, which prints 7.8E-04 and 3.64E-03."""
    found = problem(tmp_path, MODEL + step())
    assert found.young.tolist() == [1000]
    assert found.poisson.tolist() == [0.3]
    assert found.held.tolist() == [[True] * 3] * 4 + [[False] * 3] * 4
    assert found.solved(tolerance=1e-12).displacement[7] == pytest.approx([7.8e-4, -7.8e-4, 3.64e-3], rel=1e-9)


@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize(
    ("loads", "forces"),
    [
        ("*CLOAD\nTOP, 3, 1.\n", [0, 0, 1]),
        ("*cload\ntop, 3, 1.\nTOP, 3, .5D0\n*CLOAD, OP=NEW\nTOP, 1, 2.\n", [2, 0, 1.5]),
        ("*CLOAD\nTOP, 3\nTOP, 5, 0.\n", [0, 0, 0]),
        ("*DLOAD\nEALL, P2, 4.\n", [0, 0, -1]),
        ("*DLOAD\n1, P2, 4.\n*DLOAD\nEALL, P2, 4.\n", [0, 0, -2]),
        ("*DLOAD\nEALL, GRAV, 20., 0., 0., -3.\n", [0, 0, -5]),
        ("*DLOAD\n, GRAV, 20., 0., 0., -3.\n", [0, 0, -5]),
        ("*DLOAD\nEALL, BX, 8.\nEALL, BZ, 16.\n", [1, 0, 2]),
        ("*DSLOAD\nFACE, P, 4.\n", [0, 0, -1]),
        ("*DSLOAD\nFACE, TRVEC, 4., 0., 2., 0.\n", [0, 1, 0]),
        ("*AMPLITUDE, NAME=A\n0., 0., 0.5, 3., 2., 6.\n*CLOAD, AMPLITUDE=A\nTOP, 3, 1.\n", [0, 0, 4]),
    ],
)
def test_loads(tmp_path: Path, loads: str, forces: list[float]) -> None:
    model = MODEL + "*SURFACE, NAME=FACE, TYPE=ELEMENT\nEALL, S2\n"
    if loads.startswith("*AMPLITUDE"):
        amplitude, loads = loads.split("*CLOAD")
        model, loads = model + amplitude, "*CLOAD" + loads
    assert top(tmp_path, loads, model) == pytest.approx(np.array([forces] * 4))


def test_bodies_that_turn(tmp_path: Path) -> None:
    """The mass of 2 has its centre at a distance of 0.5 from x = 0, y = 0.5: the force is 2 x 9 x 0.5 along x."""
    found = problem(tmp_path, MODEL + step("*DLOAD\nEALL, CENTRIF, 9., 0., .5, 7., 0., 0., 2.\n"))
    assert found.load.sum(axis=0) == pytest.approx([9, 0, 0])
    assert found.load[1] == pytest.approx([2 * 9 / 12, -2 * 9 / 48, 0])  # the integral of a shape function times x, y


@pytest.mark.parametrize("face", range(1, 7))
def test_pressures_act_inwards(tmp_path: Path, face: int) -> None:
    inwards = [[0, 0, 1], [0, 0, -1], [0, 1, 0], [-1, 0, 0], [0, -1, 0], [1, 0, 0]]
    found = problem(tmp_path, MODEL + step(f"*DLOAD\nEALL, P{face}, 1.\n"))
    assert found.load.sum(axis=0) == pytest.approx(inwards[face - 1])


@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize(
    ("support", "held"),
    [
        ("1, 1, 3", [1, 1, 1]),
        ("1, 1, 6", [1, 1, 1]),
        ("1, 2", [0, 1, 0]),
        ("1, 2,", [0, 1, 0]),
        ("1, 2, , 0.", [0, 1, 0]),
        ("1, ENCASTRE", [1, 1, 1]),
        ("1, pinned", [1, 1, 1]),
        ("1, XSYMM", [1, 0, 0]),
        ("1, YSYMM", [0, 1, 0]),
        ("1, ZSYMM", [0, 0, 1]),
        ("1, XASYMM", [0, 1, 1]),
        ("1, 4, 6", [0, 0, 0]),
    ],
)
def test_supports(tmp_path: Path, support: str, held: list[int]) -> None:
    found = problem(tmp_path, CUBE + SETS + STEEL + f"*BOUNDARY\n{support}\n" + step())
    assert found.held.astype(int).tolist() == [held] + [[0] * 3] * 7


@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize("unstructured", [True, False])
def test_prescribed_displacements(tmp_path: Path, unstructured: bool) -> None:
    """A block is stretched: u = (-nu x, -nu y, z) / 10. The last value counts, and a step's comes after the model's."""
    model = block((3, 4, 5)) + STEEL
    sides = {
        "LEFT": [1 + 3 * n for n in range(20)],
        "FRONT": [1 + i + 12 * k for k in range(5) for i in range(3)],
        "BOTTOM": list(range(1, 13)),
        "TOP": list(range(49, 61)),
    }
    for name, numbers in sides.items():
        model += f"*NSET, NSET={name}\n" + "".join(f"{one},\n" for one in numbers)
    model += "*BOUNDARY\nLEFT, XSYMM\nFRONT, 2\nBOTTOM, 3\nTOP, 3, 3, 7.\n"
    found = problem(tmp_path, model + step("*BOUNDARY\nTOP, 3, 3, 5.\nTOP, 3, 3, 0.1\n"), unstructured=unstructured)
    assert isinstance(found, BoxProblem) != unstructured
    solution = found.solved(tolerance=1e-12)
    exact = found.places * [-0.03, -0.03, 0.1]
    assert solution.displacement == pytest.approx(exact, abs=1e-10)
    assert found.true_residual(solution.displacement, None).residual <= 1e-11
    solution.displacement[(1,) * (solution.displacement.ndim - 1)] += 1e-3
    assert found.true_residual(solution.displacement, None).residual > 1e-3


def test_a_step_may_replace_the_supports(tmp_path: Path) -> None:
    found = problem(tmp_path, MODEL + step("*BOUNDARY, OP=NEW\nTOP, 1, 3\n"))
    assert found.held.tolist() == [[False] * 3] * 4 + [[True] * 3] * 4


@pytest.mark.case("solvers.K6")
def test_materials_by_section(tmp_path: Path) -> None:
    model = block((2, 2, 3)) + "*NSET, NSET=BOT, GENERATE\n1, 4\n*NSET, NSET=TOP, GENERATE\n9, 12\n"
    model += "*ELSET, ELSET=UPPER\n2\n*MATERIAL, NAME=SOFT\n*ELASTIC\n7., 0.1\n" + STEEL
    found = problem(tmp_path, model + "*SOLID SECTION, ELSET=UPPER, MATERIAL=soft\n1.\n" + HELD + step())
    assert found.young.tolist() == [1000, 7]
    assert found.poisson.tolist() == [0.3, 0.1]


@pytest.mark.case("solvers.K6")
def test_the_first_step_is_solved_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    model = MODEL + "*NODE, NSET=REF\n99, 5., 5., 5.\n*ELEMENT, TYPE=MASS, ELSET=M\n9, 99\n*MASS, ELSET=M\n3.\n"
    text = model + step() + step("*CLOAD\nTOP, 1, 9.\n*CONTACT PAIR\nA, B\n", "*FREQUENCY\n3\n")
    found = problem(tmp_path, text)
    assert found.load.sum(axis=0).tolist() == [0, 0, 4]
    path = tmp_path / "deck.inp"
    line = text[: text.index("*STEP")].count("\n") + 1
    assert found.remarks == [
        f"{path}: elements that are not solids are left out: 1 of type MASS",
        f"{path}: nodes that belong to no solid are left out: 1",
        f"{path}: only the first of 2 steps is solved, that of line {line}",
    ]


@pytest.mark.case("solvers.K6")
def test_what_changes_nothing_is_read_over(tmp_path: Path) -> None:
    model = MODEL.replace("2.\n*SOLID", "2.\n*EXPANSION\n1e-5\n*CONDUCTIVITY\n50.\n*SOLID")
    model += "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0\n"
    model += "*TRANSFORM, NSET=BOT, TYPE=C\n0., 0., 0., 0., 0., 1.\n*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n"
    model += "*SURFACE INTERACTION, NAME=I\n*FRICTION\n0.1\n*RESTART, WRITE\n"
    plain, found = problem(tmp_path, MODEL + step()), problem(tmp_path, model + step())
    assert np.array_equal(found.load, plain.load)
    assert np.array_equal(found.held, plain.held)


MODEL_CARDS = [
    "*CONTACT PAIR, INTERACTION=I\nA, B\n",
    "*CONTACT\n",
    "*DISTRIBUTING\n",
    "*KINEMATIC COUPLING, REF NODE=1\nTOP, 1, 3\n",
    "*DISTRIBUTING COUPLING, ELSET=E\n1, 1.\n",
    "*INITIAL CONDITIONS, TYPE=VELOCITY\nNALL, 1, 1.\n",
    "*INITIAL CONDITIONS, TYPE=STRESS, USER\n",
    "*MODEL CHANGE, REMOVE\nEALL\n",
    "*CYCLIC SYMMETRY MODEL, N=3\n",
    "*SUBMODEL\nTOP\n",
    "*EMBEDDED ELEMENT\nA\n",
    "*IMPERFECTION, FILE=A\n",
    "*PARAMETER\nx = 1\n",
    "*NODAL THICKNESS\n1, 1.\n",
    "*FASTENER\n",
    "*SYSTEM\n1., 0., 0.\n",
    "*UNKNOWN KEYWORD\n1\n",
    "*1\n",
]


@pytest.mark.case("solvers.K2", "solvers.K6")
@pytest.mark.parametrize("card", MODEL_CARDS, ids=lambda one: one.split("\n")[0].split(",")[0])
def test_what_changes_the_model_is_refused_by_its_keyword(tmp_path: Path, card: str) -> None:
    line = MODEL.count("\n") + 1
    keyword = card.split("\n", maxsplit=1)[0].split(",", maxsplit=1)[0]
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + card + step())
    assert str(told.value).startswith(f"{tmp_path / 'deck.inp'}:{line}: {keyword} ")


MATERIALS = [
    "*PLASTIC\n1., 0.\n",
    "*HYPERELASTIC, NEO HOOKE\n1., 0.\n",
    "*USER MATERIAL, CONSTANTS=1\n1.\n",
    "*CREEP\n1., 1., 0.\n",
    "*DEPVAR\n3\n",
    "*DEFORMATION PLASTICITY\n1., 0.3, 1., 1., 1.\n",
    "*ELASTIC, TYPE=ORTHOTROPIC\n1.\n",
    "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.\n",
    "*ELASTIC, TYPE=LAMINA\n1., 1., 0.3, 1., 1., 1.\n",
    "*ELASTIC\n1., 0.3, -10.\n2., 0.3, 100.\n",
]


@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize("card", MATERIALS, ids=lambda one: one.split("\n")[0])
def test_materials_that_are_refused(tmp_path: Path, card: str) -> None:
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL.replace("*DENSITY\n2.\n", card) + step())
    keyword = card.split("\n", maxsplit=1)[0].split(",", maxsplit=1)[0]
    assert str(told.value).startswith(f"{tmp_path / 'deck.inp'}:19: {keyword} ")


@pytest.mark.case("solvers.K6", "solvers.K8")
@pytest.mark.parametrize(
    ("element", "section", "says"),
    [
        ("TYPE=S4, 5, 6, 7, 8", "*SHELL SECTION, MATERIAL=STEEL", "*SHELL SECTION gives"),
        ("TYPE=S4, 5, 6, 7, 8", "*SOLID SECTION, MATERIAL=STEEL", "*SOLID SECTION gives"),
        ("TYPE=B31, 5, 6", "*BEAM SECTION, MATERIAL=STEEL, SECTION=RECT", "*BEAM SECTION gives"),
        ("TYPE=SPRINGA, 5, 6", "*SPRING", "*ELEMENT with TYPE=SPRINGA is not supported"),
        ("TYPE=C3D8R, 1, 2, 3, 4, 5, 6, 7, 8", "", "*ELEMENT with TYPE=C3D8R is not"),
        ("TYPE=C3D8RH, 1, 2, 3, 4, 5, 6, 7, 8", "*SOLID SECTION, MATERIAL=STEEL", "a C3D8RH"),
        ("TYPE=C3D4, 1, 2, 4, 5", "", "element 9 has no *SOLID SECTION"),
        ("TYPE=C3D4, 1, 2, 4, 5", "*SOLID SECTION, MATERIAL=X", "material 'X', which is not"),
        ("TYPE=C3D4, 1, 2, 4, 5", "*MATERIAL, NAME=Y\n*SOLID SECTION, MATERIAL=Y", "has no *ELASTIC"),
    ],
)
def test_elements_that_are_refused(tmp_path: Path, element: str, section: str, says: str) -> None:
    kind, _, nodes = element.partition(", ")
    text = f"*ELEMENT, {kind}, ELSET=SH\n9, {nodes}\n" + (f"{section}, ELSET=SH\n" if section else "")
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + text + step())
    assert says in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (step(procedure="*FREQUENCY\n10\n"), "*FREQUENCY is not supported; expected a linear static step"),
        (step(procedure="*DYNAMIC\n0.1, 1.\n"), "*DYNAMIC is not supported"),
        (step(procedure="*HEAT TRANSFER\n"), "*HEAT TRANSFER is not supported"),
        (step(procedure="*STATIC, RIKS\n"), "*STATIC with 'RIKS' is not supported"),
        (step(procedure=""), "*STEP has no *STATIC"),
        (step(heading="*STEP, NLGEOM\n"), "*STEP with NLGEOM"),
        (step(heading="*STEP, NLGEOM=YES\n"), "*STEP with NLGEOM"),
        (step(heading="*STEP, CYCLIC\n"), "*STEP with 'CYCLIC'"),
        (step("*CLOAD, FOLLOWER\nTOP, 3, 1.\n"), "*CLOAD with 'FOLLOWER'"),
        (step("*CLOAD, AMPLITUDE=A\nTOP, 3, 1.\n"), "amplitude 'A', which is not defined"),
        (step("*CLOAD\nTOP, 5, 1.\n"), "solids have no direction 5 for a load"),
        (step("*CLOAD\n99, 3, 1.\n"), "node 99 is not defined"),
        (step("*DLOAD\nEALL, P, 1.\n"), "load 'P' is not supported; expected P1 to P6, P1NP to P6NP, GRAV, CENTRIF"),
        (step("*DLOAD\nEALL, CENTRIF, 1., 0., 0., 0., 0., 0., 0.\n"), "the axis has the direction (0, 0, 0)"),
        (step("*DLOAD\nEALL, CORIO, 1., 0., 0., 0., 0., 0., 1.\n"), "load 'CORIO' is not supported"),
        (step("*DLOAD\nEALL, P9, 1.\n"), "load 'P9' is not supported"),
        (step("*DLOAD\nEALL, GRAV, 1.\n"), "gravity has the direction (0, 0, 0)"),
        (step("*DSLOAD\nNONE, P, 1.\n"), "'NONE' is not a surface"),
        (step("*BOUNDARY\nTOP, 4, 4, 1.\n"), "a rotation is prescribed"),
        (step("*BOUNDARY\nTOP, 11, 11, 1.\n"), "directions 11 to 11 are not supported"),
        (step("*BOUNDARY, TYPE=VELOCITY\nTOP, 1, 1, 1.\n"), "*BOUNDARY with TYPE=VELOCITY is not"),
        (step("*BOUNDARY, FIXED\nTOP, 1, 1\n"), "*BOUNDARY with 'FIXED' is not supported"),
        (step("*TEMPERATURE\nNALL, 100.\n"), ""),
        (step("*INERTIA RELIEF\n"), "*INERTIA RELIEF is not supported and may change the model"),
        ("*CLOAD\nTOP, 3, 1.\n" + step(), "*CLOAD is before the first *STEP"),
        ("*STATIC\n", "*STATIC is outside of a step"),
    ],
)  # fmt: skip
def test_steps_that_are_refused(tmp_path: Path, text: str, says: str) -> None:
    if not says:
        assert problem(tmp_path, MODEL + text).load.any() is not None
        return
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + text)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_materials_that_expand(tmp_path: Path) -> None:
    """A block that may expand along z alone: u_z = a dT (1 + nu) / (1 - nu) z."""
    model = block((3, 3, 3)) + STEEL.replace("*DENSITY\n2.\n", "*EXPANSION\n1e-3\n")
    model += "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n*NSET, NSET=LOW, GENERATE\n1, 9\n"
    model += "*BOUNDARY\nNALL, 1, 2\nLOW, 3\n"
    found = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 120.\n"))
    expected = 1e-3 * 100 * 1.3 / 0.7 * found.places[:, 2]
    assert found.solved(tolerance=1e-12).displacement[:, 2] == pytest.approx(expected, abs=1e-9)
    assert not problem(tmp_path, model + step("*TEMPERATURE\nNALL, 20.\n")).load.any()
    uneven = problem(tmp_path, model + step("*TEMPERATURE\nNALL, 120.\n1, 30.\n"))
    assert uneven.remarks[0].endswith("temperatures vary within elements: they are interpolated as in CalculiX")
    depends = model.replace("1e-3\n*", "1e-3, 0.\n2e-3, 100.\n*")
    found = problem(tmp_path, depends + step("*TEMPERATURE\nNALL, 120.\n"))
    expected = (2e-3 * 120 - 1.2e-3 * 20) * 1.3 / 0.7 * found.places[:, 2]
    assert found.solved(tolerance=1e-12).displacement[:, 2] == pytest.approx(expected, abs=1e-9)
    assert not problem(tmp_path, depends + step("*CLOAD\nNALL, 3, 0.\n")).load.any()


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_whose_squares_overflow(tmp_path: Path) -> None:
    """Found by fuzzing: a direction of 1e300 became 0, with a warning of NumPy."""
    found = problem(tmp_path, MODEL + step("*DLOAD\nEALL, GRAV, 20., 0., 0., -1e300\n"))
    assert found.load.sum(axis=0) == pytest.approx([0, 0, -40])
    far = MODEL.replace("1.,", "1e200,").replace(" 1.\n", " 1e200\n")
    assert problem(tmp_path, far + step(), unstructured=False).nodes_count == 8
    with pytest.raises(Misuse, match="the sum of the loads is too large; expected forces below 1e308"):
        problem(tmp_path, MODEL + step("*CLOAD\nTOP, 3, 1e308\nTOP, 3, 1e308\n"))


def test_gravity_needs_a_density(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"the load needs a density, but the material of .*:16 has no \*DENSITY"):
        problem(tmp_path, MODEL.replace("*DENSITY\n2.\n", "") + step("*DLOAD\nEALL, GRAV, 1., 0., 0., 1.\n"))


def test_inverted_elements_are_refused(tmp_path: Path) -> None:
    inverted = MODEL.replace("1, 1,2,3,4,5,6,7,8", "1, 5,6,7,8,1,2,3,4")
    with pytest.raises(Misuse, match="its hexahedra are all inverted; expected nodes in Abaqus's order"):
        problem(tmp_path, inverted + step())


@pytest.mark.parametrize(
    "option", ["--clamp=x-min", "--symmetry=x-min", "--traction=x-max=1,0,0", "--young=2", "--poisson=0.1"]
)
def test_options_do_not_mix_with_a_step(tmp_path: Path, option: str) -> None:
    from rooftop.solvers.elasticity.request import Request

    path = tmp_path / "deck.inp"
    path.write_text(MODEL + step(PULLED), encoding="utf-8")
    name, _, value = option.partition("=")
    given: dict[str, Any] = {"--clamp": [], "--symmetry": [], "--traction": [], "--young": None, "--poisson": None}
    given[name] = value if given[name] is None else [value]
    clamps, symmetries, tractions, young, poisson = given.values()
    request = Request.read(path, clamps, symmetries, tractions, young, poisson, None, 0.0, 1, True)
    with pytest.raises(
        Misuse, match=f"{name} is for meshes, but .* has a \\*STEP that defines supports, loads and materials"
    ):
        request.problem()
