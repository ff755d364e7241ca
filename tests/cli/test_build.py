"""``rooftop build``: what it asks CMake for, and what it copies."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.cli import build
from rooftop.cli.app import main
from rooftop.errors import FINE, NOT_BUILT
from rooftop.settings import users_tree

CMAKE = """#!/bin/sh
echo "$@" >> "${0%/*}/asked"
"""
Ask = Callable[..., list[str]]


@pytest.fixture(name="package")
def package_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources of an installed package, as they may lie in a folder that nobody writes to."""
    sources = tmp_path / "package" / "tree"
    (sources / "experiments" / "one").mkdir(parents=True)
    (sources / "CMakeLists.txt").write_text("project(x)\n", encoding="utf-8")
    (sources / "experiments" / "one" / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (sources / "experiments" / "one" / "run.sh").chmod(0o555)
    (sources / "CMakeLists.txt").chmod(0o444)
    for folder in (sources / "experiments" / "one", sources / "experiments", sources):
        folder.chmod(0o555)
    monkeypatch.setattr(build, "SOURCES", sources)
    monkeypatch.setenv("ROOFTOP_ROOT", str(sources))
    return sources


@pytest.fixture(name="ask")
def ask_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    """Return a function that runs the command, and returns the lines that CMake is called with."""
    programs = tmp_path / "environment" / "bin"
    programs.mkdir(parents=True)
    (programs / "cmake").write_text(CMAKE, encoding="utf-8")
    (programs / "cmake").chmod(0o755)
    (tmp_path / "nothing").mkdir()
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    monkeypatch.setattr(sys, "prefix", str(programs.parent))
    monkeypatch.setattr("rooftop.machine.cores_now", lambda: 3)
    for name, value in {"PATH": tmp_path / "nothing", "XDG_DATA_HOME": tmp_path / "data"}.items():
        monkeypatch.setenv(name, str(value))
    for name in ("ROOFTOP_BUILD", "CMAKE_BUILD_PARALLEL_LEVEL"):
        monkeypatch.delenv(name, raising=False)

    def ask(*words: str) -> list[str]:
        (programs / "asked").unlink(missing_ok=True)
        assert main(["build", *words]) == FINE
        capfd.readouterr()
        return (programs / "asked").read_text(encoding="utf-8").splitlines()

    return ask


def test_programs_beside_python_are_used(ask: Ask, package: Path, tmp_path: Path) -> None:
    assert "Ninja" not in ask()[0]
    ninja = tmp_path / "environment" / "bin" / "ninja"
    ninja.write_text("#!/bin/sh\n", encoding="utf-8")
    ninja.chmod(0o755)
    assert "-G Ninja" in ask()[0]


def test_a_folder_keeps_its_generator(ask: Ask, package: Path, tmp_path: Path) -> None:
    (tmp_path / "environment" / "bin" / "ninja").symlink_to("cmake")
    folder = users_tree() / "build" / "release"
    folder.mkdir(parents=True)
    (folder / "CMakeCache.txt").write_text("CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n", encoding="utf-8")
    assert "-G" not in ask()[0].split()


def test_as_many_jobs_as_cores(ask: Ask, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make would start all at once without a number."""
    assert ask()[1].endswith(" --target bench --parallel 3")
    monkeypatch.setenv("CMAKE_BUILD_PARALLEL_LEVEL", "1")
    assert ask()[1].endswith(" --parallel 1")


@pytest.mark.parametrize(
    ("cached", "words", "expected"),
    [
        (None, [], None),
        (None, ["--no-ranks"], "-DROOFTOP_MPICXX=OFF"),
        ("ROOFTOP_MPICXX:FILEPATH=OFF", [], "-UROOFTOP_MPICXX"),
        ("ROOFTOP_MPICXX:UNINITIALIZED=OFF", [], "-UROOFTOP_MPICXX"),
        ("ROOFTOP_MPICXX:FILEPATH=OFF", ["--no-ranks"], "-DROOFTOP_MPICXX=OFF"),
        ("ROOFTOP_MPICXX:FILEPATH=/usr/bin/mpicxx.openmpi", [], None),
        ("ROOFTOP_MPICXX:FILEPATH=ROOFTOP_MPICXX-NOTFOUND", [], None),
    ],
)
def test_ranks_are_left_out_once(
    ask: Ask, package: Path, cached: str | None, words: list[str], expected: str | None
) -> None:
    folder = users_tree() / "build" / "release"
    folder.mkdir(parents=True)
    if cached is not None:
        (folder / "CMakeCache.txt").write_text(f"//Path to a program.\n{cached}\n\nOTHER:BOOL=ON\n", encoding="utf-8")
    told = [word for word in ask(*words)[0].split() if "ROOFTOP_MPICXX" in word]
    assert told == ([] if expected is None else [expected])


@pytest.mark.parametrize("name", ["MPICXX", "MPIRUN"])
def test_ranks_that_are_asked_for_take_an_mpi(
    name: str, ask: Ask, package: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = users_tree() / "build" / "release"
    folder.mkdir(parents=True)
    cached = f"ROOFTOP_{name}:FILEPATH=ROOFTOP_{name}-NOTFOUND\n"
    (folder / "CMakeCache.txt").write_text(cached, encoding="utf-8")
    assert len(ask()) == 2  # configured and compiled
    assert main(["build", "--ranks"]) == NOT_BUILT
    (line,) = capfd.readouterr().err.splitlines()
    assert "--ranks needs Open MPI" in line


def test_peers_wheels_are_those_beside_the_package(ask: Ask, package: Path, tmp_path: Path) -> None:
    assert f"-DROOFTOP_VENV={tmp_path / 'environment'}" in ask()[0].split()


def test_a_checkout_has_its_own_environment(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "native" / "tests").mkdir(parents=True)
    monkeypatch.setenv("ROOFTOP_ROOT", str(checkout))
    configured, compiled = ask()
    assert configured == f"-S {checkout} -B {checkout / 'build/release'} -DCMAKE_BUILD_TYPE=Release"
    assert compiled.startswith(f"--build {checkout / 'build/release'} ")


def test_what_was_copied_can_be_written(ask: Ask, package: Path) -> None:
    """A newer package replaces it."""
    assert ask()[0].startswith(f"-S {users_tree()} ")
    copied = [users_tree(), *users_tree().rglob("*")]
    assert {one.relative_to(users_tree()) for one in copied} == {
        one.relative_to(package) for one in (package, *package.rglob("*"))
    }
    assert all(one.stat().st_mode & stat.S_IWUSR for one in copied)
    script = users_tree() / "experiments" / "one" / "run.sh"
    assert os.access(script, os.X_OK)
    assert script.stat().st_mtime_ns == (package / "experiments" / "one" / "run.sh").stat().st_mtime_ns
    ask()


def test_without_cmake_nothing_is_built(
    ask: Ask, package: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "environment" / "bin" / "cmake").unlink()
    assert main(["build"]) == NOT_BUILT
    assert "cmake was not found" in capfd.readouterr().err
