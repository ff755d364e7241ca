"""Compile what is measured: experiments, probes and solvers, for ranks of MPI too."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse, NotBuilt
from rooftop.settings import SOURCES, Settings, users_tree
from rooftop.terminal.groups import LADDERS

GROUP = LADDERS
_NO_RANKS = re.compile(r"^ROOFTOP_MPICXX:\w+=OFF$", re.MULTILINE)
_NO_MPI = re.compile(r"^ROOFTOP_MPI(?:CXX|RUN):\w+=\S+-NOTFOUND$", re.MULTILINE)


def _copy(source: Path, target: Path) -> None:
    """Copy a file with its time, so that it can be replaced later: those of a package may be read-only."""
    shutil.copyfile(source, target)
    known = source.stat()
    target.chmod(stat.S_IMODE(known.st_mode) | stat.S_IWUSR)
    os.utime(target, ns=(known.st_atime_ns, known.st_mtime_ns))


def _unpacked() -> Path:
    """Copy the sources that were installed to where they can be compiled, and return that folder."""
    tree = users_tree()
    try:
        for folder, _, names in os.walk(SOURCES):
            target = tree / Path(folder).relative_to(SOURCES)
            target.mkdir(parents=True, exist_ok=True)
            for name in names:
                _copy(Path(folder, name), target / name)
    except OSError as error:
        raise Misuse(f"{tree} cannot be written: {error}; set XDG_DATA_HOME to a writable folder") from error
    return tree


def _cache(folder: Path) -> str | None:
    """Return what CMake has kept of a build folder; None where nothing was configured."""
    cache = folder / "CMakeCache.txt"
    return cache.read_text(encoding="utf-8", errors="replace") if cache.is_file() else None


def _words_to_configure(tree: Path, folder: Path, path: str, ranks: bool) -> list[str]:
    """Return CMake's options.

    path  where programs are looked for
    """
    known = _cache(folder)
    words = ["-G", "Ninja"] if known is None and shutil.which("ninja", path=path) else []
    words.append("-DCMAKE_BUILD_TYPE=Release")
    if not ranks:
        words.append("-DROOFTOP_MPICXX=OFF")
    elif known is not None and _NO_RANKS.search(known):
        words.append("-UROOFTOP_MPICXX")  # CMake remembers an earlier --no-ranks
    if tree == users_tree():
        words.append(f"-DROOFTOP_VENV={sys.prefix}")
    if not (tree / "native" / "tests").is_dir():
        words.append("-DROOFTOP_TESTS=OFF")
    return words


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("build", help=__doc__, rich_help_panel=GROUP)
    def build(
        ranks: Annotated[
            bool | None,
            typer.Option(
                "--ranks/--no-ranks", help="Compile programs of MPI, or none.  [default: if Open MPI is installed]"
            ),
        ] = None,
        target: Annotated[
            str, typer.Option(metavar="NAME", help="Compile this alone, such as everything_of.winograd.")
        ] = "bench",
    ) -> None:
        from rooftop.climb.build import building_environment
        from rooftop.machine import cores_now

        environment = building_environment()
        cmake = shutil.which("cmake", path=environment["PATH"])
        if cmake is None:
            raise NotBuilt("cmake was not found, expected 3.25 or newer, such as that of 'pip install cmake ninja'")

        def run(words: list[str], doing: str) -> None:
            done = subprocess.run([cmake, *words], env=environment, stdout=sys.stderr, check=False)
            if done.returncode:
                raise NotBuilt(f"the sources cannot be {doing}: see above, and 'rooftop doctor' for what is missing")

        settings = Settings()
        tree = _unpacked() if settings.root_folder in (SOURCES, users_tree()) else settings.root_folder
        folder = settings.build or tree / "build" / "release"
        words = _words_to_configure(tree, folder, environment["PATH"], ranks is not False)
        run(["-S", str(tree), "-B", str(folder), *words], "configured")
        if ranks and _NO_MPI.search(_cache(folder) or ""):
            raise NotBuilt(
                "--ranks needs Open MPI, whose compiler wrapper or launcher was not found: "
                "install libopenmpi-dev and openmpi-bin"
            )
        jobs = environment.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(cores_now())
        run(["--build", str(folder), "--target", target, "--parallel", jobs], "compiled")
        typer.echo(str(folder))
