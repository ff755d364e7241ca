"""Export a comparison in the formats of other tools: hyperfine's JSON, CSV and Markdown, Google Benchmark's JSON."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rooftop.command.google_benchmark import CPU_TIME, REAL_TIME
from rooftop.command.measured import EXIT_CODE
from rooftop.compare.document import CommandResult, CompareDocument
from rooftop.errors import Misuse
from rooftop.text.cells import as_cells


def hyperfine(document: CompareDocument) -> dict[str, Any]:
    """Return what ``hyperfine --export-json`` writes (version 1.18): wall times in seconds."""
    return {"results": [_hyperfine_result(command) for command in document.commands if command.samples]}


def _hyperfine_result(command: CommandResult) -> dict[str, Any]:
    times = [sample.wall_s for sample in command.samples]
    user = [sample.figures.get("user", 0.0) for sample in command.samples]
    cpu = [sample.figures.get("cpu", 0.0) for sample in command.samples]
    rss = [sample.figures.get("maxrss") for sample in command.samples]
    memory = {"memory_usage_byte": [int(one) for one in rss if one is not None]} if None not in rss else {}
    return {
        "command": shlex.join(command.command),
        "mean": statistics.fmean(times),
        "stddev": statistics.stdev(times) if len(times) > 1 else None,
        "median": statistics.median(times),
        "user": statistics.fmean(user),
        "system": statistics.fmean(cpu) - statistics.fmean(user),
        "min": min(times),
        "max": max(times),
        "times": times,
        "exit_codes": [int(sample.figures.get(EXIT_CODE, 0)) for sample in command.samples],
        **memory,
    }


def google_benchmark(document: CompareDocument) -> dict[str, Any]:
    """Return what a Google Benchmark program writes with --benchmark_format=json (schema 1), samples as repetitions."""
    benchmarks: list[dict[str, Any]] = []
    for family, command in enumerate(document.commands):
        for index, sample in enumerate(command.samples):
            times = {command.name: (sample.wall_s, sample.figures.get("cpu", 0.0))}
            if document.benchmarks is not None:
                names = [one.name for one in document.benchmarks if f"{REAL_TIME}{one.name}" in sample.figures]
                times = {
                    f"{command.name} {name}": (
                        sample.figures[f"{REAL_TIME}{name}"],
                        sample.figures.get(f"{CPU_TIME}{name}", 0.0),
                    )
                    for name in names
                }
            for instance, (name, (real_s, cpu_s)) in enumerate(times.items()):
                benchmarks.append(
                    {
                        "name": name,
                        "family_index": family,
                        "per_family_instance_index": instance,
                        "run_name": name,
                        "run_type": "iteration",
                        "repetitions": len(command.samples),
                        "repetition_index": index,
                        "threads": 1,
                        "iterations": command.runs_per_sample or 1,
                        "real_time": real_s * 1e9,
                        "cpu_time": cpu_s * 1e9,
                        "time_unit": "ns",
                    }
                )
    machine = document.machine
    return {
        "context": {
            "date": document.started,
            "executable": "rooftop compare",
            "num_cpus": machine.cores,
            "json_schema_version": 1,
        },
        "benchmarks": benchmarks,
    }


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


_COLUMNS = ("command", "mean", "stddev", "median", "user", "system", "min", "max")


def _rows(document: CompareDocument) -> list[dict[str, Any]]:
    """Return hyperfine's results, each command called by its name."""
    names = [one.name for one in document.commands if one.samples]
    return [one | {"command": name} for one, name in zip(hyperfine(document)["results"], names, strict=True)]


def _csv(document: CompareDocument) -> str:
    """Return what ``hyperfine --export-csv`` writes: one line for each command, times in seconds."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(as_cells, _rows(document)))
    return text.getvalue()


def _code_in_table(text: str) -> str:
    """Return a text as code within a table of Markdown, between more backticks than it has in a row."""
    line = " ".join(text.split("\n")).replace("|", "\\|")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    space = " " if "`" in line else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def _markdown(document: CompareDocument) -> str:
    """Return what ``hyperfine --export-markdown`` writes: a table, times relative to the fastest command's."""
    results = _rows(document)
    fastest = min((one["mean"] for one in results), default=0.0)
    unit, scale = ("s", 1.0) if fastest >= 1 else ("ms", 1e3)
    head = ("Command", f"Mean [{unit}]", f"Min [{unit}]", f"Max [{unit}]", "Relative")
    lines = ["| " + " | ".join(head) + " |", "|:---|---:|---:|---:|---:|"]
    for one in results:
        scatter = f" ± {one['stddev'] * scale:.1f}" if one["stddev"] is not None else ""
        cells = (f"{one['mean'] * scale:.1f}{scatter}", f"{one['min'] * scale:.1f}", f"{one['max'] * scale:.1f}")
        lines.append(f"| {_code_in_table(one['command'])} | {' | '.join(cells)} | {one['mean'] / fastest:.2f} |")
    return "\n".join(lines) + "\n"


FORMS: dict[str, Callable[[CompareDocument], str]] = {
    "hyperfine": lambda document: _json(hyperfine(document)),
    "google-benchmark": lambda document: _json(google_benchmark(document)),
    "csv": _csv,
    "markdown": _markdown,
}
STANDARD_OUTPUT = Path("-")


def read_export(text: str) -> tuple[str, Path]:
    """Return the form and the file of FORM:FILE. Raises Misuse, also where there is no folder for the file."""
    form, colon, file = text.partition(":")
    if form not in FORMS or not colon or not file:
        raise Misuse(f"--export is {text!r}, expected {' or '.join(f'{name}:FILE' for name in FORMS)}")
    path = Path(file)
    if path == STANDARD_OUTPUT:
        return form, path
    try:
        writable = not path.is_dir() and os.access(path if path.exists() else path.parent, os.W_OK)
    except OSError:  # its name is too long
        writable = False
    if not writable:
        raise Misuse(f"--export: {file} cannot be written, expected a file in a folder that is there")
    return form, path


def exported(document: CompareDocument, form: str) -> str:
    """Return the runs in another tool's form."""
    return FORMS[form](document)
