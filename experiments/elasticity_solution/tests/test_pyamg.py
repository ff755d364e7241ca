"""The Python-driven peer: the body as the C++ has it, right results verified, and planted errors caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXPERIMENT = Path(__file__).resolve().parent.parent
PEER = EXPERIMENT / "peers" / "pyamg_aggregation.py"
sys.path[:0] = [str(EXPERIMENT), str(PEER.parent)]

import pyamg_aggregation as peer  # noqa: E402
from box_in_numpy import POISSON, Doubles, Problem, check, forces_and_volumes, uniform  # noqa: E402

CASES = [json.loads(line) for line in (EXPERIMENT / "tests" / "cases.jsonl").read_text().splitlines()]
BOXES = [case for case in CASES if case.get("mesh") != "listed"]
DISTORTED = {"nx": 4, "ny": 5, "nz": 6, "mesh": "distorted"}
needs_pyamg = pytest.mark.skipif(peer.MISSING is not None, reason=str(peer.MISSING))


def problem_of(case: dict[str, Any]) -> Problem:
    return Problem.from_parameters(case, 3)


def ask(words: list[str], requests: list[Any], before: str = "") -> list[dict[str, Any]]:
    lines = "\n".join(request if isinstance(request, str) else json.dumps(request) for request in requests) + "\n"
    program = (
        f"import runpy, sys; {before}\nsys.argv[:] = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-c", program, str(PEER), *words]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(reply["protocol"] == 1 for reply in replies)
    return replies


def solved(problem: Problem) -> Doubles:
    """Return the displacement by a direct solution of what the peer assembles."""
    matrix = peer.assemble(problem).toarray()
    return np.linalg.solve(matrix, problem.load.reshape(-1))


def test_random_numbers_are_those_of_the_native_library() -> None:
    # By SplitMix64 in whole numbers.
    def mix(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    golden = 0x9E3779B97F4A7C15
    start = mix((5 + golden) % 2**64)
    expected = [((mix((start + (n + 1) * golden) % 2**64) >> 11) - 2**52) / 2**52 for n in range(20)]
    assert uniform(20, 5).tolist() == expected


def test_forces_of_the_exact_displacement_are_the_load_and_volumes_fill_the_body() -> None:
    for mesh in ("uniform", "graded", "distorted", "tetrahedra"):
        problem = problem_of({**DISTORTED, "mesh": mesh})
        exact = problem.coordinates * [-POISSON, -POISSON, 1]
        force, volume = forces_and_volumes(problem, exact)
        assert np.allclose(np.where(problem.held, 0, force), problem.load, atol=1e-13)
        assert np.isclose(volume.sum(), np.prod(problem.coordinates[-1, -1, -1]))


@needs_pyamg
@pytest.mark.parametrize("mesh", ["uniform", "graded", "distorted", "jump", "plate", "tetrahedra"])
def test_the_matrix_gives_the_forces_and_rigid_motions_none(mesh: str) -> None:
    problem = problem_of({**DISTORTED, "mesh": mesh})
    matrix = peer.assemble(problem)
    assert abs(matrix - matrix.T).max() < 1e-12 * abs(matrix).max()
    u = uniform(problem.size, 8).reshape(*problem.nodes, 3)
    u[problem.held] = 0
    force, _ = forces_and_volumes(problem, u)
    force[problem.held] = 0
    assert np.allclose(matrix @ u.reshape(-1), force.reshape(-1), atol=1e-12 * np.abs(force).max())
    # Motions are held, hence strain, next to the planes of symmetry alone.
    inner = np.zeros_like(problem.held)
    inner[2:, 2:, 2:] = True
    strained = (matrix @ peer.rigid_motions(problem))[inner.reshape(-1)]
    assert np.abs(strained).max() < 1e-12 * abs(matrix).max()


@needs_pyamg
@pytest.mark.parametrize("case", BOXES, ids=str)
def test_planted_errors_are_caught(case: dict[str, Any]) -> None:
    problem = problem_of(case)
    if problem.size > 3000:
        pytest.skip("a direct solution takes long")
    right = solved(problem)
    assert check(problem, right)[2] == ""
    last = right.size - 1
    held = int(np.flatnonzero(problem.held)[-1])
    largest = np.abs(right).max()
    for place, value, message in (
        (last, np.nan, "not a finite number"),
        (last, right[last] + 1e-6 * largest, "residual"),
        (held, 1e-3 * largest, "held displacement"),
    ):
        wrong = right.copy()
        wrong[place] = value
        assert message in check(problem, wrong)[2], (place, value)
    for wrong in (right * (1 - 2e-7), np.zeros_like(right), right[::-1]):
        assert check(problem, wrong)[2] != ""
    if problem.mesh == "uniform" and problem.nx > 4:
        assert "residual" in check(problem_of({**case, "mesh": "jump"}), right)[2]


def test_bad_parameters_are_named_with_their_value() -> None:
    for name, value in (("nx", 1), ("ny", 2.0), ("nz", True), ("mesh", "round"), ("tolerance", 1)):
        with pytest.raises(ValueError, match=rf"'{name}' is {value!r}, expected"):
            problem_of({**DISTORTED, name: value})


@needs_pyamg
def test_it_is_right_on_every_case() -> None:
    requests = [{"op": "case", "case": case, "seed": n, "threads": 2} for n, case in enumerate(BOXES, 1)]
    for reply in ask(["run"], requests):
        assert (reply["outcome"], reply["reason"]) == ("ok", None)
        assert reply["facts"][0]["figures"]["iterations"] >= 1
        assert 0 < reply["facts"][0]["figures"]["setup_ns"] < reply["first_run_ns"]
    follow = [{"op": "calibrate", "min_ns": 1}, {"op": "sample", "iterations": 2}, {"op": "verify"}, {"op": "no"}]
    replies = ask(["run"], [requests[1], *follow, "not json"])
    assert [reply["event"] for reply in replies] == ["case", "calibrate", "sample", "verify", "error", "error"]
    assert replies[3]["outcome"] == "ok"


@needs_pyamg
def test_a_body_that_is_no_box_is_skipped_with_the_reason() -> None:
    (listed,) = (case for case in CASES if case not in BOXES)
    (reply,) = ask(["run"], [{"op": "case", "case": listed}])
    assert reply["outcome"] == "skipped"
    assert "no box" in reply["reason"]


def test_without_its_package_it_is_skipped_with_the_reason() -> None:
    asked = {"op": "case", "case": CASES[0]}
    for word, key, expected in (("describe", "supported", False), ("run", "outcome", "skipped")):
        (reply,) = ask([word], [asked] if word == "run" else [], before="sys.modules['pyamg'] = None")
        assert reply[key] == expected
        assert reply["reason"] == "pyamg is not installed (pip install pyamg)"
