"""The part of the corpora with meshes and decks: what decks are, and what they are held against."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from deck_text import MODEL, STEEL, block, step

from benchmarks.corpora import part_meshes
from benchmarks.corpora.corpus_steps import Input, LeftOut, Refused, Wrong
from benchmarks.corpora.mesh_deck_kinds import kind_of_deck
from benchmarks.corpora.mesh_references import deck_of, printed_deck, require_near

NEEDS_CCX = pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX is not installed: calculix-ccx")
SETS = "*NSET, NSET=LOW, GENERATE\n1, 12\n*NSET, NSET=HIGH, GENERATE\n37, 48\n*ELSET, ELSET=UPPER, GENERATE\n7, 18\n"
BLOCK = block((3, 4, 4), lengths=(1, 1.5, 3)) + SETS + STEEL
FACE = "*SURFACE, NAME=FACE\nUPPER, S4\n"
SOFT = "*MATERIAL, NAME=SOFT\n*ELASTIC\n50., 0.45\n*DENSITY\n3.\n*SOLID SECTION, ELSET=UPPER, MATERIAL=SOFT\n"
HELD = "*BOUNDARY\nLOW, 1, 3\n"


@NEEDS_CCX
@pytest.mark.case("solvers.K6")
@pytest.mark.parametrize(
    ("model", "loads"),
    [
        (HELD, "*CLOAD\nHIGH, 1, 1.\nHIGH, 3, -2.\n48, 2, .5\n"),
        (HELD, "*DLOAD\nEALL, P4, 3.\nUPPER, P5, 1.\n"),
        (HELD + FACE, "*DSLOAD\nFACE, P, 3.\n"),
        (HELD + SOFT, "*DLOAD\nEALL, GRAV, 9.81, 0., 1., -2.\n"),
        (HELD + SOFT, "*DLOAD\nUPPER, CENTRIF, 4., .2, .3, 0., 1., 2., 3.\n"),
        ("*BOUNDARY\nLOW, 1, 2\nLOW, 3, 3\n", "*BOUNDARY\nHIGH, 3, 3, 0.2\nHIGH, 1, 1, -0.1\n"),
        (HELD + "*BOUNDARY\nHIGH, 1, 1, 0.1\n", "*DLOAD\nEALL, P3, 1.\n"),
    ],
    ids=["forces", "pressures", "surface", "gravity", "turning", "prescribed", "prescribed by the model"],
)
def test_decks_are_solved_as_calculix_solves_them(tmp_path: Path, model: str, loads: str) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(BLOCK + model + step(loads), encoding="utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    [one] = part_meshes.steps(Input("deck", path), scratch)
    assert one.task == part_meshes.LINEAR
    one.run()


@NEEDS_CCX
def test_a_wrong_displacement_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(BLOCK + HELD + step("*CLOAD\nHIGH, 1, 1.\n"), encoding="utf-8")
    monkeypatch.setattr(part_meshes, "by_calculix", lambda *_: np.zeros((48, 3)))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    [one] = part_meshes.steps(Input("deck", path), scratch)
    with pytest.raises(Wrong, match="differ from those of CalculiX by 1 of the largest"):
        one.run()


def test_what_is_refused_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(MODEL + "*CONTACT PAIR, INTERACTION=I\nA, B\n" + step(), encoding="utf-8")
    [one] = part_meshes.steps(Input("deck", path), tmp_path)
    with pytest.raises(Refused, match=r"\*CONTACT PAIR") as told:
        one.run()
    assert part_meshes.reason_group(str(told.value)).startswith("*CONTACT PAIR")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (MODEL + step(), ""),
        (MODEL, None),
        (MODEL + step(procedure="*FREQUENCY\n3\n"), "*FREQUENCY"),
        (MODEL + step(heading="*STEP, NLGEOM\n"), "NLGEOM"),
        (MODEL + "*PLASTIC\n1., 0.\n" + step(), "*PLASTIC"),
        (MODEL + "*ELEMENT, TYPE=S4\n9, 5, 6, 7, 8\n" + step(), "elements S4"),
    ],
)
def test_kinds_of_decks(tmp_path: Path, text: str, kind: str | None) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(text, encoding="utf-8")
    assert kind_of_deck(path) == kind


def test_a_mesh_as_a_deck_is_read_back(tmp_path: Path) -> None:
    from rooftop.solvers.elasticity.deck.reading import read_deck
    from rooftop.solvers.elasticity.files.mesh_file import problem_of_step

    places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 / 3]], dtype=np.float64)
    load, held = np.zeros((4, 3)), np.zeros((4, 3), dtype=np.bool_)
    load[3], held[:3] = (1, 2, 1 / 7), True
    path = tmp_path / "deck.inp"
    path.write_text(deck_of(places, {"tetrahedron": np.array([[0, 1, 2, 3]])}, load, held), encoding="utf-8")
    problem = problem_of_step(read_deck(path), 1 << 30, unstructured=True)
    assert problem.places == pytest.approx(places)
    assert problem.load == pytest.approx(load)
    assert np.array_equal(problem.held, held)


def test_what_is_printed_is_of_the_first_step() -> None:
    text = printed_deck(MODEL + step() + step(), [1, 2])
    assert text.count("*STEP") == text.count("*END STEP") == 1
    assert "*NSET, NSET=ROOFTOP_PRINTED\n1,\n2,\n*STEP" in text
    with pytest.raises(LeftOut):
        printed_deck("*INCLUDE, INPUT=x\n", [1])


def test_displacements_are_held_against_the_largest() -> None:
    one = np.array([[1.0, 0, 0], [0, 0, 1e-3]])
    require_near(one, one * (1 + 9e-7), 1e-6, "x")
    with pytest.raises(Wrong, match=r"by 0\.000999 of the largest"):
        require_near(one, one + 1e-3, 1e-6, "x")
    with pytest.raises(Wrong):
        require_near(one * np.nan, one, 1e-6, "x")
