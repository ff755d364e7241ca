"""Command lines with another number of ranks, which are suggested and never tried unasked."""

from __future__ import annotations

import shlex

import pytest

from rooftop.diagnose.facts import Facts, RankFacts
from rooftop.diagnose.other_ranks import suggestion, with_ranks


def facts(ranks: int) -> Facts:
    return Facts(elapsed_s=1, cpus=2, ranks=ranks, levels=[], user_s=1, system_s=0, faults=0, threads=[])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mpirun.openmpi -np 8 --oversubscribe -x A=1 ./app 3", "mpirun.openmpi -n 2 -x A=1 ./app 3"),
        ("mpirun.mpich -n 8 ./app", "mpirun.mpich -n 2 ./app"),
        ("mpirun.mpich -n 2 ./app", None),
        ("mpirun.openmpi ./app", None),
        ("mpirun.openmpi --no-such-option 8 ./app", None),
        ("./app -n 8", None),
    ],
)
def test_only_the_number_changes(line: str, expected: str | None) -> None:
    found = with_ranks(shlex.split(line), 2)
    assert (shlex.join(found) if found is not None else None) == expected


def test_fewer_ranks_are_suggested_where_there_are_too_many() -> None:
    words = shlex.split("mpirun.openmpi -n 8 ./app")
    assert suggestion(words, facts(8), "oversubscription") == "--try-command 'mpirun.openmpi -n 2 ./app'"
    assert suggestion(words, facts(2), "oversubscription") is None
    assert suggestion(words, facts(8), "page faults") is None


@pytest.mark.parametrize(
    ("finding", "inside_s", "suggested"),
    [
        ("communication", [6.0, 7.0, 6.0, 9.0], "--try-command 'mpirun.mpich -n 2 ./app'"),
        ("late sender", [6.0, 7.0], "--try-command 'mpirun.mpich -n 1 ./app'"),
        ("communication", [6.0] * 16, "--try-command 'mpirun.mpich -n 2 ./app'"),  # two cores
        ("communication", [6.0, 4.0, 6.0, 9.0], None),  # one rank works for most of the time
        ("imbalance of ranks", [6.0, 7.0, 6.0, 9.0], None),
        ("communication", [9.0], None),
        ("communication", [], None),
    ],
)
def test_half_of_the_ranks_where_all_wait_for_messages(
    finding: str, inside_s: list[float], suggested: str | None
) -> None:
    ranks = [RankFacts(seconds=10.0, inside_s=one, calls=9) for one in inside_s]
    told = facts(len(ranks)).model_copy(update={"mpi": ranks})
    words = shlex.split(f"mpirun.mpich -n {max(1, len(ranks))} ./app")
    assert suggestion(words, told, finding) == suggested
