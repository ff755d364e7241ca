"""Probe lines: what is a figure, what is a reason, and what is neither."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.documents import Roof
from rooftop.probe.lines import BadLine, parse_line, parse_output

LINE: dict[str, Any] = {
    "protocol": 1,
    "probe": "bandwidth",
    "metric": "triad",
    "level": "L2",
    "bytes": 1048576,
    "threads": 2,
    "isa": "avx512",
    "value": 1.2e11,
    "unit": "byte/s",
    "over_level_below": 6.5,
}


def test_a_line_becomes_a_roof_and_the_rest_its_detail() -> None:
    roof = parse_line(json.dumps(LINE))
    assert isinstance(roof, Roof)
    assert (roof.metric, roof.level, roof.bytes, roof.threads, roof.value) == ("triad", "L2", 1048576, 2, 1.2e11)
    assert roof.detail == {"over_level_below": 6.5}


def test_a_reason_is_given_back() -> None:
    assert parse_line('{"protocol":1,"probe":"x","skipped":"no huge pages"}') == "no huge pages"


@pytest.mark.parametrize(
    "change",
    [
        {"value": 0},
        {"value": -1},
        {"value": "fast"},
        {"value": True},
        {"value": None},
        {"value": float("nan")},
        {"value": float("inf")},
        {"value": 10**400},
        {"threads": 0},
        {"threads": 1.5},
        {"threads": None},
        {"metric": 7},
        {"metric": ""},
        {"metric": "\n"},
        {"unit": "byte\n/s"},
        {"metric": "\n", "value": None},
        {"unit": None},
        {"protocol": 2},
        {"bytes": -5},
        {"level": 2},
    ],
)
def test_a_line_with_a_wrong_field_is_not_a_figure(change: dict[str, Any]) -> None:
    with pytest.raises((BadLine, OverflowError)):
        parse_line(json.dumps({**LINE, **change}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted({*LINE, "skipped"})), JSON))
def test_whatever_a_probe_prints_is_a_figure_or_a_line_of_missing(fields: dict[str, Any]) -> None:
    figures = parse_output("fake", json.dumps({"protocol": 1, **fields}))
    assert len(figures.roofs) + len(figures.missing) == 1
    assert all(roof.value > 0 for roof in figures.roofs)
    assert all("\n" not in line for line in figures.missing)


@given(st.sampled_from(sorted({*LINE, "skipped"})), JSON)
def test_a_line_with_one_strange_field_is_a_figure_or_a_line_of_missing(name: str, value: Any) -> None:
    figures = parse_output("fake", json.dumps({**LINE, name: value}))
    assert len(figures.roofs) + len(figures.missing) == 1
    assert all("\n" not in line for line in figures.missing)


@given(st.text(max_size=300))
def test_garbage_is_at_most_one_line_of_missing_of_bounded_length(text: str) -> None:
    figures = parse_output("fake", text)
    assert not figures.roofs
    assert len(figures.missing) <= 1
    assert all(len(line) < 600 for line in figures.missing)


def test_figures_around_garbage_are_kept() -> None:
    text = json.dumps(LINE) + "\nSegmentation fault\n" + "[1]\n" + json.dumps({**LINE, "level": "L3"}) + "\n"
    figures = parse_output("bandwidth", text)
    assert [roof.level for roof in figures.roofs] == ["L2", "L3"]
    assert figures.missing == ["bandwidth: printed an invalid line: 'Segmentation fault' is not JSON, and 1 more"]


def test_deep_nesting_does_not_end_the_bench() -> None:
    assert parse_output("fake", "[" * 200_000).missing
