"""Numbers of nodes, ranks and threads: what they are together, and in words."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.errors import Misuse
from rooftop.launchers import team
from rooftop.launchers.team import Team


@pytest.mark.parametrize(
    ("of", "workers", "words"),
    [
        (Team(), 1, "1 thread"),
        (Team(threads=4), 4, "4 threads"),
        (Team(ranks=1), 1, "1 rank"),
        (Team(ranks=2, threads=4), 8, "2 ranks of 4 threads"),
        (Team(nodes=2, ranks=4), 4, "4 ranks on 2 nodes"),
        (Team(threads=3).as_ranks(), 3, "3 ranks"),
    ],
)
def test_workers_and_words(of: Team, workers: int, words: str) -> None:
    assert (of.workers, str(of)) == (workers, words)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"threads": 0}, "threads is 0, expected a whole number from 1"),
        ({"ranks": -1}, "ranks is -1"),
        ({"ranks": 2.0}, r"ranks is 2\.0"),
        ({"nodes": True}, "nodes is True"),
        ({"nodes": 2}, "nodes is 2, expected at most its 1 rank"),
    ],
)
def test_numbers_that_make_no_team(numbers: dict[str, Any], message: str) -> None:
    with pytest.raises(Misuse, match=message):
        Team(**numbers)


def test_nodes_add_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "usable_cores", lambda: 4)
    assert Team(ranks=2, threads=3).crowded
    assert not Team(nodes=2, ranks=2, threads=3).crowded
