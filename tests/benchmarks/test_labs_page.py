"""The page of the labs' results, on a recorded climb."""

from __future__ import annotations

from pathlib import Path

from recorded_labs import climbed, labs

from benchmarks.labs.first_measurements import Record
from benchmarks.labs.labs import counts, measured, page
from rooftop.documents import ClimbDocument


def test_a_lab_agrees_if_all_its_predictions_do(tmp_path: Path) -> None:
    found = labs(tmp_path)
    order = measured(found, climbed(found))
    assert [one.lab.folder.name for one in order] == ["strides", "sockets", "links", "unsorted"]
    assert [one.has_verdict for one in order] == [True, False, True, False]
    assert [one.agrees for one in order] == [False, False, True, False]
    assert [one.row for one in counts(order)] == [
        "| labs with a measured verdict | at least 35 | 2 of 4 | missed |",
        "| of those, labs all of whose predictions agree | at least 80% | 1 (50%) | missed |",
        "| single predictions that agree | – | 2 of 3 |  |",
    ]


def test_the_page_has_every_prediction_and_the_reason_of_each_miss(tmp_path: Path) -> None:
    found = labs(tmp_path)
    text = page(found, climbed(found), Record())
    for part in (
        "Written by `python benchmarks labs` on 2026-01-01. ",
        "| 10-far / 20-near | one, 1 worker | 25.0× | 30.0× | 27.0× to 33.0× | 1.5 | agrees |\n",
        "| 10-far / 20-near | one, 1 worker | 10.0× | 30.0× | 27.0× to 33.0× | 1.5 | **disagrees** |\n",
        "- `strides`: 10-far / 20-near on one, 1 worker. Not predicted, as its README says: The prefetcher hides half "
        "of the latency; no probe measures how much.\n",
        "- `sockets`: not visible here: one socket; 10-far has no time: one socket\n",
        "- `unsorted`: it predicts nothing\n",
        "The course: near and far: 1 and 99 s.\n",
    ):
        assert part in text


def test_the_nearest_to_its_roof_stands_in_a_table(tmp_path: Path) -> None:
    found = labs(tmp_path)
    document = climbed(found)
    far, near = next(one for one in document.experiments if one.name == "labs/strides").cases[0].rungs[:2]
    far.roof_fraction, far.limit_by, far.work = 0.25, "memory", {"fma_flops": 2, "memory_bytes": 8}
    near.roof_fraction, near.limit_by, near.work = 0.5, "L2", {"memory_bytes": 8}
    assert "| strides | one | 20-near | no flops | L2 | 50% |\n" in page(found, document, Record())
    far.roof_fraction = 0.75
    assert "| strides | one | 10-far | 0.25 | memory | 75% |\n" in page(found, document, Record())
    far.work = {"add_flops": 2}
    assert "| strides | one | 10-far | no bytes | memory | 75% |\n" in page(found, document, Record())


def test_labs_that_were_not_climbed_say_so(tmp_path: Path) -> None:
    found = labs(tmp_path)
    document = climbed(found)
    none = ClimbDocument.model_validate(document.model_dump() | {"experiments": []})
    text = page(found, none, Record())
    assert "| labs with a measured verdict | at least 35 | 0 of 4 | missed |" in text
    assert text.count("it was not climbed") == 2 * len(found)
