"""The page of small calls: what is asked is the time besides the C function, and C functions are put back."""

from __future__ import annotations

import ctypes

import pytest

from benchmarks.call_floor.call_floor import Row, asked, faces, tables, timed_inside, ways
from rooftop.errors import NotBuilt
from rooftop.solvers.c_interface import python_functions


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
            timed[face.c_name].into, timed[face.c_name].fresh = (row := Row()), face.fresh
            face.call()
            assert 0 < row.c_call < float("inf")
            assert 0 < row.empty < float("inf")
    assert {name: getattr(library, name) for name, library in names.items()} == registered


def test_the_page_says_which_solvers_have_no_functions_of_pythons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        faces()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    monkeypatch.setattr(python_functions, "beside", lambda _, name: None if name in {"fft", "conv"} else 1)
    assert "fft, conv has no extension" in ways()
    monkeypatch.setattr(python_functions, "beside", lambda *_: 1)
    assert "asked of an extension first" in ways()


def test_an_iteration_is_timed_from_rest() -> None:
    try:
        face = faces()[-1]
    except NotBuilt as reason:
        pytest.skip(str(reason))
    given: list[list[float]] = []
    with timed_inside({face.c_name: face.library}) as timed:
        one = timed[face.c_name]
        one.fresh, function = face.fresh, one._function

        def seen(*arguments: int) -> int:
            given.append((ctypes.c_double * 24).from_address(arguments[2])[:])
            return int(function(*arguments))

        one._function = seen
        face.call()
    assert len(given) > 100
    assert not any(map(any, given))
