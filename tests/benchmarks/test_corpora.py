"""Corpora: what comes of a step that ends its process, what the page says, and lists of source packages."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.corpora import corpora
from benchmarks.corpora.corpora_page import page, unmet
from benchmarks.corpora.corpus_packages import Fetched, Packages, deb_src_lists
from benchmarks.corpora.corpus_runs import outcomes_of
from benchmarks.corpora.corpus_steps import Input, LeftOut, Outcome, Refused, Step, Wrong
from benchmarks.corpora.h5_values import unlike


class MadeUp:
    """A part whose steps end in every way."""

    TITLE = "Made-up files"
    TEXT = "Every file is tried."
    PACKAGES = Packages()
    LIMIT_S = 5.0  # a busy machine may take a second to begin a step
    MOST_REFUSED: Mapping[str, float] = {"read": 0.03}

    def inputs(self, packages: Sequence[Fetched], work: Path) -> list[Input]:
        return []

    def steps(self, given: Input, scratch: Path) -> Iterator[Step]:
        def refuse() -> None:
            raise Refused("/a/file: its type 7 is not supported")

        def err() -> None:
            raise Wrong("3, expected 4")

        def leave_out() -> None:
            raise LeftOut("nobody can read it")

        def crash() -> None:
            os.abort()

        def break_down() -> None:
            raise IndexError("list index out of range")

        for name, run in (
            ("a", lambda: None), ("b", refuse), ("c", crash), ("d", err), ("e", lambda: time.sleep(60)),
            ("f", leave_out), ("g", break_down), ("h", lambda: None),
        ):  # fmt: skip
            yield Step("read", name, run)

    def reason_group(self, reason: str) -> str:
        return reason.replace("7", "N")


def test_a_crash_and_a_hang_are_outcomes(tmp_path: Path) -> None:
    found = outcomes_of(MadeUp(), Input("x.h5", tmp_path / "x.h5"))
    kinds = ["right", "refused", "crash", "wrong", "hang", "left out", "unnamed error", "right"]
    assert [(one.what, one.kind) for one in found] == list(zip("abcdefgh", kinds, strict=True))
    assert found[2].reason == "the process ended by SIGABRT"
    assert found[6].reason == "IndexError: list index out of range"


def test_a_part_that_breaks_down_between_steps_is_a_fault(tmp_path: Path) -> None:
    class Broken(MadeUp):
        def steps(self, given: Input, scratch: Path) -> Iterator[Step]:
            yield Step("read", "a", lambda: None)
            raise KeyError("x")

    found = outcomes_of(Broken(), Input("x.h5", tmp_path))
    assert [one.kind for one in found] == ["right", "unnamed error"]


def test_the_page_counts_beside_what_is_asked() -> None:
    part = MadeUp()
    outcomes = [Outcome("x", "read", str(i), "right") for i in range(95)]
    outcomes += [Outcome("y", "read", str(i), "refused", "type 7") for i in range(5)]
    outcomes += [Outcome("y", "read", str(i), "left out", "too large") for i in range(50)]
    assert unmet(part, outcomes) == ["read: 5.0% refused, expected at most 3.0%"]
    packages = [Fetched("sdist", "tables", "3.1", Path("x")), Fetched("debian", "hdf5", "", None, "no network")]
    text = page("made_up", part, packages, 2, outcomes)
    assert "| read | 95 | 5 | 0 | 0 | 0 | 0 | 50 | 5.0% | 3.0% |" in text
    assert "| 5 | read | type N | y, 0 |" in text
    assert "| hdf5 | debian | not had: no network |" in text
    assert "Not as asked: read: 5.0% refused" in text
    outcomes = [*outcomes[:97], Outcome("z", "read", "a|b", "wrong", "1, expected 2")]
    assert unmet(part, outcomes) == ["wrong: 1, expected none"]
    assert "| wrong | z | a\\|b | read | 1, expected 2 |" in page("made_up", part, packages, 2, outcomes)
    assert "As asked." in page("made_up", part, packages, 2, outcomes[:95])


def test_lists_of_packages_become_lists_of_sources(tmp_path: Path) -> None:
    """Both forms of apt's lists; those of sources are left out, and so are remarks."""
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text(
        "# deb http://a.example x main\ndeb [arch=amd64 signed-by=/k.gpg] http://b.example suite main contrib\n"
        "deb-src http://c.example suite main\n"
    )
    (tmp_path / "sources.list.d" / "x.sources").write_text(
        "Types: deb deb-src\n# a remark\nURIs: http://d.example\nSuites: one two\nComponents: main\n\n"
        "Types: deb-src\nURIs: http://e.example\nSuites: one\nComponents: main\n"
    )
    assert deb_src_lists(tmp_path) == (
        "Types: deb-src\nURIs: http://d.example\nSuites: one two\nComponents: main\n\n"
        "Types: deb-src\nURIs: http://b.example\nSuites: suite\nComponents: main contrib\nSigned-By: /k.gpg\n"
    )


