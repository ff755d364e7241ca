"""The tests that docs/security.md names exist."""

from __future__ import annotations

import re

from tree import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_the_tests_that_the_page_names_exist() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][2:]
    files = [file for room in ("tests", "solvers", "experiments") for file in (ROOT / room).rglob("test_*.py")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    defined = set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named and set(named) <= defined, row
