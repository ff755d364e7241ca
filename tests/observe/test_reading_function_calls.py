"""Parsing of the files to which processes write the calls of their functions, and of what nm says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.function_calls import COUNTING, FunctionCalls, parse_telling, read_calls, read_process
from rooftop.observe.symbols import Function, function_at, parse_functions

FIGURE = st.integers(0, 2**64 - 1)
PATH = st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1)
CALLS = st.builds(
    lambda of, lost: FunctionCalls(of, lost, 1 if of or lost else 0),
    st.dictionaries(st.tuples(PATH, FIGURE), FIGURE, max_size=5),
    FIGURE,
)


def written(told: FunctionCalls) -> str:
    """Return the text that the library would write."""
    files = list(dict.fromkeys(file for file, _ in told.of))
    lines = [f"object {number} {file}" for number, file in enumerate(files)]
    lines += [f"function {files.index(file)} {address} {calls}" for (file, address), calls in told.of.items()]
    lines += [f"lost {told.lost}"] if told.lost else []
    return "".join(f"{line}\n" for line in [*lines, "end"])


@given(CALLS)
def test_what_was_written_is_read(told: FunctionCalls) -> None:
    assert read_process(written(told)) == told


@given(CALLS, st.data())
def test_a_text_that_was_cut_short_is_refused(told: FunctionCalls, data: st.DataObject) -> None:
    text = written(told)
    with pytest.raises(ValueError, match="functions"):
        read_process(text[: data.draw(st.integers(0, len(text) - 1))])


WORDS = ["object", "function", "lost", "end", " ", "0", "1", "-1", "\n", "x", "object 0 a\n", "function 0 1 2\n"]
WORDS += ["end\n", "lost 7\n"]


@given(st.text() | st.lists(st.sampled_from(WORDS)).map("".join))
def test_any_other_text_is_read_as_written_or_refused(text: str) -> None:
    try:
        told = read_process(text)
    except ValueError as reason:
        assert "functions" in str(reason)
    else:
        assert read_process(written(told)) == told


@given(st.lists(CALLS, max_size=4))
def test_totals_are_sums(processes: list[FunctionCalls]) -> None:
    whole = sum(processes, FunctionCalls())
    assert whole.lost == sum(one.lost for one in processes)
    assert sum(whole.of.values()) == sum(sum(one.of.values()) for one in processes)
    assert set(whole.of) == {place for one in processes for place in one.of}


def test_processes_without_calls_are_left_out(tmp_path: Path) -> None:
    one = FunctionCalls({("/bin/a b", 5): 2}, 0, 1)
    (tmp_path / "a_1.txt").write_text(written(one))
    (tmp_path / "b_2.txt").write_text("end\n")
    (tmp_path / "c_3.txt").write_text("")
    assert read_calls(tmp_path) == one
    (tmp_path / "d_4.txt").write_text("object 0 a\n")
    with pytest.raises(ValueError, match=r"^d_4\.txt: the text of functions has no end"):
        read_calls(tmp_path)


def test_functions_are_read_by_address() -> None:
    text = (
        "\nprog:\n0000000000001200 0000000000000010 T main\n0000000000001100 t start@@V_1\n"
        "0000000000001150 0000000000000020 W _ZN4CellC2Ei\n0000000000001150 0000000000000020 W _ZN4CellC1Ei\n"
        "0000000000004000 0000000000000008 D data\n                 U mcount@GLIBC_2.2.5\n"
    )
    start, cell, main = found = parse_functions(text)
    assert found == [
        Function(0x1100, 0, ("start",)),
        Function(0x1150, 0x20, ("_ZN4CellC2Ei", "_ZN4CellC1Ei")),
        Function(0x1200, 0x10, ("main",)),
    ]
    assert [function_at(found, one) for one in (0, 0x10FF, 0x1100, 0x114F)] == [None, None, start, start]
    assert [function_at(found, one) for one in (0x1150, 0x116F, 0x1170)] == [cell, cell, None]
    assert [function_at(found, one) for one in (0x1200, 0x120F, 0x1210)] == [main, main, None]


@given(st.text())
def test_any_text_has_functions_or_none(text: str) -> None:
    assert len(parse_functions(text)) <= len(text.splitlines())
    assert len(parse_telling(text)) <= len(text.splitlines())


def test_files_that_tell_of_their_functions_are_known() -> None:
    text = (
        "/a b/prog:                 U mcount@GLIBC_2.2.5\n/a b/prog:                 U _mcount\n"
        "x.so:                 U __fentry__@GLIBC_2.13\ny.so:                 U mcounted\n"
        "z.so: 0000000000001200 T mcount\nw.so:                 U __cyg_profile_func_enter\n"
        "v.so:                 U __cyg_profile_func_exit@GLIBC_2.2.5\n"
    )
    assert parse_telling(text) == ["/a b/prog", "x.so", "w.so"]


def test_what_counts_is_known_by_name() -> None:
    counting = ["mcount", "_mcount", "__mcount_internal", "__fentry__", "__cyg_profile_func_exit", "_mcount@plt"]
    assert all(COUNTING.match(one) for one in counting)
    assert not any(COUNTING.match(one) for one in ("mcounted", "amount", "count", "fentry"))
