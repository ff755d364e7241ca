"""The page of NPB's classes by ranks: what is wrong, or takes too much memory, is not met."""

from __future__ import annotations

import pytest

from benchmarks.classes.classes import Problem, Solved, page, problems, solve
from rooftop.solvers.fft.document import FtDocument


def solved(problem: Problem, *, verified: bool = True, memory_bytes: int = 6 << 30) -> Solved:
    """Make up a run of class C."""
    told = {
        "rooftop": "0.1.0",
        "class": problem.what,
        "nx": 512,
        "ny": 512,
        "nz": 512,
        "iterations": 20,
        "ranks": problem.ranks,
        "threads": problem.threads,
        "outcome": "ok" if verified else "wrong",
        "verified": verified,
        "reason": None if verified else "checksum 3 is off",
        "seconds": 14.0 if verified else None,
        "mops": 28000.0 if verified else None,
        "memory_bytes": memory_bytes,
        "checksums": [],
    }
    return Solved(problem, FtDocument.model_validate(told))


def test_what_is_right_and_small_is_met() -> None:
    told = page([solved(Problem("C", 1, threads=2)), solved(Problem("C", 8, messages=True))])
    assert "| C verified, from 1 to 8 ranks, and uneven divisions | all | 2 of 2 | met |" in told
    assert "| arrays of the grid (most: class C, 2 threads) | at most 4 | 3 | met |" in told
    assert "| memory of class C | at most 10 GiB | 6 GiB | met |" in told
    assert "| class C | 512x512x512, 20 | 8 ranks, messages | yes | 14 | 28000 | 6.00 GiB | 3.00 |" in told


def test_what_is_wrong_or_too_large_is_not_met() -> None:
    wrong = solved(Problem("C", 3), verified=False, memory_bytes=11 << 30)
    told = page([solved(Problem("C", 1, threads=2)), wrong])
    assert "| 1 of 2 | missed |" in told
    assert "(most: class C, 3 ranks) | at most 4 | 5.5 | missed |" in told
    assert "| 11 GiB | missed |" in told
    assert "| **no**: checksum 3 is off | – | – |" in told


def test_every_number_of_ranks_is_there_and_messages_too() -> None:
    chosen = list(problems(["S"], 8))
    assert [one.ranks for one in chosen if one.what == "S" and not one.messages] == list(range(1, 9))
    assert [one.ranks for one in chosen if one.what == "S" and one.messages] == [2, 3, 8]
    assert {one.what for one in problems([], 3)} == {"30x14x21", "35x33x37", "64x50x27"}


@pytest.mark.usefixtures("solver_by_ranks")
def test_a_class_is_solved_by_the_bench() -> None:
    found = solve(Problem("S", 3)).found
    assert (found.class_, found.ranks, found.verified) == ("S", 3, True)
