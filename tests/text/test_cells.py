"""No cell of an exported table begins a formula."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.compare.export import _code_in_table
from rooftop.text.cells import as_cell
from rooftop.text.visible import visible


@given(st.sampled_from("=+-@\t"), st.text())
def test_a_text_that_would_be_computed_has_a_quote_before_it(first: str, rest: str) -> None:
    assert as_cell(first + rest) == f"'{first}{visible(rest)}"


@pytest.mark.parametrize("value", [-1.5, 3, None, "a=1", "", "'=1"])
def test_figures_and_other_texts_stay_as_they_are(value: object) -> None:
    assert as_cell(value) == value


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_a_reader_of_csv_gets_one_cell(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerow([as_cell(text), "end"])
    assert list(csv.reader(io.StringIO(file.getvalue(), newline=""))) == [[as_cell(text), "end"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sleep 1", "`sleep 1`"),
        ("a | b", r"`a \| b`"),
        ("`<img src=x onerror=alert(1)>`", "`` `<img src=x onerror=alert(1)>` ``"),
        ("a\n| b |", r"`a \| b \|`"),
    ],
)
def test_a_command_in_markdown_is_code(text: str, expected: str) -> None:
    assert _code_in_table(text) == expected
