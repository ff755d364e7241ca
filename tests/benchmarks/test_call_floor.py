"""The page of small calls: what is asked is the time besides the C function, and C functions are put back."""

from __future__ import annotations

import pytest

from benchmarks.call_floor.call_floor import Row, asked, faces, tables, timed_inside
from rooftop.errors import NotBuilt


def test_what_is_asked_is_the_time_besides_the_c_function() -> None:
    rows = {"fftn": Row(3.5, 1.0, 0.25), "conv2d": Row(4.5, 0.5, 0.75)}
    assert [(one.reached, one.met) for one in asked(rows)] == [("2.75 µs", True), ("4.5 µs", False)]
    ours, beside = tables(rows, {"numpy.negative": 0.4})
    assert "| fftn | 3.50 | 0.75 | 2.75 |" in ours
    assert "| conv2d | 4.50 | 0.00 | 4.50 |" in ours
    assert "| numpy.negative | 0.40 |" in beside


def test_c_functions_are_timed_with_the_arguments_of_the_calls() -> None:
    try:
        before = faces()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    names = {face.c_name: face.library for face in before}
    registered = {name: getattr(library, name) for name, library in names.items()}
    with timed_inside(names) as timed:
        for face in faces():
            timed[face.c_name].into = row = Row()
            face.call()
            assert 0 < row.c_call < float("inf")
            assert 0 < row.empty < float("inf")
    assert {name: getattr(library, name) for name, library in names.items()} == registered
