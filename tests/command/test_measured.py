"""The figures of a run."""

from __future__ import annotations

import re
import sys

import pytest

from rooftop.command.check import Check
from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.line import from_words
from rooftop.command.measured import Measured, read_pattern
from rooftop.command.process import Finished, Limits
from rooftop.command.spec import Spec
from rooftop.driver.executor import DriverFailed
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
    with pytest.raises(ValueError, match=r"its output has no match|expected a number"):
        Measured("figure", read_pattern(pattern)).figures(RUN)


@pytest.mark.case("commands.D3")
def test_sample_whose_figure_is_zero_is_below_the_clock_s_resolution() -> None:
    idle = Finished(10, 0.0, 0.0, 3 << 20, 0)
    measured = Measured("user")
    measured.require_resolved({"user": 0.001})
    with pytest.raises(ValueError, match="its user is 0, below the resolution of the clock, whose ticks take up to"):
        measured.require_resolved(measured.figures(idle))
    assert Measured("maxrss").figures(idle)["maxrss"] == 3 << 20
    assert Measured().figures(idle)["user"] == 0


@pytest.mark.case("commands.D3.sample")
def test_samples_of_a_coarse_clock_are_made_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 0.002, 0.0, 0.001, 0.0, 0.004, 0.0] + 8 * [0.002] + 8 * [0.0])

    def run(*_: object, **__: object) -> Finished:
        return Finished(2_000_000, next(ticks), 0.001, None, 0)

    monkeypatch.setattr("rooftop.command.driver.run", run)
    spec, terms = Spec(from_words(["true"])), Terms(measured=Measured("user"))
    one = CommandDriver(spec, terms, Held(spec, terms))
    assert one.calibrate(1, 30.0).iterations == 8
    with pytest.raises(DriverFailed, match="below the resolution of the clock"):
        one.sample(8, 30.0)


@pytest.mark.case("commands.D3.unseen")
def test_figure_that_was_not_seen_is_not_called_none() -> None:
    unseen = Finished(10, 0.1, 0.1, None, 0)
    for name, told in (("maxrss", "its peak memory is not known"), ("instructions", "perf did not count them")):
        with pytest.raises(ValueError, match=told):
            Measured(name).figures(unseen)


@pytest.mark.case("commands.D3.printed")
def test_printed_figure_that_is_zero_was_rounded() -> None:
    with pytest.raises(ValueError, match=r"gives 0.0, expected a number above 0, .*: where the program rounds, let it"):
        Measured("figure", read_pattern("took ([0-9.]+)")).figures(Finished(10, 0.1, 0.1, None, 0, b"took 0.00\n"))


@pytest.mark.case("commands.D2", "commands.D2.last")
def test_of_a_long_output_the_end_is_searched() -> None:
    measured = Measured("figure", read_pattern("took ([0-9.]+)"))
    terms = Terms(measured=measured, limits=Limits(30.0, output_bytes=1000))
    spec = Spec(from_words(["sh", "-c", "echo took 1; yes | head -n 5000; echo took 2; yes | head -n 400"]))
    figures = CommandDriver(spec, terms, Held(spec, terms)).sample(1, 30.0).figures or {}
    assert figures["output"] == 2
    spec = Spec(from_words(["sh", "-c", "echo took 1; yes | head -n 5000"]))
    told = "it printed more than is kept, and the last 1000 bytes have no match for"
    with pytest.raises(DriverFailed, match=told):
        CommandDriver(spec, terms, Held(spec, terms)).sample(1, 30.0)
    cut = Finished(10, 0.1, 0.1, None, 0, b"2.5\ntook", truncated=True)  # of 12.5
    with pytest.raises(ValueError, match="no match for"):
        Measured("figure", read_pattern("^([0-9.]+)")).figures(cut)


@pytest.mark.case("commands.D2.checked")
def test_long_output_that_is_to_be_checked_is_told_before_its_figure_is_missed() -> None:
    limits = Limits(30.0, output_bytes=1000)
    terms = Terms(Check(pattern=re.compile(b"y")), Measured("figure", read_pattern("took ([0-9.]+)")), limits)
    spec = Spec(from_words(["sh", "-c", "yes | head -n 5000; echo took 1"]))
    with pytest.raises(DriverFailed, match="printed more than 1000 bytes, which is all that can be checked"):
        CommandDriver(spec, terms, Held(spec, terms)).sample(1, 30.0)


@pytest.mark.case("commands.D1.output")
def test_error_output_stand_where_a_figure_is_missed() -> None:
    measured = Measured("figure", read_pattern("took ([0-9.]+)"))
    with pytest.raises(ValueError, match=r"no match for 'took .*; it said: usage: no input file"):
        measured.figures(Finished(10, 0.1, 0.1, None, 0, b"usage:\nno input file\n"))
    with pytest.raises(ValueError, match="; it printed nothing"):
        measured.figures(Finished(10, 0.1, 0.1, None, 0))


@pytest.mark.case("commands.F20")
def test_a_figure_on_standard_error_is_seen_and_told() -> None:
    measured = Measured("figure", read_pattern("took ([0-9.]+)"))
    with pytest.raises(ValueError, match=r"its standard error has it: add 2>&1 to the command"):
        measured.figures(Finished(10, 0.1, 0.1, None, 0, b"ready\n", errors=b"took 3 s\n"))
    with pytest.raises(ValueError, match=r"its output has no match for .*; it said: took long"):
        measured.figures(Finished(10, 0.1, 0.1, None, 0, b"ready\n", errors=b"took long\n"))


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
        (["sh", "-c", "exit 3"], "exited with code 3"),
        (["/nowhere/program"], "/nowhere/program cannot be started: No such file"),
    ],
)
def test_a_program_that_is_weighed_ends_as_it_does(words: list[str], told: str) -> None:
    with pytest.raises(DriverFailed, match=told):
        driver(words).sample(1, 30.0)
