"""When a command's answer is right."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.check import Check, failure, first_difference, judged_wrong, wrong
from rooftop.command.line import from_text
from rooftop.command.process import Finished, Limits

LIMITS = Limits(timeout_s=10.0)


def finished(output: bytes = b"", status: int = 0, **more: object) -> Finished:
    return Finished(10, 0.1, 0.1, 1 << 20, status, output, **more)  # type: ignore[arg-type]


@pytest.mark.case("commands.D1.output", "commands.H8.signal")
def test_how_it_ended() -> None:
    assert failure(finished(), Check(), LIMITS) is None
    assert failure(finished(status=2), Check(any_status=True), LIMITS) is None
    assert failure(finished(status=-9), Check(any_status=True), LIMITS) is not None
    assert failure(finished(status=2, errors=b"no such file"), Check(), LIMITS) == (
        "exited with code 2; it said: no such file"
    )
    assert failure(finished(b"1 passed\n2 failed\n", status=1), Check(), LIMITS) == (
        "exited with code 1; it said: 1 passed 2 failed"
    )
    assert failure(finished(status=-11), Check(), LIMITS) == "was killed by signal 11 (SIGSEGV)"
    assert failure(finished(status=-15, timed_out=True), Check(any_status=True), LIMITS) == "took longer than 10 s"


def test_what_it_must_print() -> None:
    check = Check(pattern=re.compile(rb"^residual .*e-1\d$", re.MULTILINE))
    assert wrong(finished(b"n 5\nresidual 3e-12\n"), check, None, LIMITS) is None
    assert "does not match" in str(wrong(finished(b"residual 3e-02\n"), check, None, LIMITS))
    assert "printed more than" in str(wrong(finished(b"x", truncated=True), check, None, LIMITS))


def test_the_same_output() -> None:
    check = Check(same_output=1e-6)
    assert wrong(finished(b"sum 1.00000001 of 3\n"), check, b"sum 1.00000002 of 3\n", LIMITS) is None
    assert wrong(finished(b"sum 1.1\n"), check, None, LIMITS) is None
    told = wrong(finished(b"a\nsum 1.1\n"), check, b"a\nsum 1.0\n", LIMITS)
    assert told == "its output differs from the first correct output: line 2 is 'sum 1.1', expected 'sum 1.0'"


@pytest.mark.parametrize(
    ("expected", "seen", "tolerance", "same"),
    [
        (b"a\r\nb\n", b"a\nb\n", 0.0, False),
        (b"a\rb\n", b"a\nb\n", 0.0, False),
        (b"a\n", b"a", 0.0, False),
        (b"", b"\n", 0.0, False),
        (b"1.0\r\n", b"1.0\n", 1e-6, False),
        (b"1.0\n", b"1.0", 1e-6, False),
        (b"1.0", b"1.0", 0.0, True),
        (b"1.0", b"1.00", 0.0, False),
        (b"1.0", b"1.00", 1e-12, True),
        (b"-2e5 s", b"-200000.1 s", 1e-6, True),
        (b"-2e5 s", b"2e5 s", 1e-6, False),
        (b"x 1", b"y 1", 1.0, False),
        (b"1e400", b"2e400", 1e-6, False),
        (b"1\n2\n", b"1\n", 1e-6, False),
        (b"nan", b"inf", 1e-6, False),
    ],
)
def test_first_difference(expected: bytes, seen: bytes, tolerance: float, same: bool) -> None:
    assert (first_difference(expected, seen, tolerance) is None) == same


@pytest.mark.case("commands.G6")
@pytest.mark.parametrize(
    ("expected", "seen", "told"),
    [
        (b"a\nb\n", b"a\rb\n", r"line 1 is 'a\rb', expected 'a'"),
        (b"a\nb\n", b"a\r\nb\n", r"line 1 is 'a\r', expected 'a'"),
        (b"\xfe\n", b"\xff\n", r"line 1 is '\xff', expected '\xfe'"),
        (b"caf\xc3\xa9\n", b"cafe\xcc\x81\n", r"line 1 is 'cafe\xcc\x81', expected 'caf\xc3\xa9'"),
        ("é\n".encode(), b"e\n", "line 1 is 'e', expected 'é'"),
        (b"x\n", b"\x1b[1mx\n", r"line 1 is '\x1b[1mx', expected 'x'"),
        (b"a\n", b"a", "its last line does not end with a line feed, the expected one does"),
        (b"a", b"a\n", "its last line ends with a line feed, the expected one does not"),
        (b"a\nb\n", b"a\n", "1 line, expected 2"),
        (b"x" * 90 + b"1 y\n", b"x" * 90 + b"2 y\n", f"line 1 is '…{'x' * 20}2 y', expected '…{'x' * 20}1 y'"),
        (b"a" + b"x" * 90, b"b" + b"x" * 90, f"line 1 is 'b{'x' * 59}…', expected 'a{'x' * 59}…'"),
    ],
)
def test_a_difference_is_shown_byte_by_byte(expected: bytes, seen: bytes, told: str) -> None:
    assert first_difference(expected, seen, 0.0) == told


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_only_the_same_bytes_are_the_same(expected: bytes, seen: bytes) -> None:
    assert (first_difference(expected, seen, 0.0) is None) == (expected == seen)


@given(st.binary())
def test_a_text_is_its_own(text: bytes) -> None:
    assert first_difference(text, text, 0.0) is None
    assert first_difference(text, text + b"\nmore", 1e-3) is not None


@pytest.mark.case("commands.D2.check")
def test_error_output_of_a_check_are_its_last() -> None:
    check = Check(judge=from_text("sh -c 'yes | head -n 20000; echo sum is wrong; exit 1'"))
    assert str(judged_wrong(finished(), check, LIMITS)).endswith("exited with code 1; it said: y sum is wrong")


def test_another_command_judges() -> None:
    check = Check(judge=from_text("grep -q right"))
    assert judged_wrong(finished(b"all right\n"), check, LIMITS) is None
    assert judged_wrong(finished(b"all wrong\n"), check, LIMITS) == "the check 'grep -q right' exited with code 1"
    assert "cannot be started" in str(judged_wrong(finished(), Check(judge=from_text("/nowhere/x")), LIMITS))
