"""Runs clang-tidy on every source of the build that has changed since it passed. Ends with 1 if it finds anything.

A source is analysed again when it, a header of the tree, .clang-tidy or its compile command changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "clang-tidy"
MEMORY = BUILD / "passed.json"


def headers_digest() -> bytes:
    """Give a hash of the settings and of all headers: which source includes which is not followed up."""
    digest = hashlib.sha256()
    roots = (ROOT / name for name in ("native", "experiments", "solvers", "probes"))
    headers = (file for root in roots for file in root.rglob("*.h*"))
    for file in [ROOT / ".clang-tidy", *sorted(headers)]:
        digest.update(str(file).encode() + file.read_bytes())
    return digest.digest()


def in_scope(source: Path) -> bool:
    """Tests are left out: GoogleTest's macros are most of what would be analysed."""
    return source.is_relative_to(ROOT) and "tests" not in source.relative_to(ROOT).parts


def analyse(source: Path) -> str:
    """Give what clang-tidy finds in a source, or nothing."""
    done = subprocess.run(
        ["clang-tidy-16", "-p", str(BUILD), "--quiet", "--warnings-as-errors=*", str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
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
    try:
        passed = set(json.loads(MEMORY.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        passed = set()
    shared = headers_digest()
    # One source may be compiled several times (a driver's main program); once is enough.
    wanted: dict[Path, str] = {}
    for command in commands:
        source = Path(command["file"])
        if source not in wanted and in_scope(source):
            content = shared + command["command"].encode() + source.read_bytes()
            wanted[source] = hashlib.sha256(content).hexdigest()
    changed = [source for source, key in wanted.items() if key not in passed]
    print(f"clang-tidy: {len(changed)} of {len(wanted)} sources to analyse", flush=True)
    found = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for source, text in zip(changed, pool.map(analyse, changed), strict=True):
            if text:
                found += 1
                print(text, flush=True)
                passed.discard(wanted[source])
            else:
                passed.add(wanted[source])
            MEMORY.write_text(json.dumps(sorted(passed & set(wanted.values()))), encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
