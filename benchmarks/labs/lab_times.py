"""Run each lab by `rooftop lab NAME`, and write how long the whole command takes."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import form
from benchmarks.form import RESULTS, ROOT, Asked, asked_table, table
from rooftop.files.atomic import write_whole
from rooftop.lab.lessons import chapters, find_labs, short_name
from rooftop.ladder.location import place_of
from rooftop.settings import Settings

PAGE = RESULTS / "lab-times.md"
ASKED_S = 10.0  # each, from the command's start to its end
ASKED_ALL_S = 300.0  # all, by `rooftop climb labs`


def seconds_of(name: str, home: Path) -> float:
    """Return how long a lab's command takes, with its picture and its report. Raises SystemExit where it fails."""
    words = [str(ROOT / "rooftop"), "lab", name]
    start = time.monotonic()
    done = subprocess.run(
        words, cwd=ROOT, env={**os.environ, "ROOFTOP_HOME": str(home)}, capture_output=True, text=True, check=False
    )
    taken = time.monotonic() - start
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(words)} ended with exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    return taken


def page(seconds: Mapping[str, float], order: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return the page in Markdown.

    seconds  by the lab's short name
    order    chapters and their labs
    """
    slow = [name for name, taken in seconds.items() if taken > ASKED_S]
    asked = [
        Asked(f"labs within {ASKED_S:g} s", "all", f"{len(seconds) - len(slow)} of {len(seconds)}", not slow),
        Asked("the longest", f"{ASKED_S:g} s", f"{max(seconds.values(), default=0):.1f} s", None),
        Asked("all, one after the other by `rooftop lab`", "–", f"{sum(seconds.values()):.0f} s", None),
    ]
    parts = []
    for chapter, names in order:
        rows = [(name, f"{seconds[name]:.1f}") for name in names if name in seconds]
        parts += [f"## {chapter}", table(["lab", "seconds"], rows)]
    return form.page(
        "How long each lab takes",
        "lab_times",
        "Each figure is the time of one whole `rooftop lab NAME`: starting, measuring, the picture and the report.",
        asked_table(asked),
        f"`rooftop climb labs --budget {ASKED_ALL_S / 60:g}m` measures all in that time.",
        *parts,
    )


def main() -> int:
    """Measure and write the page."""
    order = [
        (chapter.title, [short_name(lab) for lab in chapter.labs])
        for chapter in chapters(find_labs(place_of(Settings(root=ROOT), None)))
    ]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "probe").symlink_to(Settings(root=ROOT).home_folder / "probe")
        seconds = {name: seconds_of(name, home) for _, names in order for name in names}
    write_whole(PAGE, page(seconds, order))
    return 0
