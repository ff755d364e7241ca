"""TSPLIB files as users of LKH and elkai write them: case, order, comments, gzip, and a tour to begin with."""

from __future__ import annotations

import gzip
import os
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from any_input import examples, given_or_refused
from hypothesis import given
from hypothesis import strategies as st
from solver_command import solver_command

from rooftop.errors import MISUSE
from rooftop.settings import Settings
from rooftop.solvers import routing
from rooftop.solvers.routing import Problem, RoutingArgumentError, tsplib_file
from rooftop.solvers.routing.document import TspDocument
from rooftop.solvers.routing.ranks import PROGRAM

ENTRIES = ["NAME : ring", "TYPE : TSP", "DIMENSION : 12", "EDGE_WEIGHT_TYPE : EUC_2D"]
ANGLES = 2 * np.pi * np.arange(12) / 12
PLACES = np.rint(1000 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)).astype(int)
NODES = "NODE_COORD_SECTION\n" + "\n".join(f"{city + 1} {x} {y}" for city, (x, y) in enumerate(PLACES))
EDGES = "FIXED_EDGES_SECTION\n3 4\n-1"
WHOLE = "\n".join([*ENTRIES, EDGES, NODES, "EOF", ""])
CROSSED = np.array([0, 5, 1, 6, 2, 3, 7, 8, 4, 9, 11, 10])


pytestmark = pytest.mark.usefixtures("library", "young_process")


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    file = tmp_path / "ring.tsp"
    file.write_text(WHOLE, encoding="utf-8")
    return file


def tour_file(folder: Path, order: np.ndarray[tuple[int], np.dtype[np.int64]] = CROSSED) -> Path:
    file = folder / "crossed.tour"
    rows = "\n".join(str(city + 1) for city in order)
    file.write_text(f"TYPE : TOUR\nDIMENSION : {len(order)}\nTOUR_SECTION\n{rows}\n-1\nEOF\n", encoding="utf-8")
    return file


solve = partial(solver_command, "tsp")


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = solve(capsys, *words)
    assert (code, out, err.count("\n")) == (MISUSE, "", 1)
    return err


@pytest.mark.case("solvers.E3")
@given(
    parts=st.permutations([*ENTRIES, EDGES, NODES, "COMMENT : one"]),
    lower=st.booleans(),
    comments=st.booleans(),
    bounded=st.booleans(),
    zipped=st.booleans(),
)
@examples(50)
def test_any_case_and_order_is_the_same_problem(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[str],
    lower: bool,
    comments: bool,
    bounded: bool,
    zipped: bool,
) -> None:
    text = "\n".join([*parts, "EOF", ""])
    if not bounded:
        text = text.replace("\n-1\n", "\n")
    if comments:
        text = "# first\n" + text.replace("\n", " # of a line\n  # a line\n").replace("one # of a line", "one")
        text = text.replace("ring # of a line", "ring")
    file = tmp_path_factory.mktemp("any") / "any.tsp"
    data = (text.lower() if lower else text).encode()
    file.write_bytes(gzip.compress(data) if zipped else data)
    problem = Problem.read(file)
    assert (problem.name, problem.cities, problem.metric, problem.remarks) == ("ring", 12, "EUC_2D", ())
    assert problem.coordinates is not None
    assert np.array_equal(problem.coordinates, PLACES)
    assert problem.length(range(12)) == Problem.in_plane(PLACES).length(range(12))
    with pytest.raises(RoutingArgumentError, match="lacks the fixed edge 3 4"):
        problem.length([0, 1, 2, 4, 3, *range(5, 12)])


@pytest.mark.case("solvers.E3.unknown")
def test_unknown_keywords_are_remarked(capsys: pytest.CaptureFixture[str], ring: Path) -> None:
    ring.write_text(f"BEST_KNOWN : 6216\n{WHOLE}".replace(EDGES, f"{EDGES}\nTIME_WINDOW_SECTION\n1 0 9\n2 0 9\n-1"))
    code, text, err = solve(capsys, ring, "--iterations", 5, "--json")
    document = TspDocument.model_validate_json(text)
    said = "the keyword '{}' is unknown and skipped"
    assert document.remarks == [
        f"{ring}, line 1: {said.format('BEST_KNOWN')}",
        f"{ring}, line 9: {said.format('TIME_WINDOW_SECTION')}",
    ]
    assert (code, err) == (0, "".join(f"remark: {one}\n" for one in document.remarks))
    assert Problem.read(ring).remarks == tuple(document.remarks)


