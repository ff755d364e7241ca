"""The record of labs' first measurements by processor, on recorded climbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError
from recorded_labs import READS, climbed, labs

from benchmarks.labs import labs as command
from benchmarks.labs.first_measurements import (
    Record,
    add_climb,
    digest,
    read_record,
    section_of_firsts,
    write_record,
)
from benchmarks.labs.labs import first_here, page
from rooftop.documents import ClimbDocument
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import Case, Prediction

XEON, EPYC = "A Xeon", "An EPYC"
DISTANCE = Prediction(of="10-far", figure="mean_distance", formula="n / 3", within=1.5)


@pytest.fixture
def found(tmp_path: Path) -> list[Found]:
    """Return the recorded labs; the first predicts the figure that was measured."""
    links, *others = labs(tmp_path)
    return [changed(links, [DISTANCE]), *others]


def changed(lab: Found, predictions: Sequence[Prediction]) -> Found:
    """Return a lab with other predictions."""
    return replace(lab, declaration=replace(lab.declaration, predictions=list(predictions)))


def on(found: Sequence[Found], processor: str, day: int, agrees: bool | None = None) -> ClimbDocument:
    """Return a climb of the recorded labs on a processor; with `agrees`, the verdict of every prediction."""
    document = climbed(found)
    document.machine.processor = processor
    document.started = f"2026-01-{day:02}T00:00:00+00:00"
    for one in document.experiments:
        for case in one.cases:
            for prediction in case.predictions:
                if agrees is not None and prediction.agrees is not None:
                    prediction.agrees = agrees
    return document


def kept(record: Record, processor: str, lab: str) -> list[tuple[str, int, int]]:
    """Return what is kept of a lab: the day, and how many predictions agreed of how many."""
    known = record.processors[processor].get(f"labs/{lab}", [])
    return [(one.measured[8:10], one.agree, one.judged) for one in known]


def test_the_first_measurement_stays(found: list[Found]) -> None:
    record = Record()
    assert add_climb(record, found, on(found, XEON, 1)) == []
    assert kept(record, XEON, "strides") == [("01", 1, 2)]
    assert kept(record, XEON, "links") == [("01", 1, 1)]
    assert add_climb(record, found, on(found, XEON, 2, agrees=True)) == []
    assert kept(record, XEON, "strides") == [("01", 1, 2)]
    assert [one.agrees for one in record.firsts(XEON)] == [True, False]


def test_a_lab_without_a_verdict_is_not_measured_yet(found: list[Found]) -> None:
    record = Record()
    add_climb(record, found, on(found, XEON, 1))
    assert kept(record, XEON, "sockets") == []
    assert kept(record, XEON, "unsorted") == []
    late = on(found, XEON, 3)
    sockets = next(one for one in late.experiments if one.name == "labs/sockets")
    sockets.cases[0].predictions[0].agrees = True
    add_climb(record, found, late)
    assert kept(record, XEON, "sockets") == [("03", 1, 1)]


def test_each_processor_has_its_own_first_measurement(found: list[Found]) -> None:
    record = Record()
    add_climb(record, found, on(found, XEON, 1))
    add_climb(record, found, on(found, EPYC, 2, agrees=True))
    assert kept(record, XEON, "strides") == [("01", 1, 2)]
    assert kept(record, EPYC, "strides") == [("02", 2, 2)]


def test_changed_predictions_start_anew_and_the_first_measurement_stays_first(found: list[Found]) -> None:
    record = Record()
    add_climb(record, found, on(found, XEON, 1))
    wider = [one if one.name != "labs/strides" else changed(one, [replace(READS, within=4.0)]) for one in found]
    add_climb(record, wider, on(wider, XEON, 2, agrees=True))
    add_climb(record, wider, on(wider, XEON, 3, agrees=False))
    assert kept(record, XEON, "strides") == [("01", 1, 2), ("02", 2, 2)]
    assert sum(one.agrees for one in record.firsts(XEON)) == 1
    assert list(record.anew(XEON)) == ["labs/strides"]
    text = section_of_firsts(record)
    assert "| A Xeon | 2026-01-01 | 2 | 1 (50%) | 2 of 3 | 1 | 1 |" in text
    assert "Changed after they were measured on A Xeon:" in text
    assert "- `strides` (1 change): 1 of 2 on 2026-01-01, then 2 of 2 on 2026-01-02 agreed" in text


@pytest.mark.parametrize(
    "now",
    [
        [replace(READS, formula="2 * 1")],
        [replace(READS, within=1.6)],
        [replace(READS, crowded=3.0)],
        [replace(READS, of="20-near", over="10-far")],
        [],
        [READS, DISTANCE],
    ],
)
def test_every_change_of_a_prediction_is_seen(found: list[Found], now: list[Prediction]) -> None:
    strides = found[2]
    assert digest(changed(strides, now).declaration) != digest(strides.declaration)


def test_a_change_of_a_quick_case_is_seen_and_an_order_or_a_title_is_none(found: list[Found]) -> None:
    declared = changed(found[2], [READS, DISTANCE]).declaration
    other = replace(declared, sizes={"quick": [Case("one", {"lines": 3}, 1.0)]})
    assert digest(other) != digest(declared)
    assert digest(replace(declared, predictions=[DISTANCE, READS])) == digest(declared)
    assert digest(replace(declared, title="Another", sizes={**declared.sizes, "S": []})) == digest(declared)


def test_a_climb_with_other_predictions_or_of_another_size_is_not_kept(found: list[Found]) -> None:
    record = Record()
    document = on(found, XEON, 1)
    strides = next(one for one in document.experiments if one.name == "labs/strides")
    strides.cases[0].predictions[0].formula = "17"
    assert add_climb(record, found, document) == ["labs/strides"]
    assert kept(record, XEON, "strides") == []
    assert kept(record, XEON, "links") == [("01", 1, 1)]
    large = on(found, EPYC, 1)
    for one in large.experiments:
        one.size = "S"
    assert add_climb(record, found, large) == ["labs/links", "labs/strides"]
    assert EPYC not in record.processors


def test_the_page_shows_all_processors_and_what_is_asked_of_this_one(found: list[Found]) -> None:
    record = Record()
    add_climb(record, found, on(found, EPYC, 1, agrees=True))
    document = on(found, XEON, 2)
    add_climb(record, found, document)
    text = page(found, document, record)
    assert "| A Xeon | 2026-01-02 | 2 | 1 (50%) | 2 of 3 | 0 | – |" in text
    assert "| An EPYC | 2026-01-01 | 2 | 2 (100%) | 3 of 3 | 0 | – |" in text
    assert (
        "| labs that agreed at their first measurement on this processor | at least 80% | 1 of 2 (50%) | missed |"
        in text
    )
    assert "Changed after" not in text
    assert first_here(record, EPYC).met is True
    assert first_here(record, "Another").met is None


def test_the_command_updates_the_record_and_the_page(
    found: list[Found], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, recorded = tmp_path / "labs.json", tmp_path / "climbed.json"
    monkeypatch.setattr(command, "PAGE", tmp_path / "labs.md")
    monkeypatch.setattr(command, "RECORD", file)
    monkeypatch.setattr(command, "find_labs", lambda place: found)
    for processor, day in ((XEON, 1), (EPYC, 2), (XEON, 3)):
        recorded.write_text(on(found, processor, day).model_dump_json(by_alias=True), encoding="utf-8")
        assert command.main(recorded=recorded) == 0
    text = (tmp_path / "labs.md").read_text(encoding="utf-8")
    assert "| A Xeon | 2026-01-01 | 2 | 1 (50%) |" in text
    assert "| An EPYC | 2026-01-02 | 2 | 1 (50%) |" in text
    assert kept(read_record(file), XEON, "strides") == [("01", 1, 2)]


def test_the_record_is_read_as_it_was_written(found: list[Found], tmp_path: Path) -> None:
    file = tmp_path / "labs.json"
    assert read_record(file) == Record()
    record = Record()
    add_climb(record, found, on(found, XEON, 1))
    write_record(record, file)
    assert read_record(file) == record
    file.write_text('{"processors": {"A Xeon": {"labs/x": [{"agree": "many"}]}}}', encoding="utf-8")
    with pytest.raises(ValidationError):
        read_record(file)
