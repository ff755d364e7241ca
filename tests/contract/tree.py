"""The tree as git knows it, for the contract's tests."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"


@cache
def files() -> tuple[Path, ...]:
    """Return every file that git tracks or would take, relative to the root; without git, all but what is made."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        paths = [Path(name) for name in sorted(set(listed.split("\0"))) if name]
    except (OSError, subprocess.CalledProcessError):
        made = {".git", ".venv", ".rooftop", "build", "__pycache__"}
        paths = [
            path for path in (file.relative_to(ROOT) for file in sorted(ROOT.rglob("*"))) if not made & set(path.parts)
        ]
    return tuple(path for path in paths if (ROOT / path).is_file())


def experiments() -> list[str]:
    """Return the names of all experiments, hidden ones too."""
    return [
        path.parent.relative_to("experiments").as_posix()
        for path in files()
        if path.parts[0] == "experiments" and path.name == "experiment.py"
    ]


def labs() -> list[str]:
    """Return the names of the experiments that are labs."""
    sources = ("lab.cpp", "lab.py")
    return [name for name in experiments() if any((ROOT / "experiments" / name / one).is_file() for one in sources)]


def shell_blocks(markdown: Path, mark: str = "sh") -> list[str]:
    """Return the fenced blocks of a document that are marked as shell, or otherwise."""
    return re.findall(rf"^```{mark}\n(.*?)^```$", markdown.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
