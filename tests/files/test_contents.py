"""What a file holds, in short: the same for the same contents, whatever else is done to the file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.files import contents
from rooftop.files.contents import GONE, contents_of, differing, shown, state_of


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_it_tells_contents_apart_and_nothing_else(one: bytes, other: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.write_bytes(one)
        before = contents_of(file)
        beside = Path(folder) / "beside"
        beside.write_bytes(other)
        beside.replace(file)  # as editors write
        assert (contents_of(file) == before) == (one == other)
        assert (differing({file: before}) == []) == (one == other)


def test_touched_is_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    before, state = contents_of(file), state_of(file)
    os.utime(file, ns=(1, 1))
    assert contents_of(file) == before
    assert state_of(file) != state


def test_a_large_file_is_known_by_its_inode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "WHOLE_BYTES", 3)
    file = tmp_path / "file"
    file.write_text("four", encoding="utf-8")
    before = contents_of(file)
    assert contents_of(file) == before
    assert before.startswith("4 bytes at ")
    os.utime(file, ns=(1, 1))
    assert contents_of(file) != before


@pytest.mark.parametrize("made", [lambda file: None, Path.mkdir, os.mkfifo, lambda file: file.symlink_to(file)])
def test_what_is_no_file_is_none_and_holds_nobody_up(made: object, tmp_path: Path) -> None:
    made(tmp_path / "x")  # type: ignore[operator]
    assert contents_of(tmp_path / "x") == GONE
    assert state_of(tmp_path / "x") is None


def test_a_link_has_the_contents_of_what_it_leads_to(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to("one")
    before = contents_of(link)
    assert before == contents_of(tmp_path / "one")
    link.unlink()
    link.symlink_to("two")
    assert contents_of(link) != before


def test_files_are_shown_as_their_user_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "a" / "b") == "a/b"
    assert shown(Path("/bin/sh")) == "/bin/sh"
