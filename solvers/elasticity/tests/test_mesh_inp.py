"""The lecture's ``mesh.inp``: what it says, or one line of misuse that names file, line, value and what is expected.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from any_input import argument, examples, given_or_refused
from hypothesis import given
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files.mesh_inp import MeshInp, problem_of, read_mesh_inp

GOOD = "6 4 8\n3 2 4\n5 1\n200\n"
ROOM = 1 << 40  # bytes


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "mesh.inp"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


@pytest.mark.parametrize(
    "text", [GOOD, "\ufeff\r\n6 4\t8 ! nodes\r\n3 2 4\r\n\r\n5 1\r\n200 # steps", "+6 04 8\n3 2 4\n5 0\n200"]
)
def test_what_it_says(tmp_path: Path, text: str) -> None:
    found = read_mesh_inp(written(tmp_path, text))
    assert found == MeshInp((6, 4, 8), (3, 2, 4), 5, 200)
    assert found.ranks == 24


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", "", "0 lines of numbers; expected 4"),
        ("6 4 8\n3 2 4\n5 1\n", "", "3 lines of numbers; expected 4"),
        (GOOD + "7\n", "", "5 lines of numbers; expected 4"),
        ("6 4\n3 2 4\n5 1\n200\n", ":1", "'6 4' has 2 numbers; expected 3 numbers: nodes in each direction"),
        ("6 4 8\n3 2 4 1\n5 1\n200\n", ":2", "expected 3 numbers: divisions in each direction"),
        ("6 4 8\n3 2 4\n5\n200\n", ":3", "'5' has 1 number; expected 2 numbers: threads of each rank"),
        ("6 4 8\n\n3 2 4\n5 1\n1 200\n", ":5", "expected 1 number: the maximum number of iterations"),
        ("6.5 4 8\n3 2 4\n5 1\n200\n", ":1", "'6.5' is not a whole number; expected the nodes along x, 2 or more"),
        ("6 four 8\n3 2 4\n5 1\n200\n", ":1", "'four' is not a whole number; expected the nodes along y"),
        ("6 4 ٣\n3 2 4\n5 1\n200\n", ":1", "is not a whole number; expected the nodes along z"),
        ("6 4 0\n3 2 4\n5 1\n200\n", ":1", "'0' is too small; expected the nodes along z, 2 or more"),
        ("1 4 8\n1 2 4\n5 1\n200\n", ":1", "'1' is too small; expected the nodes along x, 2 or more"),
        ("6 4 -8\n3 2 4\n5 1\n200\n", ":1", "'-8' is too small"),
        ("6 4 8\n0 2 4\n5 1\n200\n", ":2", "'0' is too small; expected the divisions along x, 1 or more"),
        ("6 4 8\n4 2 4\n5 1\n200\n", ":2", "4 divisions along x do not divide its 6 nodes"),
        ("6 4 8\n3 2 16\n5 1\n200\n", ":2", "16 divisions along z do not divide its 8 nodes"),
        ("6 4 8\n3 2 4\n0 1\n200\n", ":3", "'0' is too small; expected the number of threads of each rank"),
        ("6 4 8\n3 2 4\n5 1\n0\n", ":4", "'0' is too small; expected the maximum number of iterations"),
        ("6 4 2147483648\n3 2 4\n5 1\n200\n", ":1", "is too large; expected the nodes along z, at most 2147483647"),
        ("6 4 8\n3 2 4\n5 1\n" + "9" * 5000 + "\n", ":4", "is too large"),
        ("-" + "9" * 5000 + " 4 8\n3 2 4\n5 1\n2\n", ":1", "is too small"),
        (b"6 4 8\n3 2 4\n5 1\n\xff\n", "", "it is not UTF-8 text"),
    ],
)  # fmt: skip
def test_misuse_is_one_line(tmp_path: Path, text: str | bytes, line: str, says: str) -> None:
    path = written(tmp_path, text)
    told = given_or_refused(lambda: read_mesh_inp(path))
    assert told is not None
    assert told.startswith(f"{path}{line}: ")
    assert says in told
    assert len(told) < 300 + len(str(path))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="No such file"):
        read_mesh_inp(tmp_path / "none.inp")
    with pytest.raises(Misuse, match="directory"):
        read_mesh_inp(tmp_path)


@given(
    st.lists(st.lists(argument() | st.integers(-3, 40).map(str), max_size=4).map(" ".join), max_size=6).map("\n".join)
)
@examples(200)
def test_any_input_as_mesh_inp(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    given_or_refused(lambda: read_mesh_inp(path))


@given(st.lists(st.integers(-2, 30), min_size=9, max_size=9))
@examples(100)
def test_any_numbers_as_mesh_inp(tmp_path: Path, numbers: list[int]) -> None:
    nx, ny, nz, dx, dy, dz, threads, unused, most = numbers
    path = written(tmp_path, f"{nx} {ny} {nz}\n{dx} {dy} {dz}\n{threads} {unused}\n{most}\n")
    refused = given_or_refused(lambda: read_mesh_inp(path)) is not None
    sound = min(nx, ny, nz) >= 2 and min(dx, dy, dz, threads, most) >= 1 and unused >= 0
    assert refused != (sound and nx % dx == ny % dy == nz % dz == 0)


def test_the_problem_that_it_stands_for(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    problem = problem_of(path, 2.0, 0.25, 1.0, 0.0, 1, ROOM)
    assert problem.nodes == (6, 4, 8)
    assert problem.coordinates is None
    assert problem.load.shape == problem.held.shape == (8, 4, 6, 3)
    assert problem.load.sum(axis=(0, 1, 2)).tolist() == [0, 0, 15]  # a traction of 1 on 5 x 3 faces
    assert problem.unknowns == 3 * 6 * 4 * 8 - 4 * 8 - 6 * 8 - 6 * 4
    assert problem.exact is not None
    assert problem.exact[7, 3, 5].tolist() == [-0.25 * 5 / 2, -0.25 * 3 / 2, 3.5]
    assert (problem.iterations, problem.threads, problem.parts) == (200, 120, (3, 2, 4))
    assert problem.remarks == []


def test_a_graded_and_distorted_box(tmp_path: Path) -> None:
    problem = problem_of(written(tmp_path, GOOD), 1.0, 0.3, 10.0, 0.2, 3, ROOM)
    places = problem.places
    assert places.shape == (8, 4, 6, 3)
    assert problem.load.sum(axis=(0, 1, 2)) == pytest.approx([0, 0, 15])
    edges = np.diff(places[0, 0, :, 0])
    assert edges.sum() == 5
    assert edges[-1] > 3 * edges[0]


def test_more_nodes_than_there_is_memory_for(tmp_path: Path) -> None:
    path = written(tmp_path, "100000 100000 100000\n1 1 1\n1 1\n10\n")
    with pytest.raises(Misuse, match=r"100000 x 100000 x 100000 nodes need at least .*TiB of memory.* expected fewer"):
        problem_of(path, 1.0, 0.3, 1.0, 0.0, 1, ROOM)
