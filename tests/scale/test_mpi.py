"""Real MPI programs whose factors are known: what the library that times their calls makes of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.observe.mpi_times import RankTimes, missing, read_times

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
MPICC = shutil.which("mpicc.openmpi")

needs_mpi = pytest.mark.skipif(
    MPICC is None or shutil.which("mpirun.openmpi") is None, reason="no mpicc.openmpi: install libopenmpi-dev"
)


@pytest.fixture(scope="module", name="build")
def build_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a build folder with the library, and the programs beside it."""
    assert MPICC is not None
    folder = tmp_path_factory.mktemp("mpi")
    (folder / "native").mkdir()
    made = folder / "native" / "libmpi_times_openmpi.so"
    sources = [str(one) for one in (ROOT / "native" / "mpi_times").glob("*.c")]
    words = [MPICC, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]
    subprocess.run([*words, "-o", str(made), *sources, "-ldl"], check=True)
    for name in ("imbalanced", "waiting"):
        subprocess.run([MPICC, "-O2", "-o", str(folder / name), str(HERE / f"{name}.c")], check=True)
    return folder


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFTOP_ROOT", str(tmp_path))
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ROOFTOP_DEBUG", raising=False)


def scaled(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["scale", "--json", "--launcher", "openmpi", *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    curve: dict[str, Any] = content["curves"][0]
    return curve


@needs_mpi
def test_load_balance_is_what_was_put_in(
    build: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOFTOP_BUILD", str(build))
    words = ["--ranks", "1,2,3,5", "--budget", "5m", "--max-pairs", "1", "--expect-regex", "^sum", "--"]
    curve = scaled([*words, str(build / "imbalanced"), "0.3"], capsys)
    for point in curve["points"]:
        ranks, got = point["ranks"], point["factors"]
        assert point["outcome"] == "ok"
        assert len(got["useful_s"]) == ranks
        # Noise can only lengthen what a rank takes, and a rank that starts late is waited for.
        assert got["load_balance"] == pytest.approx((ranks + 1) / (2 * ranks), abs=0.15)
        assert got["communication_efficiency"] > 0.6
        assert got["parallel_efficiency"] <= got["load_balance"] + 1e-9
        assert got["useful_s"][0] >= 0.6


@needs_mpi
def test_a_program_that_waits_has_low_communication_efficiency(
    build: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOFTOP_BUILD", str(build))
    words = ["--ranks", "1,3", "--budget", "5m", "--max-pairs", "1", "--", str(build / "waiting"), "0.3"]
    one, three = scaled(words, capsys)["points"]
    assert one["factors"]["communication_efficiency"] > 0.8
    assert three["factors"]["communication_efficiency"] == pytest.approx(1 / 3, abs=0.15)
    assert three["factors"]["load_balance"] > 0.7


@needs_mpi
def test_what_is_no_mpi_program_says_so(
    build: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOFTOP_BUILD", str(build))
    curve = scaled(["--ranks", "1,2", "--budget", "60s", "--max-pairs", "1", "--", "sleep", "0.02"], capsys)
    assert [point["outcome"] for point in curve["points"]] == ["ok", "ok"]
    assert "the program may not use MPI" in curve["no_factors"]


@needs_mpi
def test_without_the_library_the_reason_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ROOFTOP_BUILD", str(tmp_path / "nothing"))
    curve = scaled(["--ranks", "1,2", "--budget", "60s", "--max-pairs", "1", "--", "sleep", "0.02"], capsys)
    assert "is not built: install libopenmpi-dev" in curve["no_factors"]


def test_every_mpi_has_a_library_of_its_own(tmp_path: Path) -> None:
    assert "libmpi_times_mpich.so is not built: install libmpich-dev" in (missing(tmp_path, "mpich") or "")
    (tmp_path / "native").mkdir()
    (tmp_path / "native" / "libmpi_times_openmpi.so").touch()
    assert missing(tmp_path, "openmpi") is None
    assert missing(tmp_path, "srun") is None


def test_the_ranks_times_are_read() -> None:
    assert read_times("0 100 40 3\n1 90 0 2\n", 2) == [RankTimes(100, 40, 3), RankTimes(90, 0, 2)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0 100 40 3\n", "1 rank gave times, expected 2"),
        ("0 100 400 3\n1 90 0 2\n", "the times of rank 0 are '0 100 400 3'"),
        ("1 100 40 3\n", "the times of rank 0"),
        ("0 100 0 0\n1 100 0 0\n", "no MPI call was seen"),
        ("nothing\n", "the times of rank 0 are 'nothing'"),
    ],
)
def test_times_that_make_no_sense_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_times(text, 2)
