"""How a gate is told: JUnit XML that parses, Markdown that shows names as they are, sparklines."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from still_machine import StillMachine

from rooftop.compare.document import CommandResult
from rooftop.gate.document import BenchmarkResult, GateDocument, LookResult, RevisionResult
from rooftop.gate.judge import Outcome
from rooftop.gate.junit import junit_xml
from rooftop.gate.markdown import escaped, summary
from rooftop.gate.text import figures, headline, revisions
from rooftop.text.sparkline import sparkline

LOOK = LookResult(ratio=0.9, lo=0.88, hi=0.92, pairs=20, floor=0.01, p=0.001, stopped="blocks")


def benchmark(name: str, outcome: Outcome, **more: Any) -> BenchmarkResult:
    side = CommandResult(name=name, command=["true"], outcome="ok", median=0.02)
    content: dict[str, Any] = {"told": "why", "first": LOOK} | more
    return BenchmarkResult(
        name=name, outcome=outcome, metric="wall", unit="s", better="lower", threshold=0.02, base=side, head=side,
        **content,
    )  # fmt: skip


def document(*benchmarks: BenchmarkResult, **more: Any) -> GateDocument:
    content: dict[str, Any] = {"outcome": "regression", "interrupted": False} | more
    return GateDocument(
        rooftop="0", campaign="c", started="2026-01-01T00:00:00Z", threshold=0.02, correction="holm",
        benchmarks=list(benchmarks), reproduce="rooftop gate a b -- 'x | ``` y'",
        machine=StillMachine().machine(None), **content,
    )  # fmt: skip


ALL = document(
    benchmark("a", "fine", told=""),
    benchmark("b", "faster"),
    benchmark("c", "regression", confirmation=LOOK, p=0.01),
    benchmark("d", "not resolved"),
    benchmark("e", "wrong", first=None),
    benchmark("f", "failed", first=None),
    base=RevisionResult(name="main", commit="a" * 40),
    head=RevisionResult(name="HEAD", commit="b" * 40),
)


def test_junit_tells_outcomes_apart() -> None:
    root = ET.fromstring(junit_xml(ALL))
    suite = root[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
    }
    kinds = {
        case.get("name"): [child.tag for child in case if child.tag != "system-out"] for case in root.iter("testcase")
    }
    assert kinds == {"a": [], "b": [], "c": ["failure"], "d": ["skipped"], "e": ["error"], "f": ["error"]}
    skipped = next(root.iter("skipped"))
    assert skipped.get("message") == "not resolved: why"


@given(st.text(max_size=40))
def test_junit_takes_any_name(name: str) -> None:
    root = ET.fromstring(junit_xml(document(benchmark(name or "x", "regression", told=name))))
    assert len(list(root.iter("testcase"))) == 1


def cells(text: str) -> list[str]:
    """Return the cells of the table's body as a reader sees them."""
    shown = MarkdownIt("commonmark").enable("table").render(text)
    shown = shown.replace("<!-- -->", "")
    return [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", shown)]


@pytest.mark.parametrize(
    "name", ["a|b", "`a`", "*a* _b_", "<b>x</b>", "[a](b)", "@someone", "a\\|b", "#1", "~~a~~", "a\nb", "1. x", "&amp;"]
)
def test_markdown_shows_odd_names_as_they_are(name: str) -> None:
    found = cells(summary(document(benchmark(name, "regression"))))
    assert len(found) == 9
    assert found[1] == " ".join(name.split())
    assert "@someone" not in summary(document(benchmark(name, "regression")))


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=30))
def test_a_name_stays_within_its_cell(name: str) -> None:
    told = " ".join(name.split())
    found = cells(summary(document(benchmark(name, "fine"))))
    assert len(found) == 9
    assert found[1] == told


def test_markdown_tells_the_verdict_first_and_how_to_reproduce() -> None:
    text = summary(ALL)
    assert text.splitlines()[0].startswith("## ❌ regression: 1 failed, 1 wrong, 1 regressed")
    assert "````sh\nrooftop gate a b -- 'x | ``` y'\n````" in text
    assert "HEAD \\(bbbbbbbbbbbb\\) against main \\(aaaaaaaaaaaa\\)" in text
    assert len(cells(text)) == 6 * 9


def test_words() -> None:
    assert revisions(document()) == ""
    assert headline(document(outcome="fine", interrupted=True)) == "fine, interrupted: "
    assert figures(benchmark("a", "wrong", first=None)) == ""
    assert "20 new pairs" in figures(ALL.benchmarks[2])
    assert sparkline([1.0, 2.0, 3.0]) == "▁▅█"
    assert sparkline([1.0, 1.0]) == "▁▁"
    assert len(sparkline([1.0] * 200)) == 60
    assert escaped("a\n b") == "a b"
