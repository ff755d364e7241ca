"""The page of how long labs take."""

from __future__ import annotations

from benchmarks.labs.lab_times import page


def test_a_slow_lab_is_counted_and_every_lab_has_its_time() -> None:
    order = [("Memory", ["strides", "pages"]), ("Threads", ["locks"])]
    text = page({"strides": 2.04, "pages": 10.5, "locks": 9.96}, order)
    assert "| labs within 10 s | all | 2 of 3 | missed |" in text
    assert "| the longest | 10 s | 10.5 s |  |" in text
    assert "| all, one after the other by `rooftop lab` | – | 22 s |  |" in text
    assert text.index("## Memory") < text.index("| strides | 2.0 |") < text.index("| pages | 10.5 |")
    assert text.index("## Threads") < text.index("| locks | 10.0 |")
    assert "| labs within 10 s | all | 1 of 1 | met |" in page({"locks": 1.0}, order)
