"""Which recipes for strangers' code were executed, and what came of them, from JUnit files of the test run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.form import ROOT, Asked

# What a stranger adds, and the heading of the recipe in CONTRIBUTING.md that test_recipes_work executes.
RECIPES = ("rung", "lab", "solver", "kind of campaign", "launcher", "probe", "benchmark", "report section")
EXECUTED_BY = "test_recipes_work"
VIOLATION = "test_planted_import"


def outcomes(files: Iterable[Path]) -> dict[str, str]:
    """Return the outcome of each test by name: passed, failed or skipped."""
    found = {}
    for file in files:
        for case in ElementTree.parse(file).iter("testcase"):
            name = "::".join(filter(None, (case.get("classname"), case.get("name"))))
            failed = case.find("failure") is not None or case.find("error") is not None
            found[name] = "failed" if failed else "skipped" if case.find("skipped") is not None else "passed"
    return found


def has_recipe(what: str) -> bool:
    """Return whether CONTRIBUTING.md has a recipe, with commands, that adds it."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(rf"^## Add an? {re.escape(what)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return section is not None and "```sh" in section[1]


def _judged(what: str, found: dict[str, str], test: str) -> Asked:
    named = {name: outcome for name, outcome in found.items() if test in name}
    if not named:
        return Asked(what, "passed", "not measured", None)
    counts = Counter(named.values())
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return Asked(what, "passed", f"{told} (`{test}`)", set(counts) == {"passed"})


def recipes(found: dict[str, str]) -> list[Asked]:
    """Return the outcomes of the planted violation and of each recipe, beside what was asked."""
    lines = [_judged("a planted violation of the order is seen", found, VIOLATION)]
    for what in RECIPES:
        title = f"a stranger's {what}, without edits"
        if has_recipe(what):
            lines.append(_judged(title, found, EXECUTED_BY))
        else:
            lines.append(Asked(title, "passed", "CONTRIBUTING.md has no recipe", False))
    return lines
