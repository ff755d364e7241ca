"""Nodes, elements, sets, parts and instances of decks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deck_text import CUBE, CUBE_ELEMENT, CUBE_NODES

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Row
from rooftop.solvers.elasticity.deck.lines import Line
from rooftop.solvers.elasticity.deck.problem import contents_of_deck
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.mesh_file import read_mesh_file


def body(folder: Path, text: str) -> Body:
    path = folder / "deck.inp"
    path.write_text(text, encoding="utf-8")
    return Body(read_deck(path))


def nodes(found: Body, token: str) -> list[str]:
    row = Row(Line(found.deck.path, 1, token), [token])
    return [found.node_name(int(index)) for index in found.nodes_named(row, 0)]


def elements(found: Body, token: str) -> list[str]:
    row = Row(Line(found.deck.path, 1, token), [token])
    return [found.element_name(int(index)) for index in found.elements_named(row, token)]


@pytest.mark.case("solvers.K5")
@pytest.mark.parametrize(
    "text",
    [
        CUBE,
        CUBE.lower(),
        CUBE.replace("5, 0.", "*NODE\n5, 0."),
        CUBE.replace("1.", "1.D0"),
        CUBE.replace("1.", "1.0").replace("\n", " ,\n", 9),
        CUBE.replace("3, 1., 1., 0.", "3, 1., 1.,"),
        CUBE.replace("1, 0., 0., 0.", "1"),
        CUBE.replace(CUBE_ELEMENT, "1, 1,2,3,\n4,5,6,7,\n8\n"),
        CUBE.replace(CUBE_ELEMENT, "1, 1,2,3,4,5,6,7,8,\n"),
        CUBE.replace("ELSET=EALL", 'ELSET="All of it"'),
        CUBE.replace("TYPE=C3D8, ELSET=EALL", "TYPE = c3d8 ,\nELSET = e all"),
        "*HEADING\nA cube, of one element\n*PREPRINT, ECHO=NO\n" + CUBE + "*NODE, NSET=REF\n99, 5., 5., 5.\n",
    ],
)
def test_forms_of_nodes_and_elements(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(text, encoding="utf-8")
    contents, materials = contents_of_deck(read_deck(path))
    assert materials is None
    assert contents.places.tolist() == [
        [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1],
    ]  # fmt: skip
    assert [cells.tolist() for cells in contents.elements.values()] == [[list(range(8))]]


SETS = """\
*NSET, NSET=A, GENERATE
1, 4
*NSET, NSET=A
7
*NSET, NSET=EVERY THIRD, GENERATE
1, 7, 3
*NSET, NSET=B
everythird, 2
A
*NSET, NSET=C, ELSET=EALL
*NSET, NSET=D, UNSORTED, INTERNAL
8, 1
*NSET, NSET=a
8,
*NSET, NSET=FAR, GENERATE
6, 2147483647
*ELSET, ELSET=E1
1
*ELSET, ELSET=E2
E1, EALL
"""


@pytest.mark.case("solvers.K3", "solvers.K5")
@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("A", "1 2 3 4 7 8"),
        ("EVERYTHIRD", "1 4 7"),
        ("B", "2 1 4 7 1 2 3 4 7 8"),
        ("C", "1 2 3 4 5 6 7 8"),
        ("D", "8 1"),
        ("FAR", "6 7 8"),
        ("NALL", "1 2 3 4 5 6 7 8"),
    ],
)
def test_sets_of_nodes(tmp_path: Path, name: str, there: str) -> None:
    assert sorted(nodes(body(tmp_path, CUBE + SETS), name)) == sorted(there.split())


def test_sets_of_elements(tmp_path: Path) -> None:
    found = body(tmp_path, CUBE + SETS)
    assert elements(found, "E2") == elements(found, "E1") == elements(found, "1") == ["1"]


PARTS = f"""\
*PART, NAME=A
{CUBE}*NSET, NSET=TOP, GENERATE
5, 8
*END PART
*PART, NAME=B
*NODE
{CUBE_NODES.replace("1.,", "3.,")}*ELEMENT, TYPE=C3D8
{CUBE_ELEMENT}*END PART
*ASSEMBLY, NAME=ALL
*INSTANCE, NAME=A-1, PART=A
*END INSTANCE
*INSTANCE, NAME=A-2, PART=A
10., 0., 0.
*END INSTANCE
*INSTANCE, NAME=B-1, PART=B
0., 0., 5.
0., 0., 5., 0., 0., 6., 90.
*NSET, NSET=OWN
3
*END INSTANCE
*NODE
1, 7., 7., 7.
*NSET, NSET=MIXED
A-1.5, A-2.TOP, 1
*NSET, NSET=OF, INSTANCE=A-2
1, TOP
*ELSET, ELSET=EMIXED
A-2.EALL, B-1.1
*END ASSEMBLY
"""


@pytest.mark.case("solvers.K1")
def test_parts_and_their_instances(tmp_path: Path) -> None:
    """Parts are numbered from 1, each; an instance has its own nodes, shifted and turned."""
    found = body(tmp_path, PARTS)
    assert (found.nodes_count, found.elements_count) == (25, 3)
    assert nodes(found, "MIXED") == ["A-1.5", "A-2.5", "A-2.6", "A-2.7", "A-2.8", "1"]
    assert sorted(nodes(found, "OF")) == ["A-2.1", "A-2.5", "A-2.6", "A-2.7", "A-2.8"]
    assert nodes(found, "B-1.OWN") == ["B-1.3"]
    assert elements(found, "EMIXED") == ["A-2.1", "B-1.1"]
    places = {found.node_name(index): place for index, place in enumerate(found.places.tolist())}
    assert places["A-1.7"] == [1, 1, 1]
    assert places["A-2.7"] == [11, 1, 1]
    assert places["B-1.7"] == pytest.approx([-3, 3, 6])  # (3, 3, 1) is shifted, then turned by 90 degrees about z
    for one, first in zip(found.blocks, (1, 9, 17), strict=True):
        assert one.nodes.tolist() == [list(range(first, first + 8))]


def test_instances_are_shifted_before_they_are_turned(tmp_path: Path) -> None:
    text = PARTS.replace("0., 0., 5.\n0., 0., 5., 0., 0., 6., 90.", "1., 0., 0.\n0., 0., 0., 0., 0., 2., 90.")
    found = body(tmp_path, text)
    assert found.places[17 + 0].tolist() == pytest.approx([0, 1, 0])


GENERATED = """\
*NODE
1, 0., 0., 0.
3, 2., 0., 0.
11, 0., 1., 0.
13, 2., 1., 0.
101, 0., 0., 2.
*NGEN, NSET=FRONT
1, 3
*NGEN, NSET=BACK
11, 13, 1
*NFILL, NSET=BOTTOM
FRONT, BACK, 1, 10
*NODE
201, 0., 0., 2.
202, 1., 0., 2.
203, 2., 0., 2.
211, 0., 1., 2.
212, 1., 1., 2.
213, 2., 1., 2.
*NSET, NSET=TOP, GENERATE
201, 203
211, 213
*NFILL, NSET=ALL
BOTTOM, TOP, 2, 100
*ELEMENT, TYPE=C3D8
1, 1, 2, 12, 11, 101, 102, 112, 111
*ELGEN, ELSET=EALL
1, 2, 1, 1, 1, 10, 10, 2, 100, 100
"""


@pytest.mark.case("solvers.K2")
def test_nodes_and_elements_that_are_generated(tmp_path: Path) -> None:
    found = body(tmp_path, GENERATED)
    assert elements(found, "EALL") == ["1", "2", "101", "102"]
    places = {found.node_name(index): place for index, place in enumerate(found.places.tolist())}
    assert len(places) == 18
    assert places["112"] == [1, 1, 1]
    last = found.blocks[-1].nodes[-1]
    assert [found.node_name(int(one)) for one in last] == ["102", "103", "113", "112", "202", "203", "213", "212"]


@pytest.mark.case("solvers.K4")
def test_shells_that_name_a_surface(tmp_path: Path) -> None:
    """A set of shells has its own shells, whatever other shells the file has before it."""
    shells = "*ELEMENT, TYPE=S4\n11, 1, 2, 3, 4\n*ELEMENT, TYPE=S4, ELSET=PRESS\n12, 5, 6, 7, 8\n"
    path = tmp_path / "deck.inp"
    path.write_text(CUBE + shells, encoding="utf-8")
    words: tuple[Any, ...] = (1.0, 0.3, 1 << 34)
    problem = read_mesh_file(path, ["z-min"], [], [("PRESS", (0, 0, 2.0))], *words, unstructured=True)
    assert problem.load[:, 2].tolist() == [0] * 4 + [0.5] * 4
    assert problem.remarks == [f"{path}: elements that are not solids are left out: 2 of type S4"]


@pytest.mark.parametrize("name", ["Top", "TOP", "top"])
def test_surfaces_are_faces_with_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(CUBE + "*SURFACE, NAME=top\nEALL, S2\n*NSET, NSET=bottom, GENERATE\n1, 4\n", encoding="utf-8")
    words: tuple[Any, ...] = (1.0, 0.3, 1 << 34)
    problem = read_mesh_file(path, ["Bottom"], [], [(name, (0, 0, 2.0))], *words, unstructured=True)
    assert problem.load[:, 2].tolist() == [0] * 4 + [0.5] * 4
    assert problem.held.tolist() == [[True] * 3] * 4 + [[False] * 3] * 4


def test_a_deck_without_a_step_has_its_materials_and_supports(tmp_path: Path) -> None:
    text = CUBE + "*MATERIAL, NAME=M\n*ELASTIC\n5., 0.2\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*BOUNDARY\n1, 1, 3\n"
    path = tmp_path / "deck.inp"
    path.write_text(text, encoding="utf-8")
    contents, materials = contents_of_deck(read_deck(path))
    assert materials is not None
    assert [values.tolist() for values in materials] == [[5], [0.2]]
    assert contents.held is not None
    assert np.argwhere(contents.held).tolist() == [[0, 0], [0, 1], [0, 2]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("*NODE, SYSTEM=C\n1, 0\n", ":1: *NODE with SYSTEM=C is not supported"),
        ("*NODE\n1.5, 0\n", ":2: '1.5' is not an integer"),
        ("*NODE\n0, 0\n", ":2: 0 is too small; expected the number of a node"),
        ("*NODE\n1, x\n", ":2: 'x' is not a finite number; expected the coordinate along x"),
        ("*NODE\n1, 0, 0, 0, 0, 0, 0, 0\n", ":2: "),
        ("*NODE\n1, 0, 0, 0, 1\n", ":2: "),
        (CUBE.replace("7,8\n", "7\n"), ":11: element 1 has 7 nodes; expected 8 for C3D8"),
        (CUBE.replace("7,8\n", "7,8,9\n"), ":11: element 1 has 9 nodes; expected 8 for C3D8"),
        (CUBE.replace("7,8\n", "7,9\n"), ":10: element 1 has node 9, which is not defined"),
        (CUBE + "*ELEMENT, TYPE=C3D8\n" + CUBE_ELEMENT, ":10: element 1 is defined more than once"),
        (CUBE.replace("C3D8", "C3D8R"), ":10: *ELEMENT with TYPE=C3D8R is not supported; expected C3D4, "),
        (CUBE.replace("TYPE=C3D8, ", ""), ":10: *ELEMENT has no TYPE="),
        (CUBE + "*NSET, NSET=A\nB\n*NSET, NSET=B\nA\n", "is a member of itself"),
        (CUBE + "*NSET, NSET=A\nB\n", ":13: 'B' is not a set of nodes"),
        (CUBE + "*NSET, NSET=A, GENERATE\n4, 1\n", ":13: 4 to 1 by 1 is empty"),
        (CUBE + "*NSET, NSET=A\n1, 9\n", ":13: node 9 is not defined"),
        (CUBE + "*NSET, NSET=A, GENERATE\n1, 2147483648, 1\n", "is not an integer up to 2147483647"),
        (CUBE + "*NSET\n1\n", ":12: *NSET has no NSET="),
        ("*PART, NAME=A\n", ":1: *PART does not end; expected *END PART"),
        ("*PART, NAME=A\n*PART, NAME=B\n", ":2: *PART is inside *PART of line 1"),
        ("*END PART\n", ":1: *END PART has no open *PART"),
        ("*INSTANCE, NAME=A, PART=B\n", ":1: *INSTANCE is outside"),
        ("*ASSEMBLY\n*INSTANCE, NAME=A, PART=B\n", ":2: *INSTANCE has part 'B', which is not defined"),
        (PARTS.replace("0., 0., 6., 90.", "0., 0., 5., 90."), ": the axis of the rotation has no length"),
        (CUBE + "*NCOPY, CHANGE NUMBER=10, OLD SET=NALL, SHIFT\n", ":12: *NCOPY is not supported and may change"),
        (CUBE + "*NGEN, LINE=C\n1, 2\n", ":12: *NGEN with 'LINE=C' is not supported"),
        (CUBE + "*NGEN\n1, 2, 0\n", ":13: "),
        (CUBE + "*ELGEN\n2, 3\n", ":13: element 2 is not defined"),
        (CUBE + "*ELGEN\n1, 2147483647, 1, 1\n", ":13: it generates 2147483647 nodes or elements"),
        (CUBE + "*NFILL\nNALL, NALL, 99999999\n", ":13: it generates"),
        ("*ELEMENT, TYPE=S4\n", ": it has no solid elements"),
        (CUBE + "*SURFACE, NAME=S, TYPE=CUTTING SURFACE\n", ":12: *SURFACE with TYPE=CUTTINGSURFACE"),
        (CUBE + "*SURFACE, NAME=S\nEALL, SPOS\n", ":13: 'SPOS' is not a face of a solid; expected S1 to S6"),
        (CUBE + "*SURFACE, NAME=S\nEALL, S1\n*SURFACE, NAME=S\nEALL, S2\n", ":14: *SURFACE defines 'S' again"),
    ],
)  # fmt: skip
def test_misuse_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "deck.inp"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Misuse) as told:
        contents_of_deck(read_deck(path))
    assert says in str(told.value)
    assert "\n" not in str(told.value)
