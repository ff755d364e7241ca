"""A wheel of the bench, installed by itself: it measures commands, solves, lists what can be climbed, and keeps what it
finds in the user's state folder. What it has of a build is taken from the release build here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
BUILD = Settings().build_folder
COMMANDS = {
    "compare": ["--max-pairs", "6", "--budget", "60s", "sleep 0.002", "sleep 0.003"],
    "tune": ["--budget", "60s", "--max-pairs", "6", "--param", "N=0.001,0.002", "--", "sleep", "{N}"],
    "scale": ["--budget", "60s", "--max-pairs", "6", "--threads", "1,2", "--", "sleep", "0.002"],
    "gate": ["--budget", "60s", "--max-pairs", "6", "--threshold", "90%", "--", "sleep 0.002", ":::", "sleep 0.002"],
    "pin": ["--no-cost", "--", "sleep", "0.05"],
}
Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module", name="installed")
def installed_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel holds, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed: packages/venv dev")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    without_cmake = ["--config-settings=wheel.cmake=false", f"--config-settings=build-dir={folder / 'build'}"]
    build = [*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", str(folder), *without_cmake, str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)], check=True)
    if (BUILD / "cmake_install.cmake").is_file():
        words = ["cmake", "--install", str(BUILD), "--component", "package", "--prefix", str(site)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return site


def _with_json(words: Sequence[str]) -> list[str]:
    """Return a command line with --json after the command, which may have two words."""
    place = 2 if words[0] == "solve" else 1
    return [*words[:place], "--json", *words[place:]]


@pytest.fixture(name="environment")
def environment_fixture(installed: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has the package, and folders of their own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ROOFTOP_") or key == "ROOFTOP_LOCKS"}
    own = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_DATA_HOME": str(tmp_path / "data")}
    return kept | own | {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(name="rooftop")
def rooftop_fixture(environment: dict[str, str], tmp_path: Path) -> Run:
    """Run the installed command line in an empty folder, and return its exit code and its document."""

    def run(*words: str) -> tuple[int, dict[str, Any]]:
        (tmp_path / "work").mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "rooftop", *_with_json(words)],
            cwd=tmp_path / "work",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    return run


def _files(folder: Path) -> set[Path]:
    return {file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts}


def test_of_a_solver_a_wheel_has_the_python_package(installed: Path) -> None:
    held = {
        file.relative_to(installed / "rooftop" / "solvers").as_posix()
        for file in _files(installed / "rooftop" / "solvers")
    }
    faces = {file.relative_to(ROOT / "solvers").as_posix() for file in (ROOT / "solvers").glob("*/*.py")}
    assert faces <= held
    assert not [
        file for file in held if "/tests/" in file or file.endswith((".cpp", ".hpp", ".h", ".cmake", "Lists.txt"))
    ]


def test_the_wheel_is_what_is_tested(environment: dict[str, str], installed: Path, tmp_path: Path) -> None:
    """An editable installation in the same environment does not come before it."""
    ask = [sys.executable, "-P", "-c", "import rooftop; print(rooftop.__file__)"]
    told = subprocess.run(ask, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.strip() == str(installed / "rooftop" / "__init__.py")


@pytest.mark.parametrize("name", COMMANDS)
def test_an_installed_wheel_measures_commands(name: str, rooftop: Run, installed: Path, tmp_path: Path) -> None:
    before = _files(installed)
    code, document = rooftop(name, *COMMANDS[name])
    assert code in (0, 7)  # a gate need not be resolved in so short a time
    assert document["schema"].startswith(f"rooftop/{name}/")
    assert _files(installed) == before
    assert not _files(tmp_path / "work")
    if name != "pin":  # which keeps comparisons only
        assert (tmp_path / "state" / "rooftop" / "store.sqlite").is_file()


needs_build = pytest.mark.skipif(not (BUILD / "solvers/fft/librooftop_fft.so").is_file(), reason="nothing is built")


@needs_build
def test_what_is_compiled_comes_along(installed: Path) -> None:
    held = {
        file.relative_to(installed / "rooftop" / "built").as_posix() for file in _files(installed / "rooftop/built")
    }
    assert {"build.json", "native/libcall_counts.so", "probes/timer", "solvers/fft/librooftop_fft.so"} <= held
    assert not [name for name in held if "_by_ranks" in name or "mpi" in name or "/ranks/" in name]
    sources = {file.relative_to(installed / "rooftop/tree").as_posix() for file in _files(installed / "rooftop/tree")}
    assert {
        "CMakeLists.txt",
        "experiments/winograd/problem.cpp",
        "solvers/fft/mpi/include/rooftop/fft_mpi.hpp",
    } <= sources
    assert not [name for name in sources if "/tests/" in name or (name.startswith("solvers/") and name.endswith(".py"))]


@needs_build
def test_an_installed_wheel_solves_and_lists(rooftop: Run, tmp_path: Path) -> None:
    code, listed = rooftop("list")
    assert code == 0
    assert {"winograd", "ft", "labs/false_sharing"} <= {one["name"] for one in listed["experiments"]}
    assert rooftop("show", "winograd")[0] == 0
    (tmp_path / "work").mkdir(exist_ok=True)
    shutil.copy(ROOT / "solvers/routing/example/towns.tsp", tmp_path / "work")
    code, solved = rooftop("solve", "tsp", "towns.tsp", "--iterations", "100")
    assert (code, solved["schema"]) == (0, "rooftop/solve-tsp/1")


CMAKE = """#!/bin/sh
# Makes the build folder that -B names, and compiles nothing.
echo "$@" >> "$(dirname "$0")/asked"
while [ $# -gt 1 ]; do
  if [ "$1" = -B ]; then mkdir -p "$2" && echo '{}' > "$2/build.json"; fi
  shift
done
"""
PLACES = "from rooftop.settings import Settings as S; s = S(); print(s.root_folder, s.build_folder, s.home_folder)"


@needs_build
@pytest.mark.skipif((Path(sys.executable).parent / "cmake").exists(), reason="CMake lies beside Python")
def test_what_the_user_compiles_takes_the_packages_place(
    environment: dict[str, str], installed: Path, tmp_path: Path
) -> None:
    def told(*words: str) -> list[str]:
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        python = [sys.executable, "-P", *words]
        return subprocess.run(
            python, cwd=work, env=environment, capture_output=True, text=True, check=True
        ).stdout.split()

    package, home = installed / "rooftop", tmp_path / "state" / "rooftop"
    assert told("-c", PLACES) == [str(package / "tree"), str(package / "built"), str(home)]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cmake").write_text(CMAKE, encoding="utf-8")
    (tmp_path / "bin" / "cmake").chmod(0o755)
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}"
    before = _files(installed)
    (built,) = told("-m", "rooftop", "build", "--no-ranks")
    tree = Path(built).parents[1]
    assert tree.is_relative_to(tmp_path / "data")
    assert told("-c", PLACES) == [str(tree), built, str(home)]
    assert {file.relative_to(package / "tree") for file in _files(package / "tree")} <= {
        file.relative_to(tree) for file in _files(tree)
    }
    assert _files(installed) == before
    configured, compiled = (tmp_path / "bin" / "asked").read_text(encoding="utf-8").splitlines()
    assert "-DROOFTOP_MPICXX=OFF" in configured
    assert "-DROOFTOP_TESTS=OFF" in configured
    assert compiled.startswith(f"--build {built} --target bench --parallel ")
