"""A launcher of one MPI library with a program of another: it is told, and not taken unasked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.command.mpi_library import library_among, library_of, of_another_library
from rooftop.launchers import chosen

SOURCE = "#include <mpi.h>\nint main(int n, char **v) { MPI_Init(&n, &v); MPI_Finalize(); return 0; }\n"
BOTH = all(shutil.which(f"{name}.{library}") for name in ("mpicc", "mpirun") for library in ("openmpi", "mpich"))

pytestmark = [
    pytest.mark.usefixtures("scratch"),
    pytest.mark.skipif(not BOTH, reason="needs Open MPI and MPICH: install libopenmpi-dev, mpich and libmpich-dev"),
]


@pytest.fixture(scope="module", name="programs")
def programs_fixture(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Build one program with each library."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "pi.c").write_text(SOURCE, encoding="utf-8")
    for library in ("openmpi", "mpich"):
        subprocess.run([f"mpicc.{library}", "-o", library, "pi.c"], cwd=folder, check=True)
    return {library: str(folder / library) for library in ("openmpi", "mpich")}


def test_library_of_a_program(programs: dict[str, str], tmp_path: Path) -> None:
    assert [library_of(program) for program in programs.values()] == ["openmpi", "mpich"]
    (tmp_path / "empty").touch(mode=0o755)
    assert [library_of(one) for one in ("true", "nosuchprog", "/", str(tmp_path / "empty"))] == [None] * 4
    assert library_among(["env", "A=1", programs["mpich"]]) == "mpich"


@pytest.mark.case("commands.G5")
def test_launcher_of_another_library_is_seen(programs: dict[str, str]) -> None:
    ours, theirs = programs["openmpi"], programs["mpich"]
    told = f"{ours} is built with Open MPI, but mpirun.mpich belongs to MPICH"
    assert of_another_library(["mpirun.mpich", "-np", "2", "-bind-to", "none", ours]) == told
    assert of_another_library(["env", "A=1", "mpirun.mpich", "-np", "2", "nice", ours, "4"]) == told
    assert of_another_library(["/bin/sh", "-c", f"A=1 mpirun.mpich -np 2 {ours} > /dev/null"]) == told
    assert of_another_library(["mpirun.openmpi", "-np", "2", theirs]) is not None
    for fine in (["mpirun.openmpi", "-np", "2", ours], ["mpirun.mpich", "-np", "2", theirs], [ours], ["mpirun.mpich"]):
        assert of_another_library(fine) is None
    assert of_another_library(["/bin/sh", "-c", f"mpirun.mpich '{ours}"]) is None


def doubts(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    main(words)
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {one["doubt"][:40]: one["evidence"] for one in content["doubts"]}


@pytest.mark.case("commands.G5")
@pytest.mark.parametrize(
    "words",
    [
        ["scale", "--ranks", "1,2", "--launcher", "mpich", "--no-factors", "--"],
        ["tune", "--ranks", "1,2", "--launcher", "mpich", "--"],
        ["compare", "--", "mpirun.mpich", "-np", "1", "{}", ":::", "mpirun.mpich", "-np", "2"],
        ["gate", "--", "mpirun.mpich", "-np", "1", "{}", ":::", "mpirun.mpich", "-np", "2"],
        ["pin", "--no-cost", "--", "mpirun.mpich", "-np", "2"],
    ],
)
def test_every_kind_tells_it(words: list[str], programs: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    own = [programs["openmpi"] if word == "{}" else word for word in words]
    found = doubts([own[0], "--json", "--budget", "3s", *own[1:], programs["openmpi"]], capsys)
    assert (
        "is built with Open MPI, but mpirun.mpich belongs to MPICH" in found["The launcher belongs to another MPI libr"]
    )


@pytest.mark.case("commands.G5.chosen")
def test_launcher_that_nobody_named_is_the_program_s_own(programs: dict[str, str]) -> None:
    assert chosen(None, ranked=True) == "openmpi"
    assert chosen(None, ranked=True, library=library_of(programs["mpich"])) == "mpich"
    assert chosen("openmpi", ranked=True, library="mpich") == "openmpi"
