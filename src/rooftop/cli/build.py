"""Compile what is measured: experiments, probes and solvers, for ranks of MPI too."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse, NotBuilt
from rooftop.settings import SOURCES, Settings, users_tree
from rooftop.terminal.groups import LADDERS

GROUP = LADDERS


def _unpacked() -> Path:
    """Copy the sources that were installed to where they can be compiled, and return that folder."""
    tree = users_tree()
    try:
        shutil.copytree(SOURCES, tree, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise Misuse(f"{tree} cannot be written: {error}; set XDG_DATA_HOME to a writable folder") from error
    return tree


def _run(words: list[str], doing: str) -> None:
    """Run CMake with its output shown. Raises NotBuilt where it fails."""
    from rooftop.climb.build import building_environment

    environment = building_environment()
    program = shutil.which("cmake", path=environment["PATH"])
    if program is None:
        raise NotBuilt("cmake was not found, expected 3.25 or newer, such as that of 'pip install cmake ninja'")
    done = subprocess.run([program, *words], env=environment, stdout=sys.stderr, check=False)
    if done.returncode:
        raise NotBuilt(f"the sources cannot be {doing}: see above, and 'rooftop doctor' for what is missing")


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("build", help=__doc__, rich_help_panel=GROUP)
    def build(
        ranks: Annotated[
            bool, typer.Option("--ranks/--no-ranks", help="Compile programs of MPI, if Open MPI is installed.")
        ] = True,
        target: Annotated[
            str, typer.Option(metavar="NAME", help="Compile this alone, such as everything_of.winograd.")
        ] = "bench",
    ) -> None:
        settings = Settings()
        tree = _unpacked() if settings.root_folder in (SOURCES, users_tree()) else settings.root_folder
        folder = settings.build or tree / "build" / "release"
        generator = ["-G", "Ninja"] if not (folder / "CMakeCache.txt").is_file() and shutil.which("ninja") else []
        words = [*generator, "-DCMAKE_BUILD_TYPE=Release", *([] if ranks else ["-DROOFTOP_MPICXX=OFF"])]
        tests = [] if (tree / "native" / "tests").is_dir() else ["-DROOFTOP_TESTS=OFF"]
        _run(["-S", str(tree), "-B", str(folder), *words, *tests], "configured")
        _run(["--build", str(folder), "--target", target, "--parallel"], "compiled")
        typer.echo(str(folder))
