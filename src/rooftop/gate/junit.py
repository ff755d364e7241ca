"""Write a gate as JUnit XML, which CI servers show as test results."""

from __future__ import annotations

import re

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from rooftop.gate.document import BenchmarkResult, GateDocument
from rooftop.gate.text import figures, headline, revisions
from rooftop.text.visible import visible

# XML 1.0 has no place for other characters, however they are escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", visible(text))


def _result(one: BenchmarkResult) -> Failure | Error | Skipped | None:
    message = _clean(one.told or one.outcome)
    if one.outcome == "regression":
        return Failure(message, "regression")
    if one.outcome in ("wrong", "failed"):
        return Error(message, one.outcome)
    return Skipped(f"not resolved: {message}") if one.outcome == "not resolved" else None


def junit_xml(document: GateDocument) -> str:
    """Return the XML: a regression is a failure, a wrong or failed head an error, what is not resolved is skipped."""
    suite = TestSuite("rooftop gate")
    suite.timestamp = document.started.removesuffix("Z")
    suite.hostname = _clean(document.machine.id)
    for name, value in (
        ("outcome", headline(document)),
        ("revisions", revisions(document)),
        ("campaign", document.campaign),
        ("reproduce", document.reproduce),
    ):
        suite.add_property(name, _clean(value))
    for one in document.benchmarks:
        seconds = sum(sample.wall_s * (one.head.runs_per_sample or 1) for sample in one.head.samples)
        case = TestCase(_clean(one.name), "rooftop.gate", seconds)
        told = _clean("\n".join(part for part in (figures(one), one.told) if part))
        if (result := _result(one)) is not None:
            result.text = told
            case.result = [result]
        case.system_out = told
        suite.add_testcase(case)
    return _text(suite)


def junit_error(message: str, kind: str) -> str:
    """Return the XML of a gate without a document: a single test with an error."""
    suite = TestSuite("rooftop gate")
    case = TestCase("rooftop gate", "rooftop.gate", 0.0)
    error = Error(_clean(message), kind)
    error.text = _clean(message)
    case.result = [error]
    suite.add_testcase(case)
    return _text(suite)


def _text(suite: TestSuite) -> str:
    xml = JUnitXml("rooftop gate")
    xml.add_testsuite(suite)
    xml.update_statistics()  # type: ignore[no-untyped-call]
    content = xml.tostring()  # type: ignore[no-untyped-call]
    text: str = content.decode("utf-8") if isinstance(content, bytes) else content
    return text if text.startswith("<?xml") else f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