@pytest.mark.case("solvers.E3.unknown")
def test_a_misspelt_keyword_is_named_where_it_is_missed(capsys: pytest.CaptureFixture[str], ring: Path) -> None:
    ring.write_text(WHOLE.replace("NODE_COORD_SECTION", "NODE_CORD_SECTION"))
    err = refused(capsys, ring)
    assert "without NODE_COORD_SECTION; expected one (line 8: the keyword 'NODE_CORD_SECTION' is unknown" in err


@pytest.mark.case("solvers.E3.cvrp")
@pytest.mark.parametrize("kind", ["CVRP", "cvrp", "SOP", "HCP"])
def test_another_kind_of_problem_is_refused_with_those_that_are_taken(
    capsys: pytest.CaptureFixture[str], ring: Path, kind: str
) -> None:
    ring.write_text(WHOLE.replace("TYPE : TSP", f"TYPE : {kind}"))
    err = refused(capsys, ring)
    assert err == f"rooftop: {ring}, line 2: TYPE is {kind.upper()}, which is not supported; expected TSP or ATSP\n"


@pytest.mark.case("solvers.E3.gzip")
def test_gzip_is_told_by_its_first_bytes(capsys: pytest.CaptureFixture[str], ring: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed.tsp"
    packed.write_bytes(gzip.compress(WHOLE[:99].encode()) + gzip.compress(WHOLE[99:].encode()))  # as cat makes them
    out = tmp_path / "ring.tour"
    first, second = (solve(capsys, file, "--iterations", 5, "--out", out, "--json") for file in (ring, packed))
    assert TspDocument.model_validate_json(first[1]).length == TspDocument.model_validate_json(second[1]).length
    assert second[0] == 0
    assert out.read_text().startswith("NAME : ring.tour\n")
    packed.write_bytes(gzip.compress(WHOLE.replace("12", "13", 1).encode()))
    assert f"{packed}, line 21: NODE_COORD_SECTION ends at 'EOF' after 12 cities" in refused(capsys, packed)


@pytest.mark.case("solvers.E3.gzip")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    for data in (WHOLE.encode(), gzip.compress(WHOLE.encode())):
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(data,))
        writer.start()
        assert Problem.read(pipe).cities == 12
        writer.join()
        pipe.unlink()


@pytest.mark.case("solvers.E3.gzip")
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data[:-30], "it is truncated"),
        (lambda data: data[:30] + b"\xff" * 20 + data[50:], "error -3 while decompressing"),
        (lambda data: data[:-8] + bytes(8), "crc check failed"),
        (lambda data: data[:2] + b"\xff" + data[3:], "unknown compression method"),
        (lambda data: data + b"more", "not a gzipped file"),
    ],
)
def test_a_file_that_gzip_cannot_unpack(
    capsys: pytest.CaptureFixture[str], ring: Path, spoil: object, says: str
) -> None:
    assert callable(spoil)
    ring.write_bytes(spoil(gzip.compress(WHOLE.encode())))
    err = refused(capsys, ring)
    assert f"{ring}: the file cannot be decompressed: " in err
    assert says in err


def test_compressed_blanks_take_no_more_memory_than_an_instance(
    capsys: pytest.CaptureFixture[str], ring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tsplib_file, "_LEAST", 100_000)
    blanks = b" " * 60_000
    ring.write_bytes(gzip.compress(blanks + WHOLE.encode()))
    assert Problem.read(ring).cities == 12
    ring.write_bytes(gzip.compress(blanks) * 2)
    assert f"{ring}: the decompressed file has more than 100000 bytes; expected a smaller file" in refused(capsys, ring)


@given(st.binary(max_size=60), st.integers(0, 200), st.booleans())
@examples(60)
def test_any_bytes_are_a_problem_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, put: bytes, at: int, zipped: bool
) -> None:
    data = WHOLE.encode()
    data = data[:at] + put + data[at + len(put) :]
    file = tmp_path_factory.mktemp("bytes") / "file.tsp"
    file.write_bytes(gzip.compress(data) if zipped else data)
    given_or_refused(lambda: Problem.read(file))
    file.write_bytes(gzip.compress(WHOLE.encode())[:at] + put)
    given_or_refused(lambda: Problem.read(file))
    given_or_refused(lambda: Problem.in_plane(PLACES).read_tour(file))


