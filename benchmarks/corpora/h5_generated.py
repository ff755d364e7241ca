"""Files that the generators in HDF5's source package make."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.corpora.corpus_packages import Fetched

_COMPILER = "h5pcc"
_BUILD_S, _RUN_S = 120, 60


def _programs(source: Path) -> Iterator[Path]:
    """Yield sources of programs that write files and end: not those that write beside a reader."""
    for file in sorted(source.rglob("*gen*.c")):
        text = file.read_text(encoding="utf-8", errors="replace")
        if "swmr" not in file.name and re.search(r"^(int\s+)?main\s*\(", text, re.MULTILINE):
            yield file


def _make(program: Path, source: Path, folder: Path) -> None:
    """Build and run one generator in its folder. What cannot be built with the installed library makes no files."""
    folder.mkdir(parents=True, exist_ok=True)
    binary = folder / program.stem
    command = [_COMPILER, "-w", "-O0", "-I", str(source / "src"), "-I", str(source / "test"), str(program)]
    try:
        built = subprocess.run(
            [*command, "-o", str(binary), "-lhdf5_hl"],
            cwd=folder,
            capture_output=True,
            timeout=_BUILD_S,
            check=False,
        )
        if built.returncode == 0:
            subprocess.run([str(binary)], cwd=folder, capture_output=True, timeout=_RUN_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return


def generated(packages: Sequence[Fetched], work: Path) -> list[tuple[str, Path]]:
    """Return the folder of each generator's files, by the generator's name. They are made once."""
    found = []
    for package in packages:
        if (package.kind, package.name) != ("debian", "hdf5") or package.folder is None:
            continue
        for source in sorted(package.folder.glob("hdf5-*")):
            for program in _programs(source):
                folder = work / program.stem
                if not folder.exists():
                    _make(program, source, folder)
                found.append((program.stem, folder))
    return found
