"""The page on overlap in elasticity: what is hidden and what is absorbed are told apart."""

from __future__ import annotations

import pytest
from still_comparison import compared

from benchmarks.overlap.schedules import CONTROL, MASTER, NONE, PLACES, gain, groups, page
from benchmarks.overlap.solver_overlap import BEFORE, DURING


def test_a_gain_has_two_parts() -> None:
    place = PLACES[0]
    seconds = {f"{CONTROL} chunk=200": 0.4, f"{MASTER} chunk=200": 0.32}
    documents = [compared({name: seconds.get(name, 0.5) for name in names}) for names in groups(place)]
    text = page([(place, documents)])
    assert "communication hidden: a gain on 1 of 8 schedules, a loss on 0; imbalance absorbed: a gain on 1 of 8" in text
    assert "80x80x80 nodes, 10 iterations a run, 12 pairs of runs, A/A floors 1.0% to 1.0%." in text
    assert "| chunks of 200 | **1.562** [1.547, 1.578] | **1.250** [1.238, 1.262] | **1.250** [1.238, 1.262] |" in text
    assert (
        "| overlap, master communicates, dynamic, chunks of 200 | 32 | **1.562** [1.547, 1.578] | 0.297 | 1.047 |"
        in text
    )
    assert "| overlap, interior first, static | 50 | 1.000 [0.990, 1.010] | 0.313 | 0.994 |" in text
    assert "| overlap by flag, static | 50 | 1.000 [0.990, 1.010] | – | – |" in text


def test_a_gain_may_be_asked_for_either_way() -> None:
    documents = [compared({NONE: 2.0, MASTER: 1.0})]
    forth, back = gain(documents, MASTER, NONE), gain(documents, NONE, MASTER)
    assert forth is not None
    assert back is not None
    assert (forth.ratio, back.ratio) == (2.0, 0.5)
    assert back.lo == pytest.approx(1 / forth.hi)
    assert gain(documents, CONTROL, NONE) is None


def test_one_thread_has_no_chunks() -> None:
    assert not [name for names in groups(PLACES[1]) for name in names if "chunk" in name]


def test_the_solver_has_a_section_of_its_own() -> None:
    documents = {("Two ranks", 60, "bjacobi"): compared({BEFORE: 2.0, DURING: 1.6})}
    text = page([], documents)
    assert "| Two ranks | 60³ | bjacobi | 2 s | 1.6 s | **1.250** [1.238, 1.262] | 12 | 1.0% |" in text
    assert "## The solver" not in page([])
