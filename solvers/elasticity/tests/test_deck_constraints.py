"""What ties displacements of a deck to others: its equations, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from deck_text import CUBE, HELD, MODEL, PULLED, SETS, STEEL, block, step

from rooftop.errors import Misuse
from rooftop.solvers.elasticity import Constraints
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step
from rooftop.solvers.elasticity.mesh.problem import MeshProblem

ROOM = 1 << 34  # bytes
MORE = "*NODE\n20, 5., 6., 7.\n"


def problem(folder: Path, text: str) -> MeshProblem:
    path = folder / "deck.inp"
    path.write_text(text, encoding="utf-8")
    found = problem_of_step(read_deck(path), ROOM, unstructured=True)
    assert isinstance(found, MeshProblem)
    return found


def rows(found: MeshProblem) -> list[tuple[dict[int, float], float]]:
    assert isinstance(found.constraints, Constraints)
    return list(zip(found.constraints.rows, found.constraints.values, strict=True))


def test_equations_are_read(tmp_path: Path) -> None:
    more = "*EQUATION\n2,\n5, 1, 1., 6, 1, -1.\n5\n6, 2, 2., 5, 3, 1., 7, 1, .5, 8, 1, 1.d0\n7, 2, 3.\n"
    found = problem(tmp_path, MODEL + more + step())
    assert rows(found) == [({12: 1, 15: -1}, 0), ({16: 2, 14: 1, 18: 0.5, 21: 1, 19: 3}, 0)]
    solution = found.solved(tolerance=1e-12)
    moved = solution.displacement.ravel()
    assert abs(2 * moved[16] + moved[14] + 0.5 * moved[18] + moved[21] + 3 * moved[19]) < 1e-12
    assert moved[12] == moved[15]
    assert found.unknowns == 10
    assert found.broken(solution.displacement) is None
    plain = problem(tmp_path, MODEL + step())
    assert found.bytes_per_node("multigrid") > plain.bytes_per_node("multigrid") + 300
    assert found.true_residual(solution.displacement, None).residual < 1e-11
    off = solution.displacement.copy()
    off[4, 0] *= 1.001
    assert "a constraint is violated" in str(found.broken(off))


@pytest.mark.case("solvers.K10")
def test_a_set_stands_for_an_equation_for_each_node(tmp_path: Path) -> None:
    found = problem(tmp_path, MODEL + MORE + "*EQUATION\n2\nTOP, 3, 1., 20, 1, -2.\n" + step())
    assert rows(found) == [({3 * node + 2: 1, 24: -2}, 0) for node in range(4, 8)]
    assert found.others == 1
    assert found.held[8].tolist() == [False, True, True]
    assert found.by_node(found.places).shape == (8, 3)
    assert found.size == "8 nodes of 1 hexahedra"
    assert found.remarks == []  # the equation needs node 20


def test_nodes_that_no_solid_has_are_moved_and_loaded(tmp_path: Path) -> None:
    equation = "*EQUATION\n2\nTOP, 3, 1., 20, 1, -2.\n"
    pulled = problem(tmp_path, MODEL + MORE + equation + step("*CLOAD\n20, 1, 8.\n")).solved(tolerance=1e-12)
    directly = problem(tmp_path, MODEL + MORE + equation + step()).solved(tolerance=1e-12)
    assert pulled.displacement == pytest.approx(directly.displacement, abs=1e-12)
    value = float(pulled.displacement[8, 0])
    moved = problem(tmp_path, MODEL + MORE + equation + step(f"*BOUNDARY\n20, 1, 1, {value!r}\n"))
    solution = moved.solved(tolerance=1e-12)
    assert solution.displacement == pytest.approx(pulled.displacement, abs=1e-12)
    assert moved.true_residual(solution.displacement, None).residual < 1e-11
    with pytest.raises(Misuse, match="node 20 is loaded, but belongs to no solid"):
        problem(tmp_path, MODEL + MORE + equation + step("*CLOAD\n20, 2, 8.\n"))


def test_directions_that_are_turned(tmp_path: Path) -> None:
    """A cube that slides along 45 degrees: as it does along an axis, turned."""
    turned = "*TRANSFORM, NSET=TOP\n1., 1., 0., -1., 1., 0.\n"
    found = problem(tmp_path, MODEL + turned + step("*BOUNDARY\nTOP, 2, 2, .1\n*CLOAD\n5, 1, 2.\n"))
    assert found.load[4] == pytest.approx([2**0.5, 2**0.5, 0])
    moved = found.solved(tolerance=1e-12).displacement[4:]
    assert (moved[:, 1] - moved[:, 0]) / 2**0.5 == pytest.approx([0.1] * 4)
    whole = problem(
        tmp_path, CUBE + SETS + STEEL + turned + HELD + step("*BOUNDARY\nTOP, 1, 1, .1\nTOP, 2, 3\n*CLOAD\n")
    )
    assert whole.constraints is None
    assert whole.prescribed is not None
    assert whole.prescribed[4:] == pytest.approx(np.array([[0.5**0.5 / 10, 0.5**0.5 / 10, 0]] * 4))


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("*EQUATION\n2\n5, 1, 0., 6, 1, -1.\n", "25: the factor of the equation's first term is 0; expected another"),
        ("*EQUATION\n2\n1, 1, 1., 6, 1, -1.\n", "first term is direction 1 of node 1, which *BOUNDARY holds"),
        (
            "*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n2\n5, 1, 1., 7, 1, -1.\n",
            "first term is direction 1 of node 5, as in the",
        ),
        ("*EQUATION\n2\n99, 1, 1., 6, 1, -1.\n", "node 99 is not defined"),
        ("*EQUATION\n2\n5, 4, 1., 6, 1, -1.\n", "direction 4 does not exist for solids; expected 1 to 3"),
        ("*EQUATION\n2\n5, 1, 1., TOP, 1, -1.\n", "TOP has 4 nodes; expected one after the first term"),
        ("*EQUATION\n2\n5, 1, 1., 6, 1\n", "5 fields; expected node, direction and factor for each of 2 terms"),
        ("*EQUATION\n2\n5, 1, 1.\n", "the equation has 1 terms; expected 2"),
        ("*EQUATION\n0\n", "expected one whole number, 1 or more"),
        ("*EQUATION, REMOVE\n5, 1\n", "*EQUATION with 'REMOVE' is not supported"),
        ("*EQUATION\n1\n5, 1, 1.\n2\n6, 1, 1., 5, 1, nan\n", "'nan' is not a finite number; expected a factor"),
        ("*TIE, NAME=T\nNONE, TOP\n", "'NONE' is not a surface; expected a surface of the deck: none"),
        ("*TIE, NAME=T, CYCLIC SYMMETRY\nA, B\n", "*TIE with 'CYCLICSYMMETRY' is not supported"),
        ("*TIE, NAME=T, ADJUST=SOME\nA, B\n", "*TIE with ADJUST=SOME is not supported; expected YES or NO"),
        ("*MPC\nBEAM, 5, 6\n", "*MPC of type 'BEAM' is not supported; expected MEANROT"),
        ("*MPC\n5, 6\n", "'5' is not a type of *MPC; expected MEANROT"),
        ("*MPC\nMEANROT, 5, 6, 7\n", "MEANROT has 3 nodes; expected two or more, each three times, and one for"),
        ("*MPC\nMEANROT, 5,5,5,6,6,6,1\n", "node 1 is at the origin; expected the direction of the axis"),
        ("*MPC\nMEANROT, 1,1,1,5,5,5,5\n", "all nodes of MEANROT lie on its axis; expected nodes off the axis"),
        ("*RIGID BODY, REF NODE=5\n", "has both NSET= and ELSET=, or neither; expected one of them"),
        ("*RIGID BODY, NSET=TOP, REF NODE=TOP\n", "with REFNODE=TOP names 4 nodes; expected one"),
        ("*RIGID BODY, NSET=TOP, ANALYTICAL SURFACE=A\n", "*RIGID BODY with 'ANALYTICALSURFACE=A' is not supported"),
        ("*PRE-TENSION SECTION, SURFACE=S, NODE=5\n", "'S' is not a surface; expected a surface of the deck: none"),
        ("*PRE-TENSION SECTION, ELEMENT=1, NODE=5\n", "*PRE-TENSION SECTION with 'ELEMENT=1' is not supported"),
        ("*TRANSFORM, NSET=TOP, TYPE=S\n0., 0., 0., 0., 0., 1.\n", "*TRANSFORM with TYPE=S is not supported"),
        (
            "*TRANSFORM, NSET=TOP, TYPE=C\n0., 0., 1., 0., 0., 1.\n",
            "the points do not define directions; expected two points",
        ),
        (
            "*TRANSFORM, NSET=TOP\n1., 0., 1., 2., 0., 2.\n",
            "the points do not define directions; expected two points that",
        ),
        ("*TRANSFORM, NSET=TOP, TYPE=C\n0., 0., 0., 0., 0., 1.\n", "has node 5 on its axis, where no direction is"),
        ("*TRANSFORM\n1., 0., 1., 2., 0., 2.\n", "*TRANSFORM has no NSET="),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, cards: str, says: str) -> None:
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + cards + step())
    assert says in str(told.value)
    assert str(tmp_path / "deck.inp") in str(told.value)


def test_equations_that_contradict_are_refused(tmp_path: Path) -> None:
    cards = "*EQUATION\n2\n5, 1, 1., 1, 1, -1.\n2\n6, 1, 1., 5, 1, -1.\n2\n7, 1, 2., 6, 1, -1.\n"
    assert len(problem(tmp_path, MODEL + cards + step()).solved().displacement) == 8
    cards += "*TRANSFORM, NSET=MORE\n1., 0., 0., 0., 1., 0.\n*NSET, NSET=MORE\n8\n"
    cards += "*EQUATION\n2\n8, 1, 1., 5, 1, -1.\n"
    with pytest.raises(Misuse, match=r"direction 1 of node 8, which \*BOUNDARY holds"):
        problem(tmp_path, MODEL + cards + step("*BOUNDARY\n8, 1, 1, .5\n"))


@pytest.mark.parametrize(
    "card", ["*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n", "*TRANSFORM, NSET=TOP\n1., 1., 0., 0., 1., 0.\n"]
)
def test_a_part_has_none(tmp_path: Path, card: str) -> None:
    part = f"*PART, NAME=P\n{CUBE}{SETS}{card}*END PART\n"
    with pytest.raises(Misuse, match=r"in a \*PART is not supported; expected it in the \*ASSEMBLY"):
        problem(tmp_path, part)


def test_equations_in_an_assembly(tmp_path: Path) -> None:
    text = f"*PART, NAME=P\n{CUBE}{SETS}*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*END PART\n"
    text += "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
    text += "*EQUATION\n2\nI.5, 1, 1., I.6, 1, -1.\n*END ASSEMBLY\n"
    text += "*MATERIAL, NAME=STEEL\n*ELASTIC\n1000., .3\n*BOUNDARY\nI.BOT, 1, 3\n"
    assert rows(
        problem(
            tmp_path,
            text
            + step(
                "*CLOAD\nI.TOP, 3, 1.\n",
            ),
        )
    ) == [({12: 1, 15: -1}, 0)]


@pytest.mark.parametrize(
    "card", ["*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n", "*TRANSFORM, NSET=BOT\n1., 1., 0., 0., 1., 0.\n"]
)
def test_a_deck_without_a_step_has_none(tmp_path: Path, card: str) -> None:
    from rooftop.solvers.elasticity.deck.problem import contents_of_deck

    path = tmp_path / "deck.inp"
    path.write_text(MODEL.replace("BOT, 1, 3", "BOT, 1, 2") + card, encoding="utf-8")
    with pytest.raises(Misuse, match="without a \\*STEP, which is not supported; expected a \\*STEP"):
        contents_of_deck(read_deck(path))


def test_ranks_share_no_constraints(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from rooftop.cli.app import main

    path = tmp_path / "deck.inp"
    path.write_text(MODEL + "*EQUATION\n2\n5, 1, 1., 6, 1, -1.\n" + step(PULLED), encoding="utf-8")
    assert main(["solve", "elasticity", str(path)]) == 0
    assert main(["solve", "elasticity", str(path), "--ranks", "2"]) == 2
    assert "the deck has constraints between displacements; expected no --ranks" in capfd.readouterr().err


def two(height: float = 1.0) -> str:
    """Return a cube, and a block above it at a height, of which a column of nodes is beside the cube."""
    return block((2, 2, 2)) + block((3, 3, 2), lengths=(1.1, 1.0, 1.0), corner=(-0.3, 0.0, height), after=100)


TIED = "*SURFACE, NAME=ON\n1, S2\n*ELSET, ELSET=UNDER, GENERATE\n101, 104\n*SURFACE, NAME=BY\nUNDER, S1\n"
TIED += "*NSET, NSET=BOT, GENERATE\n1, 4\n*NSET, NSET=TOP, GENERATE\n110, 118\n"


def test_nodes_that_no_face_is_opposite_stay_free_and_are_told(tmp_path: Path) -> None:
    found = problem(tmp_path, two() + TIED + STEEL + HELD + "*TIE, NAME=T\nBY, ON\n" + step())
    assert len(rows(found)) == 18  # of six nodes
    [told] = [remark for remark in found.remarks if "tied" in remark]
    line = (two() + TIED + STEEL + HELD).count("\n") + 1
    assert told == (
        f"{tmp_path / 'deck.inp'}:{line}: 3 nodes of 9, such as 101, not tied: no face of the second surface is "
        "within 0.00711"
    )
    solution = found.solved(tolerance=1e-12)
    assert found.broken(solution.displacement) is None
    under = solution.displacement[8 + 1]
    assert under == pytest.approx(0.75 * solution.displacement[4] + 0.25 * solution.displacement[5], abs=1e-12)


def test_a_tie_of_nothing_is_refused(tmp_path: Path) -> None:
    text = two(1.5) + TIED + STEEL + HELD + "*TIE, NAME=T\nBY, ON\n"
    with pytest.raises(Misuse, match=r"ties nothing: none of its 9 nodes is within 0.00711 of the second surface"):
        problem(tmp_path, text + step())


def test_a_node_is_moved_onto_the_surface_that_it_is_tied_to(tmp_path: Path) -> None:
    tie = "*TIE, NAME=T, POSITION TOLERANCE=1."
    moved = problem(tmp_path, two(1.5) + TIED + STEEL + HELD + f"{tie}\nBY, ON\n" + step())
    assert moved.places[8 + 1] == pytest.approx([0.25, 0, 1])
    stays = problem(tmp_path, two(1.5) + TIED + STEEL + HELD + f"{tie}, ADJUST=NO\nBY, ON\n" + step())
    assert stays.places[8 + 1] == pytest.approx([0.25, 0, 1.5])


def test_a_body_that_hangs_by_too_little_is_free_to_move(tmp_path: Path) -> None:
    text = two() + TIED + STEEL + HELD + "*EQUATION\n2\n102, 3, 1., 5, 3, -1.\n" + step()
    with pytest.raises(Misuse, match=r"node 8 is free to move in 5 ways, with what depends on it; expected"):
        problem(tmp_path, text).solved()


def test_what_a_rotation_determines(tmp_path: Path) -> None:
    """A cube's upper side that turns about z as a rigid body: u = rotation x (x - reference)."""
    more = "*NODE\n20, .5, .5, 1.\n21, 0., 0., 0.\n*RIGID BODY, NSET=TOP, REF NODE=20, ROT NODE=21\n"
    found = problem(tmp_path, MODEL + more + step("*BOUNDARY\n20, 1, 3\n21, 1, 2\n21, 3, 3, .01\n"))
    assert found.remarks == []
    moved = found.solved(tolerance=1e-12).displacement[4:8]
    assert moved == pytest.approx(np.array([[0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0]]) * 0.01)


