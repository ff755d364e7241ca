"""A number is read as a whole or not at all."""

from __future__ import annotations

import re

import pytest

from rooftop.command.check import first_difference
from rooftop.command.number import found_number

PLAIN = r"time: ([0-9.]+)"


def read(pattern: str, output: str) -> float:
    return found_number(re.compile(pattern.encode(), re.MULTILINE), output.encode())


@pytest.mark.case("commands.A2")
@pytest.mark.parametrize(
    ("pattern", "output", "whole"),
    [
        (PLAIN, "time: 9.5e-02", "9.5e-02"),
        (PLAIN, "time: 9.E+3 s", "9.E+3"),
        (PLAIN, "time: 1.50D+03", "1.50D+03"),
        (PLAIN, "time: 1.50-103", "1.50-103"),
        (PLAIN, "time: 1,234.5", "1,234.5"),
        (PLAIN, "time: 9,5 s", "9,5"),
        (PLAIN, "time: 1'234", "1'234"),
        (PLAIN, "time: 1_234", "1_234"),
        (PLAIN, "time: 1\u202f234", "1\u202f234"),
        (r"time: ([0-9]+)", "time: 9.5", "9.5"),
        (r"time: ([0-9])", "time: 95", "95"),
        (r"time: ([0-9.]+).*", "time: 9.5e-02 s", "9.5e-02"),
    ],
)
def test_a_number_that_goes_on_is_refused(pattern: str, output: str, whole: str) -> None:
    with pytest.raises(ValueError, match=f"of {re.escape(repr(whole))}: expected the whole number in the pattern"):
        read(pattern, output)


@pytest.mark.case("commands.A2.before")
@pytest.mark.parametrize(
    ("pattern", "output", "whole"),
    [
        (r"([0-9]+) ms", "took 0.5 ms", "0.5"),
        (r"([0-9]+) ms", "took 1,234 ms", "1,234"),
        (r"([0-9.]+) s", "took 1e-05 s", "1e-05"),
        (r"took.*([0-9.]+) s", "took 12.5 s", "12.5"),
        (r"([0-9.]+)$", "balance -5.0", "-5.0"),
        (r"([0-9]+)$", "mask 0x10", "0x10"),
    ],
)
def test_a_number_that_began_before_is_refused(pattern: str, output: str, whole: str) -> None:
    with pytest.raises(ValueError, match=f"of {re.escape(repr(whole))}: expected"):
        read(pattern, output)


@pytest.mark.case("commands.A2.clock")
@pytest.mark.parametrize(
    ("pattern", "output"),
    [
        (r"real ([0-9.]+)", "real 1:02.50"),
        (r"real\s+([0-9.]+)", "real\t1m2.345s"),
        (r"([0-9.]+) elapsed", "1:02.50 elapsed"),
    ],
)
def test_minutes_and_seconds_are_no_number(pattern: str, output: str) -> None:
    with pytest.raises(ValueError, match="expected the whole number"):
        read(pattern, output)


@pytest.mark.parametrize(
    ("pattern", "output", "value"),
    [
        (r"time: ([0-9.e+-]+)", "time: 9.5e-02 s", 0.095),
        (PLAIN, "It took some time: 9.", 9.0),
        (PLAIN, "time: 9.5s", 9.5),
        (PLAIN, "time: 9.5, then 3", 9.5),
        (PLAIN, "time: 9.5\n1 more", 9.5),
        (r"total,([0-9]+),", "total,12,345", 12.0),
        (r",([0-9]+)$", "total,12,345", 345.0),
        (r"([0-9.]+)$", "case1,34.5", 34.5),
        (r"bench2:([0-9.]+)", "bench2:34.5", 34.5),
        (r"[0-9.]+(?= s)", "3-5 s", 5.0),
        (r"GFLOP/s = ([0-9.]+)", "GFLOP/s = 3.5\nGFLOP/s = 12.25 best\n", 12.25),
    ],
)
def test_whole_numbers_are_read(pattern: str, output: str, value: float) -> None:
    assert read(pattern, output) == pytest.approx(value)


@pytest.mark.case("commands.A2.fortran")
def test_exponents_of_fortran_are_read() -> None:
    assert read(r"time: ([0-9.DEde+-]+)", "time: 1.50D-03") == pytest.approx(0.0015)


@pytest.mark.case("commands.A2.same-output")
def test_exponents_of_fortran_are_compared_as_such() -> None:
    assert first_difference(b"sum 1.5D+10", b"sum 1.5D+11", 0.2) is not None
    assert first_difference(b"sum 1.50D+10", b"sum 1.51D+10", 0.2) is None


@pytest.mark.case("commands.F22")
@pytest.mark.parametrize(
    "output",
    [
        "time: \x1b[1m2.5\x1b[0m s",
        "\x1b[32mtime:\x1b[39;49m 2.5",
        "time\x1b]8;;x\x07: 2.5",
        "\x1b[31mtime: 1\x1b[0m\ntime: 2.5",
    ],
)
def test_colours_are_no_part_of_an_output(output: str) -> None:
    assert read(PLAIN, output) == 2.5


def test_a_pattern_may_name_colours() -> None:
    assert read(r"\x1b\[1m([0-9.]+)", "3.5 \x1b[1m2.5\x1b[0m") == 2.5


@pytest.mark.case("commands.F21")
def test_of_several_matches_the_last_counts() -> None:
    assert read(PLAIN, "time: 1.5\ntime: 2.5\n") == 2.5


@pytest.mark.case("commands.F36")
def test_what_is_no_number_is_shown_as_a_text() -> None:
    with pytest.raises(ValueError, match=r"gives '1.50X\+03', expected a number"):
        read(r"time: (\S+)", "time: 1.50X+03")
