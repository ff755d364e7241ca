"""The figures of a run."""

from __future__ import annotations

import sys

import pytest

from rooftop.command.driver import CommandDriver, Held, Spec, Terms
from rooftop.command.line import from_words
from rooftop.command.measured import Measured, read_pattern
from rooftop.command.process import Finished
from rooftop.errors import Misuse
from rooftop.executor import DriverFailed

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


@pytest.mark.case("commands.C4.range")
@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "1e300", "1e-300", "-1"])
def test_a_figure_beyond_what_can_be_reckoned_with_is_refused(text: str) -> None:
    finished = Finished(10, 0.5, 0.25, 3 << 20, 0, f"it is {text}\n".encode())
    with pytest.raises(ValueError, match="expected a number above 0, from 1e-100 to 1e\\+100"):
        Measured("figure", read_pattern(r"is (\S+)")).figures(finished)


def test_a_broken_pattern_is_misuse() -> None:
    with pytest.raises(Misuse, match="cannot be read"):
        read_pattern("(open")


def driver(words: list[str]) -> CommandDriver:
    spec, terms = Spec(from_words(words)), Terms(measured=Measured("maxrss"))
    return CommandDriver(spec, terms, Held(spec, terms))


def test_the_peak_memory_of_a_small_program_is_its_own() -> None:
    least, more = (
        (driver([sys.executable, "-I", "-S", "-c", f"bytearray({size} << 20)"]).sample(1, 30.0).figures or {})["maxrss"]
        for size in (0, 20)
    )
    assert least < 20 << 20
    assert 18 << 20 < more - least < 22 << 20


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["sh", "-c", "kill -SEGV $$"], r"was killed by signal 11 \(SIGSEGV\)"),
        (["sh", "-c", "exit 3"], "left with exit code 3"),
        (["/nowhere/program"], "/nowhere/program cannot be started: No such file"),
    ],
)
def test_a_program_that_is_weighed_ends_as_it_does(words: list[str], told: str) -> None:
    with pytest.raises(DriverFailed, match=told):
        driver(words).sample(1, 30.0)