CUT = "*PRE-TENSION SECTION, SURFACE=S, NODE=20\n"


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (
            "*ELSET, ELSET=NONE\n*SURFACE, NAME=S\nNONE, S1\n" + CUT,
            "has surface S, which has no faces; expected faces of",
        ),
        ("*SURFACE, NAME=S\n1, S1\n1, S2\n" + CUT, "has faces whose normals cancel; expected a data line with"),
        ("*ELSET, ELSET=NONE\n*SURFACE, NAME=S\nNONE, S1\n*TIE, NAME=T\nS, S\n", ""),
    ],
)
def test_surfaces_of_nothing(tmp_path: Path, cards: str, says: str) -> None:
    if not says:
        assert problem(tmp_path, MODEL + MORE + cards + step()).constraints is None
        return
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + MORE + cards + step())
    assert says in str(told.value)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_whose_squares_overflow(tmp_path: Path) -> None:
    """Found by fuzzing."""
    far = two().replace("\n102, 0.25000000000000006", "\n102, 1e200").replace("\n6, 1.0", "\n6, 1e200")
    with pytest.raises(Misuse, match="is degenerate"):
        problem(tmp_path, far + TIED + STEEL + HELD + "*TIE, NAME=T\nBY, ON\n" + step("*CLOAD\n110, 1, 1.\n"))
    turned = "*TRANSFORM, NSET=TOP, TYPE=C\n-1e200, -3., 0., -1e200, -3., 1e200\n"
    turned += "*TRANSFORM, NSET=BOT\n1e200, 1., 0., 0., 1e-200, 0.\n"
    found = problem(tmp_path, MODEL + turned + step("*BOUNDARY\nTOP, 2\n"))
    assert found.solved(tolerance=1e-10).outcome == "converged"
    mean = "*NODE\n20, 1e200, 1e200, 0.\n*MPC\nMEANROT, 5,5,5,6,6,6,7,7,7,20\n"
    assert len(rows(problem(tmp_path, MODEL + mean + step()))) == 1


