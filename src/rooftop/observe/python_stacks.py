"""Stacks of Python's functions, sampled by py-spy, which reads the interpreter's memory from outside."""

from __future__ import annotations

import re
import shutil
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rooftop.command.process import Finished
from rooftop.observe.stacks import Stack, parse_folded

HZ = 199
_PYTHON = re.compile(r"(python|pypy)[\d.]*[a-z]?")

Run = Callable[[Sequence[str]], Finished]


class NoPythonStacks(Exception):
    """The stacks could not be taken; the text gives the reason."""


def interpreted(words: Sequence[str]) -> bool:
    """Return whether a command starts a Python interpreter, by itself or as a script's first line asks for it."""
    found = shutil.which(words[0])
    if found is None:
        return False
    if _PYTHON.fullmatch(Path(found).resolve().name):
        return True
    try:
        with Path(found).open("rb") as file:
            first = file.readline(256)
    except OSError:
        return False
    names = [Path(word).name for word in first.removeprefix(b"#!").decode("utf-8", "replace").split()]
    return first.startswith(b"#!") and any(_PYTHON.fullmatch(name) for name in names)


def _py_spy() -> str | None:
    """Return where py-spy is: in the path, or beside this interpreter."""
    return shutil.which("py-spy") or shutil.which("py-spy", path=sysconfig.get_path("scripts"))


def python_stacks(words: Sequence[str], run: Run) -> tuple[Counter[Stack], Finished]:
    """Run a command below py-spy, and return its stacks. Raises NoPythonStacks, and what `run` does."""
    program = _py_spy()
    if program is None:
        raise NoPythonStacks("py-spy is not installed: pip install 'rooftop[python]'")
    with tempfile.TemporaryDirectory(prefix="rooftop-py-spy-") as folder:
        file = Path(folder) / "stacks"
        options = ("--format", "raw", "--function", "--rate", str(HZ), "--output", str(file))
        finished = run((program, "record", *options, "--", *words))
        try:
            stacks = parse_folded(file.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            raise NoPythonStacks(f"py-spy failed: {finished.said or 'it wrote nothing'}") from None
    if not stacks:
        raise NoPythonStacks("py-spy saw no samples: the command runs too briefly, or waits all the time")
    return stacks, finished
