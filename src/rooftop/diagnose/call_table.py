"""How often functions are called: the lines of the text, and the table of the page."""

from __future__ import annotations

from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.function_facts import CalledFunction
from rooftop.report.figure_page import Cell, Part, Table
from rooftop.text.plural import plural
from rooftop.text.quantities import percent, seconds

_LINES = 3
_UNKNOWN = Cell("not known")


def call_lines(document: DiagnoseDocument) -> list[str]:
    """Return a line for each of the functions that are called most."""
    told = document.facts.function_calls
    return [f"calls: {_line(one)}" for one in told.functions[:_LINES]] if told is not None else []


def _line(one: CalledFunction) -> str:
    each = f", {seconds(one.call_s)} of its own each" if one.call_s is not None else ""
    return f"{one.calls:,} of {one.function} ({one.file}){each}"


def call_table(document: DiagnoseDocument) -> list[Part]:
    """Return the functions that are called; nothing where that was not looked at."""
    told = document.facts.function_calls
    if told is None or not told.functions:
        return []
    rows = [
        [
            Cell(one.function),
            Cell(one.file),
            Cell(f"{one.calls:,}", float(one.calls)),
            Cell(seconds(one.call_s), one.call_s) if one.call_s is not None else _UNKNOWN,
            Cell(percent(one.share), one.share) if one.share is not None else _UNKNOWN,
        ]
        for one in told.functions
    ]
    processes = "one process" if told.processes == 1 else f"{told.processes} processes"
    note = (
        f"{told.calls:,} calls of {plural(told.different, 'function')} in {processes}; {percent(told.counting)} of the "
        "samples are in what the compiler made functions call."
    )
    columns = ["function", "file", "calls", "each, of its own", "share of samples"]
    return [Table("Calls of functions", columns, rows, frozenset({2, 3, 4}), note)]