COUPLING = (
    "*NODE\n20, .5, .5, 1.\n*SURFACE, NAME=S, TYPE=NODE\nTOP\n*COUPLING, REF NODE=20, SURFACE=S, CONSTRAINT NAME=C\n"
)


def test_a_coupling_turns_with_its_node(tmp_path: Path) -> None:
    expected = np.array([[0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0]]) * 0.01
    for directions in ("", "1, 6\n", "1, 3\n", "1\n2, 3\n"):
        turned = "*BOUNDARY\n20, 1, 5\n20, 6, 6, .01\n"
        found = problem(tmp_path, MODEL + COUPLING + f"*KINEMATIC\n{directions}" + step(turned))
        assert found.solved(tolerance=1e-12).displacement[4:8] == pytest.approx(expected)
        assert found.others == 2
    held = problem(tmp_path, MODEL + COUPLING + "*KINEMATIC\n" + step("*BOUNDARY\n20, ENCASTRE\n*CLOAD\n7, 1, 1.\n"))
    assert not held.solved().displacement.any()


def test_a_moment_turns_what_is_coupled(tmp_path: Path) -> None:
    """As two forces do that are a couple."""
    model = MODEL + COUPLING + "*KINEMATIC\n1, 3\n"
    moment = problem(tmp_path, model + step("*CLOAD\n20, 6, 2.\n")).solved(tolerance=1e-12)
    forces = problem(tmp_path, model + step("*CLOAD\n5, 2, -2.\n6, 2, 2.\n")).solved(tolerance=1e-12)
    assert moment.displacement == pytest.approx(forces.displacement, abs=1e-12)


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (COUPLING, "*COUPLING is not followed by *KINEMATIC; expected it, because no other coupling is"),
        ("*KINEMATIC\n1, 3\n", "*KINEMATIC does not follow *COUPLING; expected *COUPLING before"),
        (COUPLING + "*KINEMATIC\n0, 3\n", "directions 0 to 3 are not supported; expected 1 to 6"),
        (COUPLING.replace("NODE=20", "NODE=TOP") + "*KINEMATIC\n", "with REF NODE=TOP names 4 nodes; expected one"),
        (COUPLING.replace("C\n", "C, ORIENTATION=O\n") + "*KINEMATIC\n", "*COUPLING with 'ORIENTATION=O' is not"),
        (COUPLING + "*KINEMATIC\n*NSET, NSET=R\n20\n*TRANSFORM, NSET=R\n0., 1., 0., -1., 0., 0.\n", "has a REF NODE"),
        (COUPLING + "*KINEMATIC\n*TRANSFORM, NSET=TOP\n0., 1., 0., -1., 0., 0.\n", "has nodes with a *TRANSFORM"),
    ],
)
def test_couplings_that_are_refused(tmp_path: Path, cards: str, says: str) -> None:
    with pytest.raises(Misuse) as told:
        problem(tmp_path, MODEL + cards + step())
    assert says in str(told.value)
