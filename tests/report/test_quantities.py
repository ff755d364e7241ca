"""Numbers as they are shown."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.text.plural import plural
from rooftop.text.quantities import interval, number, percent, quantity, ratio, seconds, size

SPACE = "\u202f"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.223, "0.223"),
        (3.05, "3.05"),
        (9.996, "10.0"),
        (99.96, "100"),
        (635.4, "635"),
        (12345.0, f"12{SPACE}300"),
        (0, "0"),
        (2.5e-6, "2.50e-6"),
        (3.2e11, "3.20e11"),
        (-4.712, "-4.71"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_number(value: float | None, text: str) -> None:
    assert number(value) == text


@given(st.floats(min_value=1e-4, max_value=1e8))
def test_number_is_within_half_a_unit_of_its_third_digit(value: float) -> None:
    assert float(number(value).replace(SPACE, "")) == pytest.approx(value, rel=5.1e-3)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (303e9, "flop/s", f"303{SPACE}GFLOP/s"),
        (999.9e9, "flop/s", f"1.00{SPACE}TFLOP/s"),
        (12.5e9, "byte/s", f"12.5{SPACE}GB/s"),
        (1.3e-9, "s", f"1.30{SPACE}ns"),
        (41.0, "s", f"41.0{SPACE}s"),
        (4100.0, "s", f"4{SPACE}100{SPACE}s"),
        (0.0061, "1", f"0.61{SPACE}%"),
        (0.0, "s", f"0{SPACE}s"),
        (2.1e9, "Hz", f"2.10{SPACE}GHz"),
        (0.25, "s/GiB", f"0.250{SPACE}s/GiB"),
    ],
)
def test_quantity(value: float, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


def test_the_rest() -> None:
    assert percent(0.736) == f"74{SPACE}%"
    assert percent(1.204) == f"120{SPACE}%"
    assert size(49152) == f"48{SPACE}KiB"
    assert size(1.5 * 2**40) == f"1.50{SPACE}TiB"
    assert ratio(2.811) == "2.81×"
    assert ratio(None) == "–"
    assert interval(1.0041, 1.0044) == "1.0041 to 1.0044"
    assert interval(2.76, 2.87) == "2.76 to 2.87"
    assert interval(None, 1.0) == "–"
    assert seconds(None) == "–"
    assert plural(1, "case") == "1 case"
    assert plural(0, "case") == "0 cases"
