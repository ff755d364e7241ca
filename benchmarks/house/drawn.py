"""Texts of a revision's sources: help, messages, docstrings and guides, each with the place where it stands."""

from __future__ import annotations

import ast
import hashlib
import io
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, get_args

Kind = Literal["help", "messages", "docstrings", "guides"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_FOLDERS = ("src/rooftop", "solvers", "docs/guide", "experiments/labs")
_GENERATED = "docs/guide/course.md"  # from the READMEs of the labs
_LEAST_WORDS = 3  # of a text that can be understood or not


@dataclass(frozen=True)
class Place:
    """Where a text stands, apart from the line.

    scope  names of the classes and functions around it, or the heading above it
    what   the option or argument that a help text is of, or the exception; with a number where there are several
    """

    kind: Kind
    file: str
    scope: str
    what: str = ""

    def __str__(self) -> str:
        inner = " ".join(filter(None, (self.scope, self.what)))
        return f"{self.file}: {inner}" if inner else self.file

    def order(self, seed: int) -> str:
        """Return by what places are drawn: those with the least digests. New places do not change the others'."""
        return hashlib.sha256(f"{seed} {self.kind} {self}".encode()).hexdigest()


def texts(repository: str, revision: str) -> dict[Place, str]:
    """Return all texts of a revision. Raises CalledProcessError where there is no such revision."""
    there = subprocess.run(
        ["git", "ls-tree", "--name-only", revision, *_FOLDERS],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    packed = subprocess.run(
        ["git", "archive", revision, *there], cwd=repository, capture_output=True, check=True
    ).stdout
    found: dict[Place, str] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or "tests" in path.parts or path.suffix not in (".py", ".md"):
                continue
            text = content.read().decode()
            if path.suffix == ".md":
                guide = path.parts[0] in ("docs", "experiments") and str(path) != _GENERATED
                pairs = _guide(str(path), text) if guide else iter(())
            elif path.parts[0] == "experiments":
                continue
            else:
                pairs = _Texts(str(path)).of(ast.parse(text))
            found |= {place: words for place, words in pairs if len(words.split()) >= _LEAST_WORDS}
    return found


def _guide(file: str, text: str) -> Iterator[tuple[Place, str]]:
    """Yield the paragraphs and points of a guide or a lab's README, without code, tables and headings."""
    heading, number = "", 0
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for piece in re.split(r"\n\s*\n|\n(?=- |\d+\. )", text):
        block = piece.strip()
        if block.startswith("#"):
            heading, number = block.partition("\n")[0].lstrip("# "), 0
            block = block.partition("\n")[2].strip()
        if block and not block.startswith(("|", "<", "!")):
            number += 1
            yield Place("guides", file, heading, f"paragraph {number}"), " ".join(block.split())


class _Texts:
    """The texts of a Python file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: dict[Place, int] = {}

    def of(self, tree: ast.Module) -> Iterator[tuple[Place, str]]:
        yield from self._within(tree, ())

    def _numbered(self, kind: Kind, scope: tuple[str, ...], what: str) -> Place:
        place = Place(kind, self._file, ".".join(scope), what)
        self._seen[place] = count = self._seen.get(place, 0) + 1
        return place if count == 1 else Place(kind, self._file, ".".join(scope), f"{what} {count}".strip())

    def _within(self, node: ast.AST, scope: tuple[str, ...]) -> Iterator[tuple[Place, str]]:
        named = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if named:
            scope = (*scope, node.name)  # type: ignore[attr-defined]
        if named or isinstance(node, ast.Module):
            told = ast.get_docstring(node)  # type: ignore[arg-type]
            if told and not any(name.startswith("_") for name in scope):
                yield self._numbered("docstrings", scope, ""), told
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "help" and (words := _words(keyword.value)):
                    option = next(
                        (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)), ""
                    )
                    yield self._numbered("help", scope, option), words
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            words = " ".join(filter(None, map(_words, node.exc.args)))
            if words:
                yield self._numbered("messages", scope, ast.unparse(node.exc.func)), words
        for child in ast.iter_child_nodes(node):
            yield from self._within(child, scope)


def _words(node: ast.expr) -> str:
    """Return a string as the source has it, with what is filled in between braces; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (
            f"{{{ast.unparse(part.value)}}}"
            if isinstance(part, ast.FormattedValue)
            else str(getattr(part, "value", ""))
            for part in node.values
        )
        return "".join(parts)
    return ""


def renames(repository: str, before: str, after: str) -> dict[str, str]:
    """Return for each file of the later revision that git knows under another name before, that name."""
    words = ["git", "diff", "--name-status", "-M40%", "-l0", "--diff-filter=R", before, after, "--", *_FOLDERS]
    listed = subprocess.run(words, cwd=repository, capture_output=True, text=True, check=True).stdout
    return {new: old for _, old, new in (line.split("\t") for line in listed.splitlines())}


def earlier(place: Place, before: Mapping[Place, str], renamed: Mapping[str, str]) -> str | None:
    """Return the text that stood in a place, or in the only one of its names in the top folder; None: it is new."""
    there = Place(place.kind, renamed.get(place.file, place.file), place.scope, place.what)
    if there in before:
        return before[there]
    inner = (place.kind, place.scope, place.what)
    if not place.scope:
        return None
    top = place.file.partition("/")[0]
    alike = [
        text
        for one, text in before.items()
        if (one.kind, one.scope, one.what) == inner and one.file.partition("/")[0] == top
    ]
    return alike[0] if len(alike) == 1 else None
