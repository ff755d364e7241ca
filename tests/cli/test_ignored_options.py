"""Options that have no effect beside others are misuse, in one line, before anything is read or measured."""

from __future__ import annotations

import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE

BEYOND = str((1 << 64) + 1)  # 1 in 64 bits
ONE_RANK = "needs several ranks, but --ranks is 1"
FT = [
    ("--iterations 3", "--iterations is 3, but class S has 6: for another number, use --size 64x64x64"),
    ("--messages", f"--messages {ONE_RANK}"),
    ("--blocking", f"--pipelined or --blocking {ONE_RANK}"),
    ("--pipelined", f"--pipelined or --blocking {ONE_RANK}"),
    ("--pieces 4", f"--pieces {ONE_RANK}"),
    ("--trace trace.json", f"--trace {ONE_RANK}"),
    ("--picture page.html", f"--picture {ONE_RANK}"),
    ("--ranks 2 --overlap 6 --blocking", "--overlap compares pipelined with blocking runs"),
]
SEARCHES = [
    ("--time 5s --iterations 5", "--time is 5s and --iterations is 5: expected one of them"),
    (f"--seed {BEYOND}", f"--seed is {BEYOND}, expected a whole number of at most 63 bits"),
]


def refused(capsys: pytest.CaptureFixture[str], words: str, says: str) -> None:
    code = main(words.split())
    captured = capsys.readouterr()
    assert (code, captured.out) == (MISUSE, "")
    assert says in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.case("solvers.B6")
@pytest.mark.parametrize(("options", "says"), FT)
def test_solve_ft(capsys: pytest.CaptureFixture[str], options: str, says: str) -> None:
    refused(capsys, f"solve ft --class S {options}", says)


@pytest.mark.case("solvers.B6.searches", "solvers.B2.seed")
@pytest.mark.parametrize(("options", "says"), SEARCHES)
@pytest.mark.parametrize("command", ["tsp no.tsp", "tsp no.tsp --ranks 2", "network nowhere"])
def test_searches(capsys: pytest.CaptureFixture[str], command: str, options: str, says: str) -> None:
    refused(capsys, f"solve {command} {options}", says)


@pytest.mark.case("solvers.B6.climb")
def test_climb(capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "climb winograd --no-build", "--no-build applies to experiments of --from DIR")
