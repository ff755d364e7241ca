"""What a command prints: the user's texts as they are, documents that are JSON whatever a figure is."""

from __future__ import annotations

import json
import math

import pytest
from rich.table import Table
from tree import ROOT, files

from rooftop.cli.doctor import _show
from rooftop.doctor.examine import DoctorDocument, Item
from rooftop.terminal.output import messages, print_document, tables

MARKUP = ["[/a-z]+", "[bold]x", ":bomb:", "[link=file:///]y[/link]", "a[0]"]


@pytest.mark.case("commands.C3.consoles")
def test_texts_are_shown_as_they_are_on_both_consoles(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("a:bomb:", title="[b]title")
    for text in MARKUP:
        table.add_row(text)
        tables().print(text)
        messages().print(text)
    tables().print(table)
    seen = capsys.readouterr()
    assert seen.err.splitlines() == MARKUP
    assert seen.out.splitlines()[: len(MARKUP)] == MARKUP
    assert all(text in seen.out[sum(len(text) + 1 for text in MARKUP) :] for text in [*MARKUP, "a:bomb:", "[b]title"])


@pytest.mark.case("commands.C3.doctor")
def test_marks_are_styled_and_texts_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    item = Item(name="[x]", group="build", status="missing", required=True, evidence="[/y] :bomb:", costs="[b]z")
    _show(DoctorDocument(schema="rooftop/doctor/1", rooftop="1", root=True, items=[item], healthy=False))
    out = capsys.readouterr().out
    assert "✗  [x]  [/y] :bomb:" in out
    assert "✗ [x] (required): [b]z" in out


@pytest.mark.case("commands.C3.consoles")
def test_no_other_console_and_no_markup_in_the_bench() -> None:
    for file in files():
        if file.suffix == ".py" and file.is_relative_to("src"):
            text = (ROOT / file).read_text(encoding="utf-8")
            assert "rich.markup" not in text, file
            assert "Console(" not in text or file.name == "output.py", file


@pytest.mark.case("commands.C4.any")
def test_figures_that_are_no_numbers_are_null(capsys: pytest.CaptureFixture[str]) -> None:
    print_document({"a": math.nan, "b": [1.5, -math.inf, {"c": math.inf}], "d": (math.nan,), "e": "nan"})
    told = {"a": None, "b": [1.5, None, {"c": None}], "d": [None], "e": "nan"}
    assert json.loads(capsys.readouterr().out) == told


@pytest.mark.case("commands.F30")
def test_tables_in_a_pipe_are_as_wide_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    table = Table("name", "value", title="wide", title_justify="left")
    table.add_row("x" * 300, "y" * 300)
    tables().print(table)
    lines = capsys.readouterr().out.splitlines()
    assert any("x" * 300 in line and "y" * 300 in line for line in lines)
    assert max(map(len, lines)) < 650
    monkeypatch.setenv("COLUMNS", "60")
    tables().print(table)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60
