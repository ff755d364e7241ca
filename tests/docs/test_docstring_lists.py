"""Docstrings as the reference's Markdown."""

from __future__ import annotations

import pytest

pytest.importorskip("griffe", reason="mkdocstrings is not installed: packages/venv docs")

from docs.site.docstring_lists import as_markdown


def test_columns_become_a_list() -> None:
    assert as_markdown("Do it.\n\ntime_s  seconds, as\n        measured\nseed    0: any") == (
        "Do it.\n\n- `time_s`: seconds, as measured\n- `seed`: 0: any"
    )


def test_sentences_and_code_stay() -> None:
    text = "One line.\n\n    first   second\n    a[i][j]\n\nTwo  spaces\nand a line more."
    assert as_markdown(text) == text


def test_code_is_announced_by_a_colon() -> None:
    assert as_markdown("Run::\n\n    f()") == "Run:\n\n    f()"
    assert as_markdown("Run.\n\n::\n\n    f()") == "Run.\n\n    f()"


def test_shapes_are_no_links() -> None:
    assert as_markdown("An array [rows][columns], or `[n][3]`.") == "An array [rows]\\[columns], or `[n][3]`."
