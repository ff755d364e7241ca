"""What a declaration refuses before a campaign begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rooftop.errors import Misuse
from rooftop.experiment import Case


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "expected a short printable text"),
        ({"name": "two\nlines"}, "expected a short printable text"),
        ({"nominal": 0.0}, "expected work of one run, a number above 0"),
        ({"nominal": float("inf")}, "expected work of one run, a number above 0"),
        ({"workers": (0, 1)}, r"workers is \(0, 1\), expected rising whole numbers above 0"),
        ({"workers": (2, 1)}, "expected rising whole numbers above 0"),
        ({"workers": (2, 2)}, "expected rising whole numbers above 0"),
        ({"workers": (1.5,)}, "expected rising whole numbers above 0"),
        ({"isa": "avx3"}, "isa is 'avx3', expected one of scalar, sse2, avx2, avx512, neon"),
    ],
)
def test_a_case_that_could_not_be_measured_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(Misuse, match=said):
        replace(Case("a", {}, 1.0), **wrong)
    assert Case("a", {}, 1.0, workers=(1, 2, 8)).workers == (1, 2, 8)
