"""Results of Google Benchmark and patterns of every kind: figures that can be compared, or one line that says why not.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

import json
import math
import re
import signal
from typing import Any

import pytest
from any_input import ODD, argument, examples, given_or_refused
from hypothesis import example, given
from hypothesis import strategies as st

from rooftop.command import number
from rooftop.command.check import Check, wrong
from rooftop.command.google_benchmark import CPU_TIME, REAL_TIME, read
from rooftop.command.measured import Measured, read_pattern
from rooftop.command.process import Finished, Limits

KEYS = ["name", "run_name", "run_type", "real_time", "cpu_time", "time_unit", "aggregate_name", "error_occurred"]
KEYS += ["error_message", "skipped", "skip_message", "family_index", "per_family_instance_index", "counter"]
NUMBERS = [0, -1, 1.5, 1e308, 5e-324, 1e-300, 10**30, 10**400, math.nan, math.inf, -math.inf, True]
SCALARS = st.one_of(
    st.none(),
    st.sampled_from(NUMBERS),
    st.floats(),
    st.integers(),
    st.sampled_from(["a", "a nan", "", "ns", "s", "h", "iteration", "aggregate", "median", "BigO", *ODD[:20]]),
    st.text(max_size=5),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
TIMED = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "a"]), "real_time": SCALARS, "cpu_time": SCALARS},
    optional={"time_unit": st.sampled_from(["ns", "us", "ms", "s", "h"]), "run_type": SCALARS},
)
ENTRIES = TIMED | st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8) | VALUES
DOCUMENTS = st.fixed_dictionaries({"benchmarks": st.lists(ENTRIES, max_size=5)}) | VALUES


def spelled(content: Any, low: bool, cut: int | None) -> bytes:
    text = json.dumps(content)
    if low:
        text = text.replace("NaN", "-nan").replace("Infinity", "inf")
    return text.encode()[:cut]


TEXTS = st.builds(spelled, DOCUMENTS, st.booleans(), st.none() | st.integers(0, 200)) | st.binary(max_size=60)
HUGE = b'{"benchmarks":[{"name":"a","real_time":1e307,"cpu_time":1e-320,"time_unit":"s"}]}'


@pytest.mark.case("commands.C4.times")
@given(TEXTS)
@example(HUGE)
@example(b'{"benchmarks":[{"name":"a","real_time":' + b"9" * 5000 + b"}]}")
@example(b"[" * 100_000)
@example(b'{"benchmarks":[{"name":"a","real_time":0,"cpu_time":1.5}]}')
@example(b'{"benchmarks":[{"name":"\\ud800","real_time":1,"cpu_time":1}]}')
@examples(200)
def test_any_input_of_google_benchmark(text: bytes) -> None:
    def figures() -> None:
        for name, value in read(text).figures.items():
            assert name.startswith((REAL_TIME, CPU_TIME))
            name.encode()
            # 0: a clock too coarse for it, which is told where it is compared.
            assert value == 0 or 1e-100 <= value <= 1e100

    given_or_refused(figures, ValueError)


PATTERNS = st.one_of(
    argument(),
    st.text("abt0+*?()[]{}|\\.^$-,:=d19 ", max_size=14),
    st.sampled_from([r"took ([0-9.]+)", r"(\d+)", r"([-+0-9.e]+)", r"(?P<n>\d+)", r"(?=a)", r"(a)|(\d)", r"(\d)?"]),
)
OUTPUTS = st.one_of(
    st.binary(max_size=40),
    st.text("0123456789.eEdD+-,:' tok\n", max_size=30).map(str.encode),
    st.sampled_from(ODD).map(lambda text: f"took {text}\n".encode("utf-8", "replace")),
)


@pytest.mark.case("commands.C4.regex")
@given(PATTERNS, OUTPUTS, st.booleans())
@example("a{99999999999999999999}", b"", False)
@example("(" * 5000 + ")" * 5000, b"", False)
@example("[[a]", b"", False)
@example("\ud800", b"", False)
@examples(200)
def test_any_input_as_a_pattern(text: str, output: bytes, cut: bool) -> None:
    pattern: list[re.Pattern[bytes]] = []
    given_or_refused(lambda: pattern.append(read_pattern(text)))
    if not pattern or pattern[0].groups > 1:
        return
    finished = Finished(10, 0.1, 0.1, None, 0, output, truncated=cut)

    def figure() -> None:
        assert 1e-100 <= Measured("figure", pattern[0]).figures(finished)["output"] <= 1e100

    given_or_refused(figure, ValueError)
    told = wrong(finished, Check(pattern=pattern[0]), None, Limits())
    assert told is None or "\n" not in told


@given(OUTPUTS, OUTPUTS, st.floats(0, 1, exclude_max=True))
@example(b"1" * 400, b"2" * 400, 0.5)
@examples(100)
def test_any_input_as_outputs_to_be_compared(expected: bytes, seen: bytes, tolerance: float) -> None:
    told = wrong(Finished(10, 0.1, 0.1, None, 0, seen), Check(same_output=tolerance), expected, Limits())
    assert told is None or "\n" not in told


@pytest.mark.case("commands.D2.for-ever")
def test_search_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number, "LIMIT_S", 0.1)
    before_s, _ = signal.getitimer(signal.ITIMER_REAL)  # pytest's own limit, where it has one
    finished = Finished(10, 0.1, 0.1, None, 0, b"a" * 60 + b"c")
    with pytest.raises(ValueError, match=r"searching for '\(a\+\)\+b' takes longer than 0.1 s"):
        Measured("figure", read_pattern("(a+)+b")).figures(finished)
    told = wrong(finished, Check(pattern=read_pattern("(a+)+b")), None, Limits())
    assert told is not None
    assert "takes longer than 0.1 s: expected a simpler pattern" in told
    after_s, interval_s = signal.getitimer(signal.ITIMER_REAL)
    assert interval_s == 0
    assert (after_s > 0) == (before_s > 0)
    assert after_s <= before_s
