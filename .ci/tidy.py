"""Runs clang-tidy on every source of the build that has changed since it passed. Ends with 1 if it finds anything.

A source is analysed again when it, a header of the tree, .clang-tidy, its compile command or clang-tidy itself changes.
What passed is remembered in the user's cache, as ccache does: it is the same in other clones of the tree.

The tool is PyPI's: from version 22 on, its checks leave out the libraries' headers, which took as long as reading them.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "clang-tidy"
_KEPT_S = 60 * 24 * 3600.0


def tool() -> Path | None:
    """Return the program; None where it is not installed. The script of that name starts a Python for each source."""
    found = find_spec("clang_tidy")
    return Path(found.origin).parent / "data/bin/clang-tidy" if found is not None and found.origin else None


def openmp_header() -> Path:
    """Return a folder with the omp.h of the compiler that the build names; all other headers the tool has itself."""
    asked = ["clang++-16", "-print-resource-dir"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    link = BUILD / "openmp" / "omp.h"
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(Path(found) / "include" / "omp.h")
    return link.parent


def shared_digest() -> bytes:
    """Return a hash of the tool, the settings and all headers: which source includes which is not followed up."""
    digest = hashlib.sha256()
    if (program := tool()) is not None:
        digest.update(subprocess.run([program, "--version"], capture_output=True, check=False).stdout)
    roots = (ROOT / name for name in ("native", "experiments", "solvers", "probes"))
    headers = (file for root in roots for file in root.rglob("*.h*"))
    for file in [ROOT / ".clang-tidy", *sorted(headers)]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.digest()


def key_of(command: dict[str, str], shared: bytes) -> str:
    """Return what a source's analysis depends on, wherever the tree lies, as a name."""
    words = command["command"].replace(str(ROOT), "")
    return hashlib.sha256(shared + words.encode() + Path(command["file"]).read_bytes()).hexdigest()


def memory() -> Path:
    """Return the folder that has a file for all that passed, without what no tree has asked for in a long time."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rooftop" / "clang-tidy"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = BUILD / "passed"
        folder.mkdir(exist_ok=True)
    for known in folder.iterdir():
        if time.time() - known.stat().st_mtime > _KEPT_S:
            known.unlink(missing_ok=True)
    return folder


def in_scope(source: Path) -> bool:
    """Tests are left out: GoogleTest's macros are most of what would be analysed. What the build made is, too."""
    return source.is_relative_to(ROOT) and not {"tests", "build"} & {*source.relative_to(ROOT).parts}


def analyse(source: Path, headers: Path) -> str:
    """Return what clang-tidy finds in a source, or nothing."""
    words = [str(tool()), "-p", str(BUILD), "--quiet", "--warnings-as-errors=*"]
    # A newer clang calls what GCC's stable_sort does inside deprecated; the build's clang says what of ours is.
    words += [f"--extra-arg=-idirafter{headers}", "--extra-arg=-Wno-deprecated-declarations", str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def main() -> int:
    """Analyse what changed, on all cores."""
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    configured = subprocess.run(
        ["cmake", "--preset", "clang-tidy"],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if configured.returncode:
        print(configured.stderr)
        return 1
    commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    passed, shared = memory(), shared_digest()
    # One source may be compiled several times (a driver's main program); once is enough.
    wanted: dict[Path, Path] = {}
    for command in commands:
        source = Path(command["file"])
        if source not in wanted and in_scope(source):
            wanted[source] = passed / key_of(command, shared)
    changed = [source for source, known in wanted.items() if not known.exists()]
    for source in wanted.keys() - set(changed):
        wanted[source].touch()
    print(f"clang-tidy: {len(changed)} of {len(wanted)} sources to analyse", flush=True)
    found, headers = 0, openmp_header()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for source, text in zip(changed, pool.map(analyse, changed, repeat(headers)), strict=True):
            if text:
                found += 1
                print(text, flush=True)
            else:
                wanted[source].touch()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
