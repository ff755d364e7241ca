"""Parsing of the files to which processes write the reads of their chunks."""

from __future__ import annotations

import re
from dataclasses import astuple, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.chunk_cache import ChunkReads, Reads, read_chunks, read_process

NATIVE = Path(__file__).parents[2] / "native" / "chunk_cache"
FIGURE = st.integers(0, 2**64 - 1)
NAME = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]))
READS = st.builds(Reads, **{field.name: FIGURE for field in fields(Reads)})
VERSION = st.tuples(*[st.integers(0, 99)] * 3).map(lambda parts: ".".join(map(str, parts)))
TOLD = st.builds(
    ChunkReads,
    st.dictionaries(st.tuples(NAME, NAME), READS, max_size=4),
    FIGURE,
    st.lists(VERSION, max_size=2).map(tuple),
)


def written(told: ChunkReads) -> str:
    """Return the text that the library would write."""
    lines = [f"dataset {' '.join(map(str, astuple(one)))} {name}\t{file}" for (name, file), one in told.of.items()]
    lines += [f"refused {version.replace('.', ' ')}" for version in told.refused]
    return "".join(f"{line}\n" for line in [*lines, f"lost {told.lost}", "end"])


@given(TOLD)
def test_what_was_written_is_read(told: ChunkReads) -> None:
    assert read_process(written(told)) == told


@given(TOLD, st.data())
def test_a_text_that_was_cut_short_is_refused(told: ChunkReads, data: st.DataObject) -> None:
    text = written(told)
    with pytest.raises(ValueError, match="chunks"):
        read_process(text[: data.draw(st.integers(0, len(text) - 1))])


WORDS = ["dataset", "refused", "lost", "end", " ", "0", "-1", "\n", "\t", "x", "lost 7\n", "end\n", "refused 1 8 16\n"]
WORDS += ["dataset" + " 0" * 13 + " a\tb\n", "lost 18446744073709551616\n"]


@given(st.text() | st.lists(st.sampled_from(WORDS)).map("".join))
def test_any_other_text_is_read_as_written_or_refused(text: str) -> None:
    try:
        told = read_process(text)
    except ValueError as reason:
        assert "chunks" in str(reason)
    else:
        assert read_process(written(told)) == told


def test_figures_are_those_of_the_library() -> None:
    header = (NATIVE / "datasets.h").read_text(encoding="utf-8")
    counted = re.findall(r"X\((\w+)\)", header.partition("#define FIGURES(X)")[2].partition("\n")[0])
    shape = re.findall(r"uint64_t ([^;]+);", header.partition("struct shape {")[2].partition("}")[0])
    shape_names = [name.strip() for line in shape for name in line.split(",")]
    assert sorted([*counted, *shape_names]) == sorted(field.name for field in fields(Reads))
    assert counted == [field.name for field in fields(Reads)][: len(counted)]


def test_processes_that_read_nothing_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "sh_1.txt").write_text("lost 0\nend\n")
    (tmp_path / "killed_2.txt").touch()
    (tmp_path / "old_3.txt").write_text("refused 1 8 16\nlost 0\nend\n")
    assert read_chunks(tmp_path) == [ChunkReads(refused=("1.8.16",))]


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    (tmp_path / "sh_1.txt").write_text("dataset 1\nlost 0\nend\n")
    with pytest.raises(ValueError, match=r"sh_1\.txt: the line of chunks 'dataset 1'"):
        read_chunks(tmp_path)


def test_no_file_at_all_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no process told of its datasets"):
        read_chunks(tmp_path)
