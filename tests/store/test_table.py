"""The samples of a campaign as a table: in CSV and in Parquet the same, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from growing_store import Growing

from rooftop.cli.app import main
from rooftop.store.database import opened_database
from rooftop.store.table import COLUMNS

pytestmark = pytest.mark.usefixtures("scratch")


@pytest.fixture(name="place")
def place_fixture(tmp_path: Path) -> str:
    """A store of two campaigns, of which the first had two sessions."""
    place = tmp_path / "table.sqlite"
    with opened_database(place) as store:
        campaign = Growing(store, "first", cases=2)
        campaign.measure(3)
        campaign.resume(store)
        campaign.measure(2)
        Growing(store, "second").measure(4)
    return str(place)


def test_a_row_for_each_sample(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "first", "--store", place]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert list(rows[0]) == list(COLUMNS)
    assert [float(row["elapsed_ns"]) for row in rows] == [1e7 + number for number in range(1, 11)]
    assert [row["session"] for row in rows] == ["1"] * 6 + ["2"] * 4
    assert {row["arm"] for row in rows} == {"old", "new"}
    assert float(rows[0]["run_s"]) == pytest.approx((1e7 + 1) * 1e-9 / 5)
    assert [row["ranks_ns"] for row in rows[:3]] == ["[1.0, 2.0]", "[1.0, 2.0]", ""]
    assert json.loads(rows[0]["figures"]) == {"x": 0.5}


def test_parquet_has_the_same(place: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'rooftop[parquet]'")
    written = tmp_path / "samples.parquet", tmp_path / "samples.csv"
    assert main(["export", "first", "--format", "parquet", "--out", str(written[0]), "--store", place]) == 0
    assert main(["export", "first", "--out", str(written[1]), "--store", place]) == 0
    table = parquet.read_table(written[0]).to_pylist()
    with written[1].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{name: "" if value is None else str(value) for name, value in row.items()} for row in table] == rows


def test_what_cannot_be_written_is_misuse(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "third", "--store", place]) == 2
    assert main(["export", "first", "--format", "parquet", "--store", place]) == 2
    told = capsys.readouterr().err
    assert "'third' is no campaign" in told
    assert "expected --out FILE" in told


def test_a_comparison_as_google_benchmark_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--json", "--max-pairs", "6", "--budget", "5s", "true", "true ''"]) == 0
    campaign = json.loads(capsys.readouterr().out)["campaign"]
    assert main(["export", campaign, "--format", "google-benchmark"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert {one["run_type"] for one in written["benchmarks"]} == {"iteration"}
