"""The page of small reads: what is slower is named, what is wrong has no ratio, and both sides read the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.small_reads.patterns import PATTERNS, Pattern
from benchmarks.small_reads.sample import write_sample
from benchmarks.small_reads.small_reads import LEAST_PATTERNS, Row, asked_lines, differing, measured, write_rows
from rooftop.documents import Comparison, Verdict
from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)
h5py = pytest.importorskip("h5py")


def recorded(name: str, ratio: float, verdict: Verdict = "faster") -> Row:
    found = Comparison(
        against="h5py", ratio=ratio, lo=ratio - 0.01, hi=ratio + 0.01, pairs=12, verdict=verdict, floor=0.004
    )
    return Row(name, 2.0, 2.0 * ratio, found)


WRONG = Row("row", float("inf"), 3.0, None, "h5io: 3 of 8 values differ")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small-reads") / "sample.h5"
    write_sample(path)
    return path


def test_what_is_slower_is_named() -> None:
    rows = [recorded("element", 4.0), recorded("column", 0.8, "slower"), recorded("row", 0.9, "slower")]
    told = {one.what: (one.reached, one.met) for one in asked_lines(rows)}
    assert told["patterns"] == ("3", False)
    assert told["both read the same values"] == ("3 of 3", True)
    assert told["h5py's time over h5io's, in every pattern"] == ("1 of 3; column 0.80; row 0.90", False)
    assert told["the same, geometric mean"] == ("1.42", False)
    assert [one.met for one in asked_lines([recorded(str(number), 2.5) for number in range(LEAST_PATTERNS)])] == [
        True,
        True,
        True,
        True,
    ]


def test_what_is_read_wrongly_has_no_ratio(tmp_path: Path) -> None:
    told = {one.what: (one.reached, one.met) for one in asked_lines([recorded("element", 4.0), WRONG])}
    assert told["both read the same values"] == ("1 of 2; not row", False)
    assert told["h5py's time over h5io's, in every pattern"] == ("1 of 1", False)
    write_rows(tmp_path / "page.md", [recorded("element", 0.75, "slower"), WRONG], "How it was measured.")
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| element | 2 | 1.5 | **0.75** | 0.74 to 0.76, 12 pairs | 0.4% | slower |" in page
    assert "| row | – | – | h5io: 3 of 8 values differ | – | – | – |" in page


def test_results_are_held_against_types_shapes_and_values() -> None:
    values = np.arange(6.0).reshape(2, 3)
    assert differing(values, values.copy()) is None
    assert differing(np.array(b"text", object), b"text") == "read object (), expected |S4 ()"
    assert differing(values, values.astype(">f8")) == "read float64 (2, 3), expected >f8 (2, 3)"
    assert differing(values[0], values) == "read float64 (3,), expected float64 (2, 3)"
    assert differing(values + np.array([0, 0, 1]), values) == "2 of 6 values differ"


def test_there_are_enough_patterns_and_their_names_differ() -> None:
    assert len({one.name for one in PATTERNS}) == len(PATTERNS) >= LEAST_PATTERNS


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda one: one.name)
def test_every_pattern_reads_the_same_by_both(sample: Path, pattern: Pattern) -> None:
    with h5py.File(sample) as file:
        expected = pattern.opened(file)()
        assert differing(pattern.opened(h5io.File(sample))(), expected) is None


def test_a_pattern_is_measured_in_pairs(sample: Path) -> None:
    row = measured(PATTERNS[0], sample, 0.1)
    assert row.found is not None
    assert row.found.pairs >= 6
    assert 0 < row.h5io_us < 1e6


def test_a_wrong_result_is_not_timed(sample: Path) -> None:
    def wrong(file: Any) -> Any:
        dataset = file["series/contiguous"]
        return lambda: dataset[1:9]

    row = measured(Pattern("shifted", lambda file: lambda: file["series/contiguous"][:8], by_h5io=wrong), sample, 0.1)
    assert row.ratio is None
    assert row.wrong == "h5io: 8 of 8 values differ"
