"""A campaign of labs begins with one table by chapter; no sentence compares their rungs, nor misses a peer."""

from __future__ import annotations

from pathlib import Path

from synthetic_climb import realistic

from rooftop import report
from rooftop.documents import ClimbDocument, PredictionResult


def _prediction(agrees: bool | None, measured: float | None) -> PredictionResult:
    reason = None if measured is not None else "20-line-apart was skipped"
    return PredictionResult(
        of="10-shared-line", over="20-line-apart", threads=2, formula="threads + 1", within=1.5, predicted=3.0,
        measured=measured, lo=measured, hi=measured, agrees=agrees, reason=reason,
    )  # fmt: skip


def _labs() -> ClimbDocument:
    document = realistic()
    first, second = document.experiments[:2]
    first.chapter, first.title = "Threads", "Locks that contend"
    second.chapter, second.title = "Memory", "Lines of a cache"
    for case in second.cases:
        case.predictions = []
    first.cases[0].predictions = [_prediction(True, 2.9), _prediction(False, 9.0), _prediction(None, None)]
    return document


def _text(document: ClimbDocument, path: Path) -> str:
    report.write(document, path)
    return " ".join(path.read_text(encoding="utf-8").split())


def test_chapters_are_in_the_order_of_the_course(tmp_path: Path) -> None:
    text = _text(_labs(), tmp_path / "page.html")
    assert text.index("<strong>Memory</strong>") < text.index("<strong>Threads</strong>")
    assert "0 of 1 lab agree with all their predictions, and 1 of 2 predictions hold." in text
    assert "20-line-apart was skipped" in text
    assert "disagrees within a factor of 1.5" in text


def test_labs_have_no_sentence_about_their_rungs(tmp_path: Path) -> None:
    text = _text(_labs(), tmp_path / "page.html")
    assert "No peer could be measured" not in text
    assert 'id="predictions"' not in text


def test_campaigns_without_labs_have_no_table_of_them(tmp_path: Path) -> None:
    assert 'id="labs"' not in _text(realistic(), tmp_path / "page.html")
