"""Texts as cells of tables that spreadsheets open: none begins a formula."""

from __future__ import annotations

from typing import Any

from rooftop.text.visible import visible

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t")


def as_cell(value: Any) -> Any:
    """Return a value for CSV: a text that a spreadsheet would compute has a quote before it; figures do not."""
    if not isinstance(value, str):
        return value
    text = visible(value)  # Python's writer leaves a carriage return alone, which ends a row for its reader
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def as_cells(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its values as cells."""
    return {name: as_cell(value) for name, value in row.items()}
