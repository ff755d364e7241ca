"""The page on overlap in elasticity: what is hidden and what is absorbed are told apart."""

from __future__ import annotations

import pytest
from schedules import CONTROL, MASTER, NONE, PLACES, gain, page, subjects
from still_comparison import compared


def test_a_gain_has_two_parts() -> None:
    place = PLACES[0]
    times = dict.fromkeys(subjects(place), 0.5)
    times[f"{CONTROL} chunk=200"] = 0.4
    times[f"{MASTER} chunk=200"] = 0.32
    text = page([(place, compared(times))])
    assert "80x80x80 nodes, 10 iterations a run, 12 pairs of runs, A/A floor 1.0%." in text
    assert "| chunks of 200 | **1.562** [1.547, 1.578] | **1.250** [1.238, 1.262] | **1.250** [1.238, 1.262] |" in text
    assert (
        "| overlap, master communicates, dynamic, chunks of 200 | 32 | **1.562** [1.547, 1.578] | 0.297 | 1.047 |"
        in text
    )
    assert "| overlap, interior first, static | 50 | 1.000 [0.990, 1.010] | 0.313 | 0.994 |" in text
    assert "| overlap by flag, static | 50 | 1.000 [0.990, 1.010] | – | – |" in text


def test_a_gain_may_be_asked_for_either_way() -> None:
    document = compared({NONE: 2.0, MASTER: 1.0})
    forth, back = gain(document, MASTER, NONE), gain(document, NONE, MASTER)
    assert forth is not None
    assert back is not None
    assert (forth.ratio, back.ratio) == (2.0, 0.5)
    assert back.lo == pytest.approx(1 / forth.hi)
    assert gain(document, CONTROL, NONE) is None


def test_one_thread_has_no_chunks() -> None:
    assert not [name for name in subjects(PLACES[1]) if "chunk" in name]