def test_every_part_has_the_form() -> None:
    pytest.importorskip("h5py")
    pytest.importorskip("hdf5plugin")
    for name in corpora.PARTS:
        part = corpora.part_named(name)
        assert part.TITLE
        assert part.LIMIT_S > 0
        assert part.reason_group("x 1") is not None


@pytest.mark.parametrize(("given", "right", "told"), [
    (np.array([1, 2]), np.array([1, 2]), ""),
    (np.array([1, 3]), np.array([1, 2]), "1 of 2 values differ, element 1 is"),
    (np.array([1.0, np.nan]), np.array([1.0, np.nan]), ""),
    (np.array([0.0]), np.array([-0.0]), "1 of 1 values differ"),
    (np.array([1, 2], ">i4"), np.array([1, 2], "<i4"), "expected int32"),
    (np.zeros(3), np.zeros(2), "shape (3,), expected (2,)"),
    (np.array([5], "i8").view("V8"), np.array([5], "M8[s]"), ""),
    (np.array([5], "i8").view("V8"), np.array([6], "M8[s]"), "1 of 1 values differ"),
    (np.array([5], "i8"), np.array([5], "M8[s]"), "int64, expected datetime64[s]"),
    (np.array([b"a", "b"], object), np.array([b"a", b"b"], object), ""),
    (np.array([b"a", b"c"], object), np.array([b"a", b"b"], object), "element 1 is b'c', expected b'b'"),
    (np.zeros(2, [("a", "i4")]), np.zeros(2, [("b", "i4")]), "fields"),
    (np.zeros(2, [("a", "i4")]), np.ones(2, [("a", "i4")]), "field a: 2 of 2 values differ"),
])  # fmt: skip
def test_values_are_told_apart(given: NDArray[Any], right: NDArray[Any], told: str) -> None:
    found = unlike(given, right)
    assert (told in found) if told else found == ""


def test_what_h5py_says_is_bytes_for_references_and_the_files_order_in_sequences(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    from benchmarks.corpora.h5_expected import expected

    with h5py.File(tmp_path / "x.h5", "w") as file:
        big = file.create_dataset("big", (2,), h5py.vlen_dtype(np.dtype(">u4")))
        big.id.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([np.arange(3, dtype="u4"), np.zeros(0, "u4")], object))
        pairs = file.create_dataset("pairs", (2,), np.dtype([("r", h5py.ref_dtype), ("n", "i4")]))
        pairs[0] = (big.ref, 7)
        file.create_dataset("text", data="abc", dtype=h5py.string_dtype())
    with h5py.File(tmp_path / "x.h5") as file:
        kind = file["big"].id.get_type().get_super().dtype
        whole, one = expected(file["big"], (...,)), expected(file["big"], (0, ...))
        assert (whole[0].dtype, one.shape) == (kind, ())
        assert whole[0].tobytes() == one[()].tobytes()
        found = expected(file["pairs"], (...,))
        assert (found.dtype["r"].kind, found["n"].tolist()) == ("V", [7, 0])
        assert np.frombuffer(found["r"][0].tobytes(), "<u8")[0] > 0
        assert expected(file["text"], (...,)).tolist() == expected(file["text"], ()).tolist() == b"abc"
