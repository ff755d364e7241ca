"""Where problems of TSPLIB come from: a folder, or the crate that carries them, got by cargo and kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

CRATE, VERSION = "mahf-tsplib", "0.1.0"


def in_folder(folder: Path, name: str) -> Path | None:
    """Return a problem's file in a folder, whatever the case of its name."""
    wanted = f"{name}.tsp".lower()
    return next((file for file in sorted(folder.iterdir()) if file.name.lower() == wanted), None)


def crate_folder() -> Path:
    """Get the crate's files by cargo. Ends the program where that cannot be done."""
    cargo_home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    files = f"registry/src/*/{CRATE}-{VERSION}/src/tsplib"
    if not list(cargo_home.glob(files)):
        if shutil.which("cargo") is None:
            sys.exit("tours: problems of TSPLIB are not here: name a folder with them by --data, or install cargo")
        with tempfile.TemporaryDirectory() as scratch:
            package = Path(scratch) / "problems"
            for words in (
                ["init", "--quiet", "--vcs", "none", "--lib", "--name", "problems", str(package)],
                ["add", "--quiet", "--manifest-path", str(package / "Cargo.toml"), f"{CRATE}@{VERSION}"],
                ["fetch", "--quiet", "--manifest-path", str(package / "Cargo.toml")],
            ):
                done = subprocess.run(["cargo", *words], capture_output=True, text=True, check=False, cwd=scratch)
                if done.returncode:
                    said = " ".join(done.stderr.split())[-300:]
                    sys.exit(f"tours: cargo {words[0]} failed: {said}; name a folder with TSPLIB's files by --data")
    found = list(cargo_home.glob(files))
    if not found:
        sys.exit(f"tours: cargo left no {files}; name a folder with TSPLIB's files by --data")
    return found[0]


class Files:
    """Problems' files: from the folder named, else from those kept, else from the crate."""

    def __init__(self, data: Path | None, kept: Path) -> None:
        """Take the folder that the user names, and where files are kept."""
        if data is not None and not data.is_dir():
            sys.exit(f"tours: --data is {data}, expected a folder with TSPLIB's files")
        self._data, self._kept = data, kept

    @cached_property
    def _crate(self) -> Path:
        return crate_folder()

    def path(self, name: str) -> Path:
        """Return a problem's file. Ends the program where there is none."""
        for folder in (self._data, self._kept):
            if folder is not None and folder.is_dir() and (found := in_folder(folder, name)) is not None:
                return found
        source = in_folder(self._crate, name)
        if source is None:
            sys.exit(f"tours: there is no {name}.tsp in {self._crate}; name a folder with it by --data")
        self._kept.mkdir(parents=True, exist_ok=True)
        partial = self._kept / f".{source.name}.partial"
        shutil.copyfile(source, partial)
        return partial.replace(self._kept / source.name)

    def paths(self, names: Iterable[str]) -> dict[str, Path]:
        """Return problems' files, all of them before anything is measured."""
        return {name: self.path(name).resolve() for name in dict.fromkeys(names)}
