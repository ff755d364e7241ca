"""Kinds of campaigns share what they have in common: no long group of equal lines stands in two of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from tree import ROOT

from rooftop.campaign.kind import kind_names

LONGEST_EQUAL = 5  # lines


def code_lines(file: Path) -> list[str]:
    """Return a module's lines without indentation, blank lines, comments, imports and docstrings."""
    text = file.read_text(encoding="utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            continue
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):  # a text by itself is a docstring
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = [line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in left_out]
    return [line for line in lines if line and not line.startswith("#")]


def groups(kind: str, length: int) -> dict[tuple[str, ...], str]:
    """Return every group of so many lines of a kind, with the file where it stands."""
    source = ROOT / "src" / "rooftop"
    found: dict[tuple[str, ...], str] = {}
    for file in [*sorted((source / kind).rglob("*.py")), *sorted((source / "cli").glob(f"{kind}*.py"))]:
        lines = code_lines(file)
        for start in range(len(lines) - length + 1):
            found.setdefault(tuple(lines[start : start + length]), file.relative_to(source).as_posix())
    return found


def test_the_kinds_are_found() -> None:
    assert {"climb", "compare", "tune", "scale", "gate", "pin"} <= set(kind_names())


def test_no_group_of_lines_stands_in_two_kinds() -> None:
    by_kind = {kind: groups(kind, LONGEST_EQUAL + 1) for kind in kind_names()}
    twice: dict[str, list[str]] = defaultdict(list)
    for one, other in combinations(by_kind, 2):
        for lines in by_kind[one].keys() & by_kind[other].keys():
            twice[f"{by_kind[one][lines]} and {by_kind[other][lines]}"].append("\n".join(lines))
    assert dict(twice) == {}