@pytest.mark.case("solvers.E3.start")
@pytest.mark.parametrize("zipped", [False, True])
def test_a_search_begins_with_a_tour(
    capsys: pytest.CaptureFixture[str], ring: Path, tmp_path: Path, zipped: bool
) -> None:
    tour, out = tour_file(tmp_path), tmp_path / "found.tour"
    if zipped:
        tour.write_bytes(gzip.compress(tour.read_bytes()))
    length = Problem.read(ring).length(CROSSED)
    code, text, err = solve(capsys, ring, "--iterations", 5, "--initial-tour", tour, "--out", out, "--json")
    document = TspDocument.model_validate_json(text)
    assert (code, err, document.initial_tour, document.initial_length) == (0, "", str(tour), length)
    assert document.history[0].length == length
    assert document.length is not None
    assert document.length < length
    # What was written is a tour to begin with, by LKH's name for it too.
    code, text, err = solve(capsys, ring, "--iterations", 1, "--initial-tour-file", out, "--json")
    again = TspDocument.model_validate_json(text)
    assert (code, err, again.initial_length, again.length) == (0, "", document.length, document.length)


@pytest.mark.case("solvers.E3.start")
def test_ranks_begin_with_a_tour(capsys: pytest.CaptureFixture[str], ring: Path, tmp_path: Path) -> None:
    if not (Settings().build_folder / "solvers/routing" / PROGRAM).is_file():
        pytest.skip("the solver is not built for ranks")
    ring.write_bytes(gzip.compress(ring.read_bytes()))
    words = (ring, "--iterations", 4, "--ranks", 2, "--initial-tour", tour_file(tmp_path), "--json")
    code, text, err = solve(capsys, *words)
    document = TspDocument.model_validate_json(text)
    assert (code, err, document.valid) == (0, "", True)
    assert document.initial_length is not None
    assert document.history[0].length == document.initial_length


@pytest.mark.case("solvers.E3.start")
@pytest.mark.parametrize(
    ("order", "says"),
    [
        (np.arange(11), "a tour of 11 cities; expected the problem's 12"),
        (np.array([*range(11), 3]), "TOUR_SECTION has city 4 a second time"),
        (np.array([*range(11), 12]), "TOUR_SECTION has city 13; expected 1 to 12"),
        (np.array([0, 1, 2, 4, 3, *range(5, 12)]), "crossed.tour: the tour lacks the fixed edge 3 4"),
    ],
)
def test_what_is_no_tour_to_begin_with(
    capsys: pytest.CaptureFixture[str],
    ring: Path,
    tmp_path: Path,
    order: np.ndarray[tuple[int], np.dtype[np.int64]],
    says: str,
) -> None:
    assert says in refused(capsys, ring, "--initial-tour", tour_file(tmp_path, order))


@pytest.mark.case("solvers.E3.start")
def test_files_that_are_no_tour(capsys: pytest.CaptureFixture[str], ring: Path, tmp_path: Path) -> None:
    assert "FIXED_EDGES_SECTION in a tour; expected TOUR_SECTION" in refused(capsys, ring, "--initial-tour", ring)
    missing = tmp_path / "none.tour"
    assert f"{missing} cannot be opened: No such file" in refused(capsys, ring, "--initial-tour", missing)


@pytest.mark.case("solvers.E3.start")
@given(st.integers(3, 40), st.integers(0, 2**32 - 1))
@examples(30)
def test_no_longer_tour_is_found(cities: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    places, order = random.uniform(0, 1000, (cities, 2)), random.permutation(cities)
    problem = Problem.in_plane(places)
    tour = routing.solve_tsp(places, iterations=1, threads=1, initial_tour=order)
    assert sorted(tour.order) == list(range(cities))
    assert tour.history[0].length == problem.length(order)
    assert tour.length == problem.length(tour.order) <= problem.length(order)
    assert problem.solve(iterations=1, initial_tour=tour.order, threads=1).length <= tour.length


@pytest.mark.case("solvers.E3.start")
@pytest.mark.parametrize(
    ("order", "says"),
    [
        ([0, 1, 2], "initial_tour does not visit each of 4 cities once"),
        ([0, 1, 2, 2], "initial_tour does not visit each of 4 cities once"),
        ([0, 1, 2, 4], "initial_tour's city numbers go beyond 0 to 3"),
        ([0, 1, 2.5, 3], "initial_tour's city numbers are not whole numbers"),
        ("0123", "initial_tour's city numbers are not whole numbers"),
    ],
)
def test_what_is_no_order_of_the_cities(order: Any, says: str) -> None:
    with pytest.raises(RoutingArgumentError, match=says):
        routing.solve_tsp(np.eye(4, dtype=int), time_s=0.1, initial_tour=order)
