"""Predictions are made of the machine as it was while a case was measured."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic_machine import machine

from rooftop.climb.interim import Look, meanwhile
from rooftop.documents import Roof
from rooftop.ladder.discovery import Module
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState


def look(at: float, value: float, metric: str = "core_to_core") -> Look:
    detail = {"from": 0, "to": 1} if metric == "core_to_core" else {}
    return at, Roof(metric=metric, value=value, unit="s", threads=2, detail=detail)


def case(*taken_s: float) -> CaseState:
    module = Module("10-a", "rung", Path("a.cpp"), Path("a.so"), "", None, "built", ())
    samples = [Sample(0, 0, 1, 1e6, int(at * 1e9)) for at in taken_s]
    return CaseState("e", "quick", "c", {}, 1, [Arm(module, "rung", samples=samples)])


def seen(looks: list[Look], *taken_s: float) -> float:
    (roof,) = [one for one in meanwhile(machine(), looks, case(*taken_s)).roofs if one.metric == "core_to_core"]
    return roof.value


LOOKS = [look(0, 1.0), look(10, 3.0), look(20, 5.0), look(30, 11.0), look(40, 1.0)]


def test_looks_around_and_within_count() -> None:
    assert seen(LOOKS, 12, 18) == 4  # one before and one after
    assert seen(LOOKS, 12, 28) == 5  # and one between
    assert seen(LOOKS, 41) == 1  # none after
    assert seen(LOOKS, -5) == 1  # none before


def test_what_nobody_looked_at_stays() -> None:
    assert seen([], 1) == pytest.approx(61e-9)
    assert seen(LOOKS) == pytest.approx(61e-9)  # a case without samples
    before = [roof for roof in machine().roofs if roof.metric != "core_to_core"]
    assert [roof for roof in meanwhile(machine(), LOOKS, case(12)).roofs if roof.metric != "core_to_core"] == before
    assert seen([look(1, 5.0, "another")], 1) == pytest.approx(61e-9)


@given(
    st.lists(st.integers(0, 100), min_size=1, max_size=9, unique=True),
    st.lists(st.integers(0, 100), min_size=1, max_size=5),
)
def test_the_figure_lies_between_those_of_the_window(times: list[int], taken_s: list[int]) -> None:
    looks = [look(at, 1 + at) for at in sorted(times)]
    found = seen(looks, *taken_s)
    before = [at for at in times if at < min(taken_s)]
    after = [at for at in times if at > max(taken_s)]
    assert 1 + max(before, default=min(times)) <= found <= 1 + min(after, default=max(times))
    assert all(a <= b for a, b in pairwise(sorted(times)))
