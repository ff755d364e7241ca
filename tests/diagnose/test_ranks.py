"""Programs of MPI on few ranks and on more than there are cores, with each library: what is told, and what stays."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from rooftop.cli.app import main
from rooftop.command.environment import own_environment
from rooftop.command.process import Limits, run
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.passes import rank_facts
from rooftop.diagnose.timeline import MOST_THREADS, timeline
from rooftop.errors import FINE
from rooftop.launchers import named
from rooftop.launchers.team import Team
from rooftop.observe import mpi_times
from rooftop.observe.sampler import Sampler
from rooftop.observe.threads import scene
from rooftop.settings import Settings

SOURCE = Path(__file__).with_name("ring.c")
STEPS = 200


@pytest.fixture(scope="module", name="ring", params=["openmpi", "mpich"])
def ring_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the name of an MPI, and the program built with it."""
    mpi: str = request.param
    if shutil.which(f"mpicc.{mpi}") is None or (reason := named(mpi).missing()) is not None:
        pytest.skip(f"no {mpi}: install lib{mpi}-dev")
    if (reason := mpi_times.missing(Settings().build_folder, mpi)) is not None:
        pytest.skip(reason)
    made = tmp_path_factory.mktemp(mpi) / "ring"
    subprocess.run([f"mpicc.{mpi}", "-O2", "-g", "-o", str(made), str(SOURCE)], check=True)
    return mpi, made


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_all_ranks_are_told_and_nothing_is_left(
    ring: tuple[str, Path],
    ranks: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mpi, program = ring
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    launch = named(mpi).started([str(program), str(STEPS // ranks)], {}, Team(ranks=ranks), None)
    for name, value in launch.environment.items():
        monkeypatch.setenv(name, value)
    page = tmp_path / "page.html"
    words = ["diagnose", "--budget", "1s", "--without", "all", "--json", "--picture", str(page), "--", *launch.words]
    assert main(words) == FINE
    document = DiagnoseDocument.model_validate(json.loads(capsys.readouterr().out))
    assert document.failure is None
    told = document.facts.mpi or []
    assert [sorted(one.to) for one in told] == [[(rank + 1) % ranks] for rank in range(ranks)]
    assert {one.to[(rank + 1) % ranks].messages for rank, one in enumerate(told)} == {STEPS // ranks}
    assert {one.to[(rank + 1) % ranks].sent_bytes for rank, one in enumerate(told)} == {8 * (STEPS // ranks)}
    assert {one.by_name["Allreduce"].calls for one in told} == {STEPS // ranks}
    assert document.facts.ranks <= ranks
    assert document.timeline is None or len(document.timeline.lanes) <= MOST_THREADS
    text = page.read_text(encoding="utf-8")
    assert ("Messages between ranks" in text) == bool(told)
    assert not any("rank" in reason for reason in document.facts.missing)
    assert not list(temporary.iterdir())
    assert not [one for one in psutil.process_iter(["cmdline"]) if str(program) in (one.info["cmdline"] or [])]


def test_more_ranks_than_cores_are_told_by_one_launch(ring: tuple[str, Path], tmp_path: Path) -> None:
    # A diagnosis would launch them for each pass; here, both observers share one.
    mpi, program = ring
    ranks, steps = 16, STEPS // 16
    launch = named(mpi).started([str(program), str(steps)], {}, Team(ranks=ranks), None)
    environment, times = own_environment(launch.environment), tmp_path / "times"
    more = mpi_times.variables(mpi_times.library(Settings().build_folder, mpi), times, environment)
    sampler = Sampler(sleeps=True)
    finished = run(launch.words, Limits(300.0), environment={**environment, **more}, observer=sampler)
    assert finished.status == 0, finished.said
    told = [rank_facts(one) for one in mpi_times.read_calls(times.read_text(encoding="ascii"))]
    assert [sorted(one.to) for one in told] == [[(rank + 1) % ranks] for rank in range(ranks)]
    assert {one.to[(rank + 1) % ranks].messages for rank, one in enumerate(told)} == {steps}
    assert {one.by_name["Allreduce"].calls for one in told} == {steps}
    recording = sampler.ended()
    assert {facts.rank for facts in recording.facts.values()} <= {None, *range(ranks)}
    lanes = timeline(recording, scene(recording))
    assert lanes is None or len(lanes.lanes) <= MOST_THREADS
    assert not finished.left
