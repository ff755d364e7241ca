"""CPU seconds that the bench's commands take to start, in two trees in turns."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.form import table

HELP, COMPARE = "`rooftop --help`", "`rooftop compare`, to its first run"
ASKED_CPU_S = {HELP: 0.25, COMPARE: 0.6}


def command(tree: Path) -> list[str]:
    """Return how a tree's bench is started."""
    return [str(tree / ".venv/bin/python"), "-m", "rooftop"]


def environment(tree: Path) -> Mapping[str, str]:
    """Return the environment in which a tree's own bench is imported."""
    return os.environ | {"PYTHONPATH": str(tree / "src")}


def help_s(tree: Path, _: Path) -> float:
    """Return the CPU seconds of printing the help."""
    with subprocess.Popen([*command(tree), "--help"], env=environment(tree), stdout=subprocess.DEVNULL) as process:
        _pid, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"rooftop --help failed in {tree} with exit code {process.returncode}")
    return used.ru_utime + used.ru_stime


def first_run_s(tree: Path, folder: Path) -> float:
    """Return the CPU seconds of a comparison's process until it first runs what it was given."""
    seen = folder / "stat"
    seen.unlink(missing_ok=True)
    # A comparison's child may be a process between: the bench is the nearest ancestor that is this Python.
    script = folder / "look"
    script.write_text(
        "#!/bin/sh\n"
        f"[ -e {shlex.quote(str(seen))} ] && exit\n"
        "at=$PPID\n"
        'while [ "$at" -gt 1 ] && ! tr "\\0" " " < /proc/$at/cmdline | grep -q -- "-m rooftop compare"; do\n'
        "  at=$(cut -d ' ' -f 4 /proc/$at/stat)\n"
        "done\n"
        f"cat /proc/$at/stat > {shlex.quote(str(seen))}\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    words = [*command(tree), "compare", "--max-pairs", "6", "--budget", "2s", str(script), "true"]
    subprocess.run(words, env=environment(tree), capture_output=True, check=False)
    if not seen.is_file() or not (fields := seen.read_text().rpartition(")")[2].split()):
        raise SystemExit(f"{shlex.join(words)} ran nothing in {tree}: try it by hand")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def starts(trees: Mapping[str, Path], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the CPU seconds of each start, trees in turns: by what is started, then by tree."""
    measured: tuple[Callable[[Path, Path], float], ...] = (help_s, first_run_s)
    found: dict[str, dict[str, list[float]]] = {what: {label: [] for label in trees} for what in ASKED_CPU_S}
    with tempfile.TemporaryDirectory(prefix="rooftop-house-") as name:
        for turn in range(rounds + 1):
            for what, measure in zip(ASKED_CPU_S, measured, strict=True):
                for label, tree in trees.items():
                    seconds = measure(tree, Path(name))
                    if turn:  # the first compiles modules and fills caches
                        found[what][label].append(seconds)
    return found


def starts_table(found: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return the table of starts."""
    rows = []
    for what, by_tree in found.items():
        cells = [f"{median(s):.2f} ({min(s):.2f} to {max(s):.2f})" for s in by_tree.values()]
        paired = median(after / before for before, after in zip(*by_tree.values(), strict=True))
        rows.append([what, f"{ASKED_CPU_S[what]:.2f}", *cells, f"{paired:.2f}"])
    return table(["start", "asked, CPU s", "before", "after", "after / before"], rows)
