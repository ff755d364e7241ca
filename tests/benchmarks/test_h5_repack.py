"""The benchmark of rewriting: its files, and both programs' command lines."""

from __future__ import annotations

from pathlib import Path

import pytest

h5py = pytest.importorskip("h5py")

from benchmarks.h5_repack.h5_repack import CASES, CHUNKS, SIDE, commands, line, write_file  # noqa: E402


@pytest.mark.parametrize("compressed", [False, True])
def test_files_are_as_the_cases_say(tmp_path: Path, compressed: bool) -> None:
    write_file(tmp_path / "x.h5", compressed)
    with h5py.File(tmp_path / "x.h5") as file:
        assert file["x"].shape == (SIDE, SIDE)
        assert file["x"].chunks == (CHUNKS if compressed else None)


def test_both_programs_get_the_same_files() -> None:
    for case in CASES:
        theirs, ours = commands(case, Path("in.h5"), Path("out.h5"))
        assert theirs[-2:] == ["in.h5", "out.h5"]
        assert ours[3:6] == ["in.h5", "--out", "out.h5"]


def test_a_slower_one_is_not_met() -> None:
    assert line("x", "faster", 1.2, 1.1, 1.3, 6).met
    assert not line("x", "slower", 0.8, 0.7, 0.9, 6).met
