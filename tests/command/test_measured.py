"""The figures of a run."""

from __future__ import annotations

import pytest

from rooftop.command.measured import Measured, read_pattern
from rooftop.command.process import Finished
from rooftop.errors import Misuse

RUN = Finished(10, 0.5, 0.25, 3 << 20, 0, b"GFLOP/s = 3.5\nGFLOP/s = 12.25 best\n")


def test_figures_of_every_run() -> None:
    assert Measured().figures(RUN) == {"user": 0.5, "cpu": 0.75, "maxrss": 3 << 20}


def test_the_last_number_that_a_pattern_finds() -> None:
    measured = Measured("figure", read_pattern(r"GFLOP/s = ([\d.]+)"), "higher")
    assert measured.figures(RUN)["output"] == 12.25
    assert measured.metric.cost(4.0) == 0.25


@pytest.mark.parametrize("pattern", ["MB/s = ([0-9]+)", "(best)", "best|GFLOP"])
def test_a_pattern_that_gives_no_number(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"its output has nothing|expected a number"):
        Measured("figure", read_pattern(pattern)).figures(RUN)


def test_a_figure_that_is_zero_cannot_be_compared() -> None:
    idle = Finished(10, 0.0, 0.0, 3 << 20, 0)
    with pytest.raises(ValueError, match="its user is 0"):
        Measured("user").figures(idle)
    assert Measured("maxrss").figures(idle)["maxrss"] == 3 << 20


def test_a_broken_pattern_is_misuse() -> None:
    with pytest.raises(Misuse, match="cannot be read"):
        read_pattern("(open")
