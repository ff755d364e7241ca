"""Processor lists and bitmaps."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.machine.processor import format_cpu_list, parse_bitmap, parse_cpu_list

CPUS = st.sets(st.integers(0, 2000))


@given(CPUS)
def test_a_list_that_was_written_is_read_back(cpus: set[int]) -> None:
    assert parse_cpu_list(format_cpu_list(cpus)) == cpus


@pytest.mark.parametrize(
    ("text", "cpus"), [("", set()), ("0-3,8\n", {0, 1, 2, 3, 8}), ("7", {7}), ("0-6:3", {0, 3, 6})]
)
def test_the_kernels_forms_are_read(text: str, cpus: set[int]) -> None:
    assert parse_cpu_list(text) == cpus


@pytest.mark.parametrize("text", ["3-1", "a", "1,,2", "-1", "0-99999999999", "1-2:0", "0-", "1;2"])
def test_a_broken_list_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="processor list"):
        parse_cpu_list(text)


@given(st.text(max_size=30))
def test_any_text_gives_processors_or_a_value_error(text: str) -> None:
    for parse in (parse_cpu_list, parse_bitmap):
        with contextlib.suppress(ValueError):
            assert all(cpu >= 0 for cpu in parse(text))


@given(st.sets(st.integers(0, 200)))
def test_a_bitmap_as_hwloc_writes_it_is_read(cpus: set[int]) -> None:
    words = [0] * 7
    for cpu in cpus:
        words[cpu // 32] |= 1 << cpu % 32
    assert parse_bitmap(",".join(f"0x{word:08x}" for word in reversed(words))) == cpus


def test_empty_words_of_a_bitmap_are_zero() -> None:
    assert parse_bitmap("0x00000001,,0x00000002") == {64, 1}
