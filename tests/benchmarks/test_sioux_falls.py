"""A real road network with its demands, got from the package that carries it: plans that hold up when counted anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.bill import bill
from rooftop.solvers.network.document import NetworkDocument
from rooftop.solvers.network.plan_file import read_plan
from rooftop.solvers.network.tables import read_network

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def convert(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS), "sioux_falls", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables. Skips where the package cannot be had."""
    folder = tmp_path_factory.mktemp("tables") / "sioux_falls"
    done = convert(folder)
    if done.returncode and "pip cannot get" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_the_network_is_that_of_the_paper(town: Path) -> None:
    network = read_network([town])
    assert (len(network.nodes), len(network.links)) == (24, 76)  # LeBlanc, Morlok, Pierskalla (1975)
    assert {demand.month for demand in network.demands} == set(range(1, 7))


def test_its_plans_meet_every_demand_and_capacity(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        network_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    out = tmp_path / "plan.csv"
    code = main(["solve", "network", str(town), "--iterations", "300", "--seed", "1", "--out", str(out), "--json"])
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    document = NetworkDocument.model_validate_json(captured.out)
    assert (document.valid, document.outcome, document.nodes, document.links) == (True, "ok", 24, 76)
    assert len(document.front) > 1
    assert document.chosen is not None
    # The bill refuses what leaves a demand, or lies above a capacity.
    assert bill(read_network([town]), read_plan(out)).cost == pytest.approx(document.chosen.figures.cost)


@pytest.mark.parametrize("content", [None, b"", b"no wheel at all"])
def test_what_is_no_wheel_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    wheel, folder = tmp_path / "aequilibrae.whl", tmp_path / "tables"
    if content is not None:
        wheel.write_bytes(content)
    done = convert(folder, "--wheel", wheel)
    assert done.returncode == 1
    assert done.stderr.startswith(f"sioux_falls: {wheel} holds no Sioux Falls: ")
    assert done.stderr.count("\n") == 1
    assert not folder.exists()
