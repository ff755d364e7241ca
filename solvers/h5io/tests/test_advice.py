"""``rooftop h5 advise``: what it counts, predicts and measures, and that the user's file stays as it is."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import MISUSE, Misuse, NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice.access import (
    KINDS,
    access_named,
    chunks_of,
    elements_of,
    pieces_of,
    sample_shape,
)
from rooftop.solvers.h5io.advice.cost import FilterRates, Rates, predicted_s
from rooftop.solvers.h5io.advice.document import AdviceDocument
from rooftop.solvers.h5io.advice.layouts import Layout, candidates, padded_share

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

shapes = st.lists(st.integers(1, 15), min_size=1, max_size=3)


@st.composite
def selections(draw: st.DrawFn) -> tuple[list[int], tuple[slice, ...]]:
    shape = draw(shapes)
    index = []
    for extent in shape:
        start = draw(st.integers(0, extent - 1))
        index.append(slice(start, draw(st.integers(start + 1, extent)), draw(st.integers(1, 5))))
    return shape, tuple(index)


@given(selections(), st.data())
def test_chunks_and_elements_are_counted_right(selection: Any, data: st.DataObject) -> None:
    shape, index = selection
    chunk = [data.draw(st.integers(1, extent)) for extent in shape]
    places = list(itertools.product(*(range(one.start, one.stop, one.step) for one in index)))
    assert elements_of(index) == len(places)
    touched = {tuple(at // length for at, length in zip(place, chunk, strict=True)) for place in places}
    assert chunks_of(index, chunk) == len(touched)


@given(selections())
def test_pieces_have_all_elements(selection: Any) -> None:
    shape, index = selection
    pieces, length, apart = pieces_of(index, shape)
    assert pieces * length == elements_of(index)
    flat = np.arange(math.prod(shape)).reshape(shape)[index].ravel()
    breaks = np.flatnonzero(np.diff(flat) != 1)
    assert pieces >= len(breaks) + 1  # neighbours along an outer dimension may count as two
    assert apart >= length or pieces == 1


@given(shapes, st.integers(1, 8), st.integers(1, 100000))
def test_samples_fit(shape: list[int], itemsize: int, most: int) -> None:
    sample = sample_shape(shape, itemsize, most)
    assert all(1 <= part <= extent for part, extent in zip(sample, shape, strict=True))
    assert math.prod(sample) * itemsize <= max(most, itemsize)


@given(shapes, st.sampled_from((1, 4, 8)))
def test_candidates_fit_the_dataset(shape: list[int], itemsize: int) -> None:
    found = candidates(shape, itemsize, [(), ("shuffle", "deflate:1")])
    assert found[0] == Layout(None)
    assert len(set(found)) == len(found)
    for one in found[1:]:
        assert one.chunk is not None
        assert all(1 <= part <= extent for part, extent in zip(one.chunk, shape, strict=True))


def test_chunks_beyond_the_array_count() -> None:
    assert padded_share((10, 10), (20, 30)) == 1
    assert padded_share((10, 20), (15, 30)) == pytest.approx(20 * 40 / (15 * 30))


def test_what_reads_fewer_bytes_is_predicted_to_be_faster() -> None:
    rates = Rates(1e9, 1e-5, 1e-6, 1e-6, {(): FilterRates(1e9, 1e9, 1.0), ("shuffle",): FilterRates(5e8, 1e9, 1.0)}, 2)
    shape = (1000, 1000)
    columns = access_named("columns").reads(shape, 1)
    tall, wide = Layout((1000, 8)), Layout((8, 1000))
    assert predicted_s(tall, columns, shape, 8, rates) < predicted_s(wide, columns, shape, 8, rates) / 10
    rows = access_named("rows").reads(shape, 1)
    assert predicted_s(Layout(None), rows, shape, 8, rates) < predicted_s(tall, rows, shape, 8, rates)
    filtered = Layout((1000, 8), ("shuffle",))
    assert predicted_s(tall, columns, shape, 8, rates) < predicted_s(filtered, columns, shape, 8, rates)


def test_ways_of_reading() -> None:
    assert access_named("strided:3").reads((4, 10), 1) == [(slice(0, 4), slice(0, 10, 3))]
    assert len(access_named("rows").reads((7, 3), 1)) == 7
    assert len(access_named("columns").reads((7, 1000), 1)) == 64
    assert access_named("random:5").reads((7, 9), 1) == access_named("random:5").reads((7, 9), 1)
    assert access_named("random:5").reads((7, 9), 1) != access_named("random:5").reads((7, 9), 2)
    for wrong in ("row", "strided", "strided:0", "random:x", "rows:2"):
        with pytest.raises(Misuse, match=f"--access is '{wrong}', expected one of {', '.join(KINDS)}"):
            access_named(wrong)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "user.h5"
    with h5io.OutputFile(path) as output:
        x = output.dataset("run/x", (300, 200), "<f4", chunks=(1, 200), filters=("shuffle", "deflate:4"))
        x[...] = np.arange(60000).reshape(300, 200) % 500
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["h5", "advise", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("access", ["all", "rows", "columns", "strided:4", "random:20"])
def test_layouts_are_measured_and_the_file_stays(capsys: pytest.CaptureFixture[str], file: Path, access: str) -> None:
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    code, out, err = run(capsys, file, "--access", access, "--budget", "200ms", "--json", "--threads", 2)
    assert (code, err) == (0, "")
    document = AdviceDocument.model_validate_json(out)
    assert (document.dataset, document.layout) == ("run/x", "1x200, shuffle, deflate")
    measured = [one for one in document.proposals if one.measured is not None]
    assert len(measured) >= 3
    assert all(one.measured is None or one.measured.pairs >= 6 for one in measured)
    assert any(one.filters for one in measured)  # it is compressed now, and may have to stay so
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert [path.name for path in file.parent.iterdir()] == ["user.h5"]


def test_the_table_names_what_was_measured_and_how_to_rewrite(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, _ = run(capsys, file, "--access", "columns", "--budget", "300ms", "--cold")
    assert code == 0
    assert "now: 1x200, shuffle, deflate" in out
    assert "reads of columns" in out


def test_a_part_of_a_large_dataset_stands_for_it(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, _ = run(capsys, file, "--access", "rows", "--budget", "100ms", "--sample", "64KiB", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["sample"] == [81, 200]
    assert document["remarks"] == ["measured on the first 81x200 elements: --sample is smaller than the dataset"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--dataset", "run/y"], "dataset run/y cannot be opened"),
        (["--access", "diagonal"], "--access is 'diagonal', expected one of all, rows"),
        (["--sample", "much"], "--sample is 'much', expected bytes such as 512M or 2GiB"),
        (["--scratch", "/no/such"], "--scratch is /no/such, expected a folder"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], file: Path, words: list[str], says: str) -> None:
    code, out, err = run(capsys, file, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.parent.chmod(0o555)
    code, _, err = run(capsys, file)
    file.parent.chmod(0o755)
    assert code == MISUSE
    assert "expected --scratch with a folder that can" in err


def test_a_file_of_many_datasets_needs_a_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "two.h5") as output:
        for name in ("a", "b"):
            output.dataset(name, (3,), "<f4")[...] = 1
    code, _, err = run(capsys, tmp_path / "two.h5")
    assert code == MISUSE
    assert "has 2 datasets, expected --dataset with one of them: a, b" in err
    code, _, err = run(capsys, tmp_path / "none.h5")
    assert (code, "No such file" in err) == (MISUSE, True)
