"""TSPLIB's own problems, got by cargo: lengths and shortest tours that are known, by the reader and the solver."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.tours.tour_files import crate_folder, in_folder
from benchmarks.tours.tour_instances import BY_NAME
from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.settings import Settings
from rooftop.solvers.routing import library as routing_library
from rooftop.solvers.routing.document import TspDocument


@pytest.fixture(scope="module")
def problems() -> Path:
    """The crate's files. Skips where they cannot be had."""
    try:
        return crate_folder()
    except SystemExit as reason:
        pytest.skip(str(reason))


def test_they_are_read_as_published(problems: Path, tmp_path: Path) -> None:
    program = Settings().build_folder / "solvers/routing/tests/rooftop_routing_test"
    if not program.is_file():
        pytest.skip(f"{program} is not built")
    result = tmp_path / "result.xml"
    done = subprocess.run(
        [program, "--gtest_filter=PublishedInstances.*", f"--gtest_output=xml:{result}"],
        env=os.environ | {"ROOFTOP_TSPLIB": str(problems)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    cases = list(ElementTree.parse(result).iter("testcase"))
    assert cases
    assert all(case.get("result") == "completed" for case in cases)


@pytest.mark.parametrize("name", ["eil51", "kroA100", "d198"])
def test_their_shortest_tours_are_found(problems: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        routing_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    file = in_folder(problems, name)
    assert file is not None
    assert main(["solve", "tsp", str(file), "--iterations", "20000", "--seed", "1", "--json"]) == 0
    document = TspDocument.model_validate_json(capsys.readouterr().out)
    assert document.valid
    assert document.length == BY_NAME[name].optimum
