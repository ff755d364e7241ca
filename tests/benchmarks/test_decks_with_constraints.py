"""Constraints of decks against CalculiX: each kind, in several forms."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from deck_text import STEEL, block, step

from benchmarks.corpora import part_meshes
from benchmarks.corpora.corpus_steps import Input

pytestmark = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX is not installed: calculix-ccx")
SETS = "*NSET, NSET=LOW, GENERATE\n1, 12\n*NSET, NSET=HIGH, GENERATE\n37, 48\n*ELSET, ELSET=UPPER, GENERATE\n7, 18\n"
MORE_NODES = "*NODE\n1001, 5., 6., 7.\n1002, 0., 0., 0.\n"
HELD = "*BOUNDARY\nLOW, 1, 3\n"
PULLED = "*CLOAD\nHIGH, 1, 1.\n48, 2, .5\n"


def held_against_calculix(folder: Path, text: str) -> None:
    path = folder / "deck.inp"
    path.write_text(text, encoding="utf-8")
    scratch = folder / "scratch"
    scratch.mkdir()
    [one] = part_meshes.steps(Input("deck", path), scratch)
    assert one.task == part_meshes.LINEAR
    one.run()


@pytest.mark.parametrize("kind", ["C3D8", "C3D8I"])
@pytest.mark.parametrize(
    ("model", "loads"),
    [
        (HELD + "*EQUATION\n2\n48, 1, 1., 37, 1, -1.\n3\n47, 3, 2., 46, 3, -1., 45, 1, .5\n", PULLED),
        (HELD + "*EQUATION\n5\n48, 1, 1., 37, 1, -1., 38, 2, .5\n39, 3, -2., 40, 1, -.25\n", PULLED),
        (HELD + "*EQUATION\n2\n48, 1, 1., 1001, 1, -1.\n", PULLED + "*BOUNDARY\n1001, 1, 1, .01\n"),
        (HELD + "*EQUATION\n2\n48, 1, 1., 47, 1, -1.\n2\n47, 1, 1., 46, 1, -2.\n", PULLED),
        (
            HELD + "*EQUATION\n3\n48, 1, 1., 1001, 1, -1., 1002, 3, 2.\n",
            PULLED + "*BOUNDARY\n1001, 1, 1, .01\n1002, 3, 3, .003\n",
        ),
    ],
    ids=["two", "lines that go on", "prescribed", "chain", "two prescribed"],
)  # fmt: skip
def test_equations(tmp_path: Path, kind: str, model: str, loads: str) -> None:
    mesh = block((3, 4, 4), kind, lengths=(1, 1.5, 3)) + MORE_NODES + SETS + STEEL
    held_against_calculix(tmp_path, mesh + model + step(loads))


@pytest.mark.parametrize(
    "transform",
    [
        "*TRANSFORM, NSET=HIGH\n0., 1., 0., -1., 0., 0.\n",
        "*TRANSFORM, NSET=HIGH, TYPE=R\n1., 2., 3., -1., 1., .5\n",
        "*TRANSFORM, NSET=HIGH, TYPE=C\n-1., -2., 0., -1., -2., 1.\n",
        "*TRANSFORM, NSET=HIGH, TYPE=C\n3., 2., 1., -1., -2., 1.5\n",
    ],
    ids=["turned", "rectangular", "cylindrical", "cylindrical across"],
)
@pytest.mark.parametrize(
    ("model", "loads"),
    [
        (HELD, "*CLOAD\nHIGH, 1, 1.\nHIGH, 3, -2.\n"),
        (HELD + "*BOUNDARY\nHIGH, 2, 2\n", PULLED),
        (HELD, "*BOUNDARY\nHIGH, 1, 2, .02\n"),
        (HELD, "*BOUNDARY\nHIGH, 1, 1, .02\nHIGH, 2, 2, .01\n37, 3, 3, .01\n"),
        (HELD + "*EQUATION\n3\n48, 1, 1., 37, 2, -1., 20, 3, .5\n", PULLED),
        (HELD + "*EQUATION\n2\n48, 2, 1., 1001, 1, -1.\n*BOUNDARY\nHIGH, 3, 3\n", "*BOUNDARY\n1001, 1, 1, .01\n"),
    ],
    ids=["forces", "held", "prescribed", "all prescribed", "equation", "equation and held"],
)
def test_turned_directions(tmp_path: Path, transform: str, model: str, loads: str) -> None:
    mesh = block((3, 4, 4), lengths=(1, 1.5, 3)) + MORE_NODES + SETS + STEEL
    held_against_calculix(tmp_path, mesh + transform + model + step(loads))


# A coarse block on the floor, and a fine one on top of it or above it.
COARSE = block((3, 3, 3), lengths=(2, 2, 1))
GROUND = "*NSET, NSET=LOW, GENERATE\n1, 9\n" + HELD
FACES = (
    "*ELSET, ELSET=TOP, GENERATE\n5, 8\n*ELSET, ELSET=UNDER, GENERATE\n101, 109\n*NSET, NSET=FOOT, GENERATE\n101, 116\n"
)
SURFACES = (
    FACES + "*SURFACE, NAME=MASTER\nTOP, S2\n*SURFACE, NAME=SLAVE\nUNDER, S1\n*SURFACE, NAME=NODES, TYPE=NODE\nFOOT\n"
)
ABOVE = "*NSET, NSET=HEAD, GENERATE\n133, 148\n"


@pytest.mark.parametrize("kind", ["C3D8", "C3D8I"])
@pytest.mark.parametrize("slave", ["SLAVE", "NODES"])
@pytest.mark.parametrize(
    ("corner", "tie", "more"),
    [
        ((0.1, 0.15, 1.0), "*TIE, NAME=T", ""),
        ((0.1, 0.15, 1.001), "*TIE, NAME=T", ""),
        ((0.1, 0.15, 1.1), "*TIE, NAME=T, POSITION TOLERANCE=.2", ""),
        ((0.1, 0.15, 1.1), "*TIE, NAME=T, POSITION TOLERANCE=.2, ADJUST=NO", ""),
        ((-0.5, 0.15, 1.0), "*TIE, NAME=T", ""),
        ((0.1, 0.15, 0.98), "*TIE, NAME=T, POSITION TOLERANCE=.1", "*BOUNDARY\n101, 2, 2\n"),
        ((0.1, 0.15, 1.0), "*TIE, NAME=T", "*TRANSFORM, NSET=FOOT, TYPE=C\n-1., -1., 0., -1., -1., 1.\n"),
    ],
    ids=["touching", "near", "adjusted", "not adjusted", "half beside", "held", "turned"],
)  # fmt: skip
def test_ties(tmp_path: Path, kind: str, slave: str, corner: tuple[float, float, float], tie: str, more: str) -> None:
    fine = block((4, 4, 3), kind, (1.5, 1.4, 1.0), corner, 100)
    tied = SURFACES + GROUND + ABOVE + more + f"{tie}\n{slave}, MASTER\n"
    held_against_calculix(tmp_path, COARSE + fine + STEEL + tied + step("*CLOAD\nHEAD, 1, .1\nHEAD, 3, -.2\n"))


RIGID = "*RIGID BODY, NSET=HIGH, REF NODE=1001, ROT NODE=1002\n"
SOLID = block((3, 4, 4), lengths=(1, 1.5, 3)) + MORE_NODES + SETS + STEEL + HELD


@pytest.mark.parametrize(
    ("model", "loads"),
    [
        (RIGID, "*CLOAD\n1001, 1, 1.\n1002, 2, .5\n"),
        (RIGID, "*BOUNDARY\n1001, 1, 3, .01\n1002, 3, 3, .02\n"),
        (RIGID + "*BOUNDARY\n1002, 1, 3\n", "*CLOAD\n1001, 3, 1.\n46, 1, .5\n"),
        ("*RIGID BODY, ELSET=UPPER, REF NODE=48\n", "*CLOAD\n48, 2, 1.\n"),
        ("*RIGID BODY, NSET=HIGH, ROT NODE=1002, REF NODE=1001\n*EQUATION\n2\n1001, 1, 1., 1001, 2, -1.\n", PULLED),
        ("*MPC\nMEANROT, 37,37,37,39,39,39,46,46,46,48,48,48,1001\n", "*BOUNDARY\n1001, 1, 1, .01\n"),
        ("*MPC\nMEANROT, 37,37,37,39,39,39,46,46,46\n0,48,48,48,1001\n", "*CLOAD\n1001, 1, 2.\n"),
    ],
    ids=["rigid", "rigid, prescribed", "rigid, held", "elements", "rigid and equation", "mean rotation", "moment"],
)  # fmt: skip
def test_rigid_bodies_and_multi_point_constraints(tmp_path: Path, model: str, loads: str) -> None:
    held_against_calculix(tmp_path, SOLID + model + step(loads))


@pytest.mark.parametrize("normal", ["", "0., 0., 1.\n", "0., .2, 1.\n"])
@pytest.mark.parametrize("loads", ["*CLOAD\n1001, 1, 3.\n", "*BOUNDARY\n1001, 1, 1, -.01\n"])
def test_pretension(tmp_path: Path, normal: str, loads: str) -> None:
    section = "*ELSET, ELSET=CUT, GENERATE\n7, 12\n*SURFACE, NAME=S\nCUT, S2\n*BOUNDARY\nHIGH, 1, 3\n"
    section += f"*PRE-TENSION SECTION, SURFACE=S, NODE=1001\n{normal}"
    held_against_calculix(tmp_path, SOLID + section + step(loads))


COUPLED = "*SURFACE, NAME=TOP\nLAST, S2\n*SURFACE, NAME=NODES, TYPE=NODE\nHIGH\n*ELSET, ELSET=LAST, GENERATE\n13, 18\n"


@pytest.mark.parametrize("surface", ["TOP", "NODES"])
@pytest.mark.parametrize(
    ("kinematic", "loads"),
    [
        ("*KINEMATIC\n1, 3\n", "*CLOAD\n1001, 1, 1.\n1001, 5, .5\n"),
        ("*KINEMATIC\n1, 3\n", "*BOUNDARY\n1001, 1, 3, .01\n1001, 6, 6, .02\n"),
        ("*KINEMATIC\n1, 3\n", "*BOUNDARY\n1001, 4, 6\n*CLOAD\n1001, 3, 2.\n"),
        ("*KINEMATIC\n1, 1\n3\n", "*CLOAD\n1001, 1, 1.\n1001, 3, -2.\n*BOUNDARY\n1001, 2, 2\n1001, 4, 6\n"),
    ],
    ids=["all", "prescribed", "held", "some"],
)
def test_kinematic_couplings(tmp_path: Path, surface: str, kinematic: str, loads: str) -> None:
    coupling = f"*COUPLING, REF NODE=1001, SURFACE={surface}, CONSTRAINT NAME=C\n{kinematic}"
    held_against_calculix(tmp_path, SOLID + COUPLED + coupling + step(loads))
