"""Cold cases: the device is measured on the file system of the experiment's folder, and limits them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest_types import Write
from still_machine import StillMachine

from rooftop import report
from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import ClimbDocument
from rooftop.driver.process import ProcessExecutor
from rooftop.machine.file_system import file_system_of
from rooftop.measure.rules import Rules
from rooftop.measure.targets import read_targets
from rooftop.results.document import results_page
from rooftop.results.page import render
from rooftop.settings import Settings

TARGETS = """
[[target]]
id = "cold"
asked = "Half of what the device gives."
size = "cold"
measure = "roof_fraction"
at_least = 0.5
"""


@pytest.fixture
def climbed(
    write_experiment: Write, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ClimbDocument:
    """A climb of one cold and one cached case, both of which ask for 1 MB at 5 ms a run."""
    monkeypatch.setenv("FAKE_FILES", str(tmp_path / "files"))
    write_experiment(
        rungs={"10-reads": "run_ns=5e6, device_bytes=1e6, figures=[{'storage_read_bytes': 2e5}]", "20-none": ""}
    )
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    return climbing.climb(Request(budget_s=20, seed=3, size="cold")).document


def test_a_cold_case_stands_beside_the_device(climbed: ClimbDocument, tmp_path: Path) -> None:
    cold, cached = climbed.experiments[0].cases
    name = file_system_of(tmp_path).name
    assert (cold.cold_on, cached.cold_on) == (name, None)
    reads = cold.rungs[0]
    assert reads.limit_by == "device"
    assert reads.roof_fraction == pytest.approx(1e6 / 1e9 / 5e-3, rel=0.1)
    assert cold.rungs[1].limit_by == cached.rungs[0].limit_by == "compute"
    assert {roof.detail.get("file_system") for roof in climbed.machine.roofs if roof.level == "device"} == {name}


def test_cold_runs_that_found_their_files_in_a_cache_raise_a_doubt(climbed: ClimbDocument) -> None:
    (doubt,) = [one for one in climbed.doubts if one.name == "Cold runs were not cold"]
    assert doubt.evidence == "read from storage, by /proc/self/io: fake/cold/10-reads 195\u202fKiB of 977\u202fKiB"


def test_the_report_has_the_device_among_the_roofs(climbed: ClimbDocument, tmp_path: Path) -> None:
    report.write(climbed, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "device, file read" in page
    assert "device, 4 KiB file reads, O_DIRECT" in page


def test_the_page_of_results_has_the_devices_rate(climbed: ClimbDocument, tmp_path: Path) -> None:
    (tmp_path / "targets.toml").write_text(TARGETS, encoding="utf-8")
    found = results_page("fake", read_targets(tmp_path / "targets.toml"), [climbed], Rules())
    assert found is not None
    page = render(found)
    assert "| memory bandwidth | device | A/A floor |" in page
    assert "| 1.00\u202fGB/s |" in page
