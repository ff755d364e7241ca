"""Checks of a command's result: its exit code, its output, and the verdict of another command."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from unicodedata import normalize

from rooftop.command.line import CommandLine
from rooftop.command.not_started import not_started, why_not_launched
from rooftop.command.number import limited_search, plain, value
from rooftop.command.process import Finished, Limits, run
from rooftop.driver.error_output import KEPT_BYTES, ending, it_said, last_words
from rooftop.text.plural import plural

_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdDqQ][-+]?\d+)?")
_NOT_UTF8 = re.compile(r"\\udc([89a-f][0-9a-f])")  # as repr() spells what "surrogateescape" makes of such a byte
_SHOWN = 60
_BEFORE = 20  # bytes of a long line that are shown before its first difference


@dataclass(frozen=True)
class Check:
    """The conditions for a correct run. By default, exit code 0.

    any_status      accept every exit code
    codes           accepted exit codes other than 0
    pattern         must match in standard output
    same_output     standard output must equal that of the reference; if above 0, numbers may differ by this relative
                    tolerance
    judge           command that gets the output on standard input at each verification; exit code 0 means correct
    """

    any_status: bool = False
    codes: tuple[int, ...] = ()
    pattern: re.Pattern[bytes] | None = None
    same_output: float | None = None
    judge: CommandLine | None = None

    @property
    def reads_output(self) -> bool:
        """Whether the check needs the output."""
        return self.pattern is not None or self.same_output is not None or self.judge is not None


def said_last(finished: Finished) -> str:
    """Return the end of a run's standard error, or of its standard output if that was kept."""
    return finished.said or last_words(finished.output[-KEPT_BYTES:])


def it_printed(finished: Finished) -> str:
    """Return the end of a sentence that quotes the end of a run's output."""
    return it_said(said_last(finished)) or "; it printed nothing"


def failure(finished: Finished, check: Check, limits: Limits, folder: Path | None = None) -> str | None:
    """Return why a run in a folder failed; None if it succeeded."""
    if finished.timed_out:
        return f"took longer than {limits.timeout_s:.3g} s"
    accepted = finished.status in check.codes or (check.any_status and finished.status > 0)  # a signal is no exit code
    if finished.status != 0 and not accepted:
        how = ending(finished.status) + _under(limits)
        told = why_not_launched(finished.errors.decode("utf-8", "replace"), folder)
        return f"{how}: {told}" if told is not None else how + it_said(said_last(finished))
    return None


def _under(limits: Limits) -> str:
    """Return the memory limit in words: it may be the reason for any failure."""
    return f" under --memory-limit, which is {plural(limits.memory_bytes, 'byte')}" if limits.memory_bytes else ""


def cut(finished: Finished, limits: Limits) -> str | None:
    """Return why the output of a run cannot be checked; None if all of it was kept."""
    return (
        f"printed more than {limits.output_bytes} bytes, which is all that can be checked"
        if finished.truncated
        else None
    )


def wrong(finished: Finished, check: Check, reference: bytes | None, limits: Limits) -> str | None:
    """Return what is wrong with the output of a run that succeeded; None if it is correct."""
    if check.reads_output and (told := cut(finished, limits)) is not None:
        return told
    if check.pattern is not None and (told := _not_found(check.pattern, finished)) is not None:
        return told
    if check.same_output is None or reference is None:
        return None
    difference = first_difference(reference, finished.output, check.same_output)
    return f"its output differs from the first correct output: {difference}" if difference is not None else None


def _not_found(pattern: re.Pattern[bytes], finished: Finished) -> str | None:
    shown = pattern.pattern.decode("utf-8", "replace")
    try:
        with limited_search(shown):
            found = pattern.search(plain(pattern, finished.output)) is not None
    except ValueError as error:
        return str(error)
    return None if found else f"its output does not match {shown!r}{it_printed(finished)}"


def judged_wrong(finished: Finished, check: Check, limits: Limits) -> str | None:
    """Run the user's check. Return what it reports as wrong; None if it accepts, or if there is no check."""
    if check.judge is None:
        return None
    of_check = Limits(limits.timeout_s, output_bytes=KEPT_BYTES)
    try:
        done = run(check.judge.words, of_check, capture="last", given=finished.output)
    except OSError as error:
        return f"the check: {not_started(check.judge.words, error)}"
    if (reason := failure(done, Check(), of_check)) is None:
        return None
    return f"the check {check.judge.text!r} {reason}"


def first_difference(expected: bytes, seen: bytes, tolerance: float) -> str | None:
    """Return the first line that differs, numbers by more than the relative tolerance; None if all lines agree.

    Lines end with a line feed. A carriage return is part of the line.
    """
    if expected == seen:
        return None
    ours, theirs = _lines(expected), _lines(seen)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b and not _alike(a, b, tolerance):
            shown = _shown(a, b)
            return f"line {number} is {shown[1]}, expected {shown[0]}"
    if len(ours) != len(theirs):
        return f"{plural(len(theirs), 'line')}, expected {len(ours)}"
    if seen.endswith(b"\n") == expected.endswith(b"\n"):
        return None
    if seen.endswith(b"\n"):
        return "its last line ends with a line feed, the expected one does not"
    return "its last line does not end with a line feed, the expected one does"


def _lines(text: bytes) -> list[bytes]:
    lines = text.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _alike(a: bytes, b: bytes, tolerance: float) -> bool:
    if tolerance <= 0 or _NUMBER.sub(b"0", a) != _NUMBER.sub(b"0", b):
        return False
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
    return all(x == y or _near(value(x), value(y), tolerance) for x, y in pairs)


def _near(a: float, b: float, tolerance: float) -> bool:
    """Return whether two numbers agree. An infinite number agrees with nothing but the same text."""
    return math.isfinite(a) and math.isclose(a, b, rel_tol=tolerance)


def _shown(a: bytes, b: bytes) -> tuple[str, str]:
    """Return two lines around their first difference, with escapes for invisible characters."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    begin = max(0, same - _BEFORE) if max(len(a), len(b)) > _SHOWN else 0
    cut = [line[begin : begin + _SHOWN] for line in (a, b)]
    texts = [line.decode("utf-8", "surrogateescape") for line in cut]
    if normalize("NFC", texts[0]) == normalize("NFC", texts[1]):  # they would look alike
        spelled = [repr(line)[2:-1] for line in cut]
    else:
        spelled = [_NOT_UTF8.sub(r"\\x\1", repr(text)[1:-1]) for text in texts]
    head = "…" if begin else ""
    first, second = (
        f"'{head}{text}{'…' if begin + _SHOWN < len(line) else ''}'" for text, line in zip(spelled, (a, b), strict=True)
    )
    return first, second
