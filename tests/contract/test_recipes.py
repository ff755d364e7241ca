"""Executes the recipes of CONTRIBUTING.md, and looks at every command that the documents show."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tree import ROOT, files, shell_blocks

from rooftop.cli.app import main

# Commands that have commands of their own.
GROUPS = ("h5", "solve")

# What the recipes touch. The rest of the tree would only be compiled again.
COPIED = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "Makefile",
    "benchmarks/__main__.py",
    "benchmarks/_template",
    "benchmarks/form.py",
    "cmake",
    "experiments/_template",
    "experiments/labs/false_sharing",
    "native",
    "packages",
    "rooftop",
    "solvers/__init__.py",
    "solvers/_template",
    "solvers/c_interface",
    "solvers/cmake",
    "solvers/running",
    "src",
)
LINK = "src/rooftop/solvers"
PROBES = ("timer", "fma_peak", "bandwidth")


@pytest.fixture(name="copy")
def copy_fixture(tmp_path: Path) -> Path:
    """A copy of the tree with the template as its only experiment, and this Python's environment."""
    for path in files():
        wanted = (path.as_posix().startswith(COPIED) and not path.is_relative_to("native/tests")) or (
            path.parts[0] == "probes" and (path.suffix == ".hpp" or path.stem in PROBES)
        )
        if wanted:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / LINK).symlink_to((ROOT / LINK).readlink())
    return tmp_path


def _compiler_cache() -> str:
    """Return where ccache keeps what the tree's own build has compiled; anything where there is no ccache."""
    asked = ["ccache", "--get-config", "cache_dir"]
    if shutil.which("ccache") is None:
        return str(Path.home() / ".cache" / "ccache")
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def _digests(copy: Path) -> dict[str, str]:
    """Return a digest of every file of a copy that was there before anything was built."""
    present = [copy / path for path in files() if (copy / path).is_file()]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in present}


def test_recipes_work(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every shell block, in order, each line of it ending with 0, in a home of its own. None edits a file of the tree,
    and a lab that was taken out leaves no trace.
    """
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("the recipes build, and CMake or Ninja is missing")
    left_out = ("ROOFTOP_", "MAKE", "MFLAGS")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(left_out) or name == "ROOFTOP_LOCKS"  # the test's own machine
    }
    kept["HOME"] = str(tmp_path_factory.mktemp("home"))
    kept.setdefault("CCACHE_DIR", _compiler_cache())
    blocks = shell_blocks(ROOT / "CONTRIBUTING.md")
    assert blocks
    before = _digests(copy)
    for block in blocks:
        done = subprocess.run(
            ["sh", "-eux"], input=block, cwd=copy, env=kept, capture_output=True, text=True, check=False, timeout=900
        )
        assert done.returncode == 0, f"{block}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert _digests(copy) == before
    assert not list((copy / "experiments").rglob("*my_effect*"))
    assert not list((copy / "build" / "release" / "experiments").rglob("*my_effect*"))


def _assert_exist(
    lines: Iterable[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> set[str]:
    """Each `COMMAND --option` is one that the command line has. Return the commands' first words."""
    shown: dict[tuple[str, ...], set[str]] = {}
    for line in lines:
        words = line.partition(" -- ")[0].split()  # what follows is the user's own command
        added = len(words) > 1 and words[1].startswith("my_")  # by a recipe, and there in its copy alone
        command = tuple(words[:2]) if words[0] in GROUPS and not added else (words[0],)
        shown.setdefault(command, set()).update(word.partition("=")[0] for word in words if word.startswith("--"))
    assert shown
    for name, value in {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    for command, options in shown.items():
        code = main([*command, "--help"])
        told = capsys.readouterr()
        assert code == 0, f"rooftop {' '.join(command)}: {told.err}"
        for option in options:
            assert option in told.out, f"rooftop {' '.join(command)} has no {option}"
    return {command[0] for command in shown}


def test_shown_commands_exist(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each `./rooftop COMMAND --option` of a document is one that the command line has."""
    blocks = [block for path in files() if path.suffix == ".md" for block in shell_blocks(ROOT / path)]
    lines = [
        line
        for block in blocks
        for line in re.findall(r"^\./rooftop (.*)$", block, re.MULTILINE)
        if f"src/rooftop/{line.split()[0]}" not in block  # a kind that the recipe adds, or takes out
    ]
    _assert_exist(lines, monkeypatch, capsys)


def test_the_index_of_the_guide_has_every_page_and_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each page of docs/guide and each command stands in its table, and its links lead to headings that are there."""
    guide = ROOT / "docs" / "guide"
    index = (guide / "README.md").read_text(encoding="utf-8")
    links = [target.partition("#") for target in re.findall(r"\]\(([^)]+)\)", index)]
    pages = {path.relative_to(guide).as_posix() for path in guide.rglob("*.md")} - {"README.md"}
    assert pages - {page for page, _, _ in links} == set()
    for page, _, anchor in links:
        text = (guide / (page or "README.md")).read_text(encoding="utf-8")
        headings = [title.lower() for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
        anchors = {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in headings}
        assert not anchor or anchor in anchors, f"{page}#{anchor}"
    named = _assert_exist(re.findall(r"`rooftop ([^`]+)`", index), monkeypatch, capsys)
    assert main(["--help"]) == 0
    assert set(re.findall(r"^│ ([a-z]\w*) ", capsys.readouterr().out, re.MULTILINE)) - named == set()
