"""The order of src/rooftop: its contract of imports, the files at its root, its lines and its small files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.form import ROOT, Asked

MOST_AT_ROOT = 10
MOST_LINES = 27_000
MOST_SMALL = 0.35
SMALL_LINES = 60


@dataclass(frozen=True)
class Sources:
    """Lines of each Python file of src/rooftop without src/rooftop/solvers, and the number of files at its root."""

    lines: Sequence[int]
    at_root: int

    @property
    def small(self) -> float:
        """The share of files under 60 lines."""
        return sum(count < SMALL_LINES for count in self.lines) / max(1, len(self.lines))

    def asked(self) -> list[Asked]:
        """Return the figures beside those asked."""
        return [
            Asked("files at the root of src/rooftop", f"at most {MOST_AT_ROOT}", *_at_most(self.at_root, MOST_AT_ROOT)),
            Asked("lines of src/rooftop", f"at most {MOST_LINES}", *_at_most(sum(self.lines), MOST_LINES)),
            Asked(
                f"files under {SMALL_LINES} lines",
                f"at most {MOST_SMALL:.0%}",
                f"{self.small:.0%} of {len(self.lines)}",
                self.small <= MOST_SMALL,
            ),
        ]


def _at_most(reached: int, most: int) -> tuple[str, bool]:
    return str(reached), reached <= most


def sources(tree: Path = ROOT) -> Sources:
    """Return what the sources of a tree come to."""
    folder = tree / "src" / "rooftop"
    files = [file for file in folder.rglob("*.py") if file.relative_to(folder).parts[0] != "solvers"]
    return Sources(
        [len(file.read_text(encoding="utf-8").splitlines()) for file in files],
        sum(file.parent == folder for file in files),
    )


def contract(tree: Path = ROOT) -> Asked:
    """Return whether import-linter finds the order of rooms kept."""
    asked = ("order of rooms, by import-linter", "kept")
    program = Path(sys.executable).with_name("lint-imports")
    if not program.is_file():
        return Asked(*asked, "not measured: import-linter is not installed", None)
    done = subprocess.run(
        [program, "--no-cache", "--no-logo"], cwd=tree, capture_output=True, text=True, check=False, timeout=600
    )
    broken = re.findall(r"^(rooftop\S* is not allowed to import \S+)", done.stdout, re.MULTILINE)
    summary = re.search(r"Contracts: .*", done.stdout)
    told = "; ".join(broken) or (summary[0] if summary else done.stderr.strip()[-200:])
    return Asked(*asked, told, done.returncode == 0)
