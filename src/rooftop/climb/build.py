"""Build an experiment outside the tree with CMake, if it is not up to date."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rooftop.command.environment import own_environment
from rooftop.errors import NotBuilt
from rooftop.ladder.discovery import Found, build_description
from rooftop.ladder.location import BUILD
from rooftop.text.visible import visible

PACKAGE = "RooftopBench"  # cmake/outside_package.cmake writes its configuration into the bench's build folder
# Progress lines of CMake, Ninja and Make, which are not shown with an error.
_ALL_WELL = re.compile(r"\[ *\d+(/\d+|%)\] (Building|Linking|Re-checking|Re-running|Built)|-- |ninja: build stopped")

Say = Callable[[str], None]


def _to_stderr(text: str) -> None:
    sys.stderr.write(visible(text))  # compilers show the lines of the sources as they are
    sys.stderr.flush()


def building_environment() -> dict[str, str]:
    """Return the user's environment with this Python's bin folder, which may have CMake and Ninja, first in PATH."""
    own, users = str(Path(sys.executable).parent), own_environment()
    return users | {"PATH": os.pathsep.join([own, users.get("PATH", os.defpath)])}


class CMakeBuild:
    """Build experiments.

    bench  build folder of the bench's tree, whose libraries and compiler are used
    show   called with the full output of a build that failed
    """

    def __init__(self, bench: Path, show: Say = _to_stderr) -> None:
        self._bench = bench
        self._show = show
        self._environment = building_environment()

    def bring_up_to_date(self, found: Found, say: Say) -> None:
        """Build what has changed. Does nothing if all rungs and peers are interpreted. Raises NotBuilt."""
        if all(module.interpreted for module in found.modules):
            return
        folder = found.folder
        if not (folder / "CMakeLists.txt").is_file():
            raise NotBuilt(
                f"{folder} has rungs to compile and no CMakeLists.txt: add one as created by 'rooftop new NAME'"
            )
        if not (self._bench / f"{PACKAGE}Config.cmake").is_file():
            raise NotBuilt(
                f"the bench itself is not built in {self._bench}: run 'rooftop build', or 'make build' in its tree"
            )
        cmake = self._program("cmake")
        if cmake is None:
            raise NotBuilt("cmake was not found, expected 3.25 or newer: see 'rooftop doctor'")
        say(f"building {found.name}")
        build = folder / BUILD
        self._run([cmake, "-S", str(folder), "-B", str(build), *self.words_to_configure(folder)], folder, "configure")
        self._run([cmake, "--build", str(build), "--target", "bench"], folder, "compile")

    def _program(self, name: str) -> str | None:
        return shutil.which(name, path=self._environment["PATH"])

    def words_to_configure(self, folder: Path) -> list[str]:
        """Return CMake's arguments. Compiler and generator can only be set for a new build folder. Raises NotBuilt."""
        words = [f"-D{PACKAGE}_DIR={self._bench}"]
        cache = folder / BUILD / "CMakeCache.txt"
        known = cache.read_text(encoding="utf-8", errors="replace") if cache.is_file() else ""
        if f"CMAKE_HOME_DIRECTORY:INTERNAL={folder}\n" in known:
            return words
        compiler = str(build_description(self._bench).get("compiler_path") or "c++")
        if self._program(compiler) is None:
            raise NotBuilt(
                f"the compiler {compiler}, with which the bench was built, was not found: see 'rooftop doctor', "
                "then run 'rooftop build'"
            )
        ninja = ["-G", "Ninja"] if self._program("ninja") else []
        # A folder that was moved or copied still has the cache of its old place.
        return [*words, f"-DCMAKE_CXX_COMPILER={compiler}", *ninja, *(["--fresh"] if known else [])]

    def _run(self, words: Sequence[str], folder: Path, doing: str) -> None:
        try:
            done = subprocess.run(
                words,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise NotBuilt(f"{words[0]} cannot be started: {error.strerror or error}") from error
        if done.returncode:
            self._show("".join(line for line in done.stdout.splitlines(True) if not _ALL_WELL.match(line)))
            raise NotBuilt(f"{folder} does not {doing}: see above")
