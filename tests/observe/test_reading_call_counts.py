"""Parsing of the files to which processes write their call counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.call_counts import (
    ALLOCATIONS,
    CALLS,
    CallCounts,
    Calls,
    by_program,
    read_counts,
    read_process,
    total,
)

ROOT = Path(__file__).parents[2]

FIGURE = st.integers(0, 2**64 - 1)
COUNTS = st.builds(
    CallCounts,
    st.dictionaries(
        st.sampled_from(CALLS), st.builds(Calls, FIGURE, FIGURE, FIGURE).filter(lambda one: one != Calls())
    ),
    st.dictionaries(st.integers(0, 63), st.integers(1, 2**64 - 1)),
    st.just(1),
)


def written(counts: CallCounts) -> str:
    """Return the text that the library would write."""
    lines = [f"size {power} {calls}" for power, calls in sorted(counts.sizes.items())]
    of = {name: counts.calls(name) for name in CALLS}
    return "".join(f"{line}\n" for line in [*lines, *(f"{n} {c.calls} {c.bytes} {c.ns}" for n, c in of.items())])


@given(COUNTS)
def test_what_was_written_is_read(counts: CallCounts) -> None:
    assert read_process(written(counts)) == counts


@given(COUNTS, st.data())
def test_a_text_that_was_cut_short_is_refused(counts: CallCounts, data: st.DataObject) -> None:
    text = written(counts)
    with pytest.raises(ValueError, match="counts"):
        read_process(text[: data.draw(st.integers(0, len(text) - 1))])


@given(st.text() | st.lists(st.sampled_from([*CALLS, "size", " ", "1", "64", "\n", "-1", "x"])).map("".join))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="counts"):
        read_process(text)


@given(st.lists(COUNTS, max_size=5))
def test_totals_are_sums(processes: list[CallCounts]) -> None:
    found = total(processes)
    assert found.processes == len(processes)
    assert total([*processes[1:], *processes[:1]]) == found
    assert found.allocations.calls == sum(one.calls(name).calls for one in processes for name in ALLOCATIONS)
    assert sum(found.sizes.values()) == sum(sum(one.sizes.values()) for one in processes)
    if (middle := found.median_allocation()) is not None:
        below = sum(calls for power, calls in found.sizes.items() if 1 << power < middle[0])
        until = sum(calls for power, calls in found.sizes.items() if 1 << power < middle[1])
        assert 2 * below < sum(found.sizes.values()) <= 2 * until


def test_names_are_those_of_the_library() -> None:
    listed = (ROOT / "native" / "call_counts" / "counts.h").read_text().split("#define COUNTED_CALLS(X)")[1]
    names = listed.split("\n\n")[0].replace("\\", "").split()
    assert names == [f"X({name})" for name in CALLS]


def test_files_of_one_program_are_added_up(tmp_path: Path) -> None:
    one = CallCounts({"read": Calls(2, 20, 30)}, {3: 1}, 1)
    for name in ("my_solver_12_345.txt", "my_solver_12_345-2.txt", "other_7.txt"):
        (tmp_path / name).write_text(written(one))
    (tmp_path / "killed_8.txt").touch()
    assert by_program(tmp_path) == {"my_solver_12": one + one, "other": one}
    assert read_counts(tmp_path) == total([one, one, one])
    (tmp_path / "wrong_9.txt").write_text("size 64 1\n")
    with pytest.raises(ValueError, match=r"wrong_9\.txt: the line of counts 'size 64 1'"):
        read_counts(tmp_path)


def test_nothing_called_has_no_mean() -> None:
    assert CallCounts().reads.mean_bytes is None
    assert CallCounts().median_allocation() is None
