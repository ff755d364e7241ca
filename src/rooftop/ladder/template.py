"""Makes an experiment of the user's own out of the template, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from pathlib import Path

from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.ladder.trust import Known
from rooftop.settings import Settings, own_tree

TEMPLATE = "_template"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_WORD = re.compile(rf"(?<!\w){TEMPLATE}(?!\w)")
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "build", ".*")


def bench_tree(settings: Settings) -> Path:
    """Return the tree that holds the template: the root, or the one that this Python belongs to. Raises NotBuilt."""
    trees = (settings.root_folder, own_tree())
    for tree in trees:
        if (tree / "experiments" / TEMPLATE).is_dir() and (tree / "cmake" / "outside").is_dir():
            return tree
    raise NotBuilt(f"the bench's tree with experiments/{TEMPLATE} is not in {trees[0]}: expected it in ROOFTOP_ROOT")


def _fill(name: str, tree: Path, folder: Path) -> None:
    """Copy the template into a folder and put the name where the template has its own."""
    shutil.copytree(tree / "experiments" / TEMPLATE, folder, ignore=_NOT_COPIED)
    outside = tree / "cmake" / "outside"
    shutil.copy(outside / "CMakeLists.txt", folder / "CMakeLists.txt")
    shutil.copy(outside / "gitignore", folder / ".gitignore")
    for file in folder.rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            file.write_text(_WORD.sub(name, text), encoding="utf-8")


def make_experiment(name: str, where: Path, settings: Settings) -> Path:
    """Make WHERE/NAME and give it. Raises Misuse for a bad name, a place that is none, or one that is taken."""
    if not _NAME.fullmatch(name):
        raise Misuse(f"NAME is {name!r}, expected letters, digits and underscores, the first one a letter")
    tree = bench_tree(settings)
    place = where.expanduser().resolve()
    if not place.is_dir():
        raise Misuse(f"{where} is not a folder, expected the one in which {name} is to be made (see --in)")
    if place.is_relative_to(tree / "experiments"):
        raise Misuse(f"{place} belongs to the bench's own tree: CONTRIBUTING.md tells how an experiment is added there")
    folder = place / name
    if os.path.lexists(folder):
        raise Misuse(f"{folder} is there already, expected a name that is not taken")
    partial = place / f".{name}-{secrets.token_hex(4)}"
    try:
        _fill(name, tree, partial)
        partial.rename(folder)
    except OSError as error:
        raise Misuse(f"{folder} cannot be made: {error.strerror or error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    with contextlib.suppress(RooftopError):  # where that cannot be kept, climb asks
        Known().add_own(folder)
    return folder
