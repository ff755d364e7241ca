"""What perf prints, as text, and a real profile where there is perf."""

from __future__ import annotations

import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.process import Limits, run
from rooftop.observe.profile import HotFunction, NoProfile, parse_report, profile

REPORT = """
# comment
    61.20%\tlibc.so.6\t[.] malloc
    11.00%\t[kernel.kallsyms]\t[k] clear_page_erms
     0.40%\tapp\t[.] operator<< (std::ostream&, a b)
"""


def test_lines_of_a_report() -> None:
    assert parse_report(REPORT) == [
        HotFunction(share=0.612, file="libc.so.6", function="malloc", kernel=False),
        HotFunction(share=0.11, file="[kernel.kallsyms]", function="clear_page_erms", kernel=True),
        HotFunction(share=0.004, file="app", function="operator<< (std::ostream&, a b)", kernel=False),
    ]


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    parse_report(text)


def test_a_program_whose_time_is_in_one_function() -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed")
    words = [sys.executable, "-c", "sum(i * i for i in range(6_000_000))"]
    try:
        found = profile(words, lambda line: run(line, Limits(60.0)))
    except NoProfile as reason:
        pytest.skip(str(reason))
    assert found.finished.status == 0
    assert sum(one.share for one in found.functions if "python" in one.file) > 0.5


def test_without_perf_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(NoProfile, match="perf is not installed"):
        profile(["true"], lambda line: run(line, Limits(60.0)))
