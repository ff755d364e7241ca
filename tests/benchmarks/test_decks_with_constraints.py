"""Constraints of decks against CalculiX: equations, and directions that are turned."""

from __future__ import annotations

import shutil
from pathlib import Path

import part_meshes
import pytest
from corpus_steps import Input
from deck_text import STEEL, block, step

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
