"""Times of the benchmarks in a program built with Google Benchmark.

The program writes its results to a file, so that its output stays unchanged. Options request this, which every version
knows, and environment variables, which reach a program started by a shell or a script. Source of the
format: github.com/google/benchmark, docs/user_guide.md and src/json_reporter.cc, versions 1.5 to 1.9.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

import pydantic_core
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rooftop.command.line import by_shell
from rooftop.errors import Misuse

REAL_TIME = "real_time:"  # how the names of their figures begin
CPU_TIME = "cpu_time:"
_UNITS_S = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_OURS = ("--benchmark_out", "--benchmark_list_tests", "--benchmark_dry_run")
_FITTED = ("BigO", "RMS")  # of a whole family's complexity: no times
_SHOWN = 80
_LEAST_S, _MOST_S = 1e-100, 1e100  # beyond them ratios and sums overflow
# A string, or what printf and C++ streams write of a figure that is no number.
_NO_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|[-+]?\b(?:nan(?:\(\w*\))?|inf(?:inity)?)(?!\w)', re.IGNORECASE | re.DOTALL)


_Key = tuple[str, int, int]  # a benchmark's name and its place in its family


class Entry(BaseModel):
    """One entry of the results: a benchmark, one of its repetitions, or an aggregate of them.

    real_time, cpu_time  per iteration, in `time_unit`; absent if the entry is not a time
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    run_name: str | None = None
    family_index: int = 0
    per_family_instance_index: int = 0
    repetition_index: int | None = None
    repetitions: int | None = None
    run_type: Literal["iteration", "aggregate"] = "iteration"
    aggregate_name: str = ""
    real_time: float | None = None
    cpu_time: float | None = None
    time_unit: Literal["ns", "us", "ms", "s"] = "ns"
    error_occurred: bool = False
    error_message: str = ""
    skipped: bool = False
    skip_message: str = ""

    @property
    def failure(self) -> str | None:
        """Why the entry has no times; None if it has."""
        if self.error_occurred:
            return f"it reported an error: {' '.join(self.error_message.split())}"
        if self.skipped:
            return f"it was skipped: {' '.join(self.skip_message.split())}"
        for name, value in (("real_time", self.real_time), ("cpu_time", self.cpu_time)):
            if value is None or not math.isfinite(value) or value < 0:
                return f"its {name} is {value}, expected a number from 0"
            if value * _UNITS_S[self.time_unit] > _MOST_S:
                return f"its {name} is {value} {self.time_unit}, expected at most {_MOST_S} s"
        return None

    @property
    def times_s(self) -> tuple[float, float]:
        """Real time and processor time in seconds, of an entry without a failure."""
        unit_s = _UNITS_S[self.time_unit]
        return (self.real_time or 0.0) * unit_s, (self.cpu_time or 0.0) * unit_s


class Results(BaseModel):
    """The results file, without its context."""

    benchmarks: list[Entry] = Field(default_factory=list)


@dataclass(frozen=True)
class Times:
    """The figures of one run of the program, and why some benchmarks have none.

    figures   seconds, by REAL_TIME or CPU_TIME followed by the name; 0 if the clock is too coarse
    failures  reasons by name
    shared    names that several benchmarks share, which are numbered in order
    """

    figures: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    shared: tuple[str, ...] = ()


def asking(words: Sequence[str], file: Path) -> tuple[list[str], dict[str, str]]:
    """Return the command and variables with which a program writes its results to `file`. Raises Misuse."""
    for word in words:
        if word.startswith(_OURS):
            raise Misuse(f"{word!r} cannot be used with --google-benchmark, which asks for the results itself")
    asked = list(words)
    if not by_shell(tuple(words)):
        asked += [f"--benchmark_out={file}", "--benchmark_out_format=json"]
    return asked, {"BENCHMARK_OUT": str(file), "BENCHMARK_OUT_FORMAT": "json"}


def _named(results: Results) -> dict[str, list[Entry]]:
    """Return the entries of each benchmark by name; benchmarks with equal names are numbered in order.

    Results before version 1.6 have no family indices: a repetition that occurs again belongs to another benchmark.
    Repetitions without numbers are followed by their aggregates, or give their count.
    """
    keys = [(one.run_name or one.name, one.family_index, one.per_family_instance_index) for one in results.benchmarks]
    repeated = {key for key, one in zip(keys, results.benchmarks, strict=True) if one.aggregate_name}
    found: dict[tuple[str, int, int, int], list[Entry]] = {}
    seen: Counter[tuple[_Key, int | None, str]] = Counter()
    complete: Counter[_Key] = Counter()  # benchmarks of this key whose aggregates have come
    for key, entry in zip(keys, results.benchmarks, strict=True):
        run = (key, entry.repetition_index, entry.aggregate_name)
        numbered = entry.repetition_index is not None or bool(entry.aggregate_name)
        if numbered or key not in repeated:
            number = seen[run] if numbered else seen[run] // (entry.repetitions or 1)
        else:
            number = complete[key]
        found.setdefault((*key, number), []).append(entry)
        seen[run] += 1
        if entry.aggregate_name:
            complete[key] = max(complete[key], seen[run])
    named: dict[str, list[Entry]] = {}
    for (name, *_), entries in found.items():
        own, number = name, 1
        while own in named:
            number += 1
            own = f"{name} ({number})"
        named[own] = entries
    return named


def _spelled(found: re.Match[bytes]) -> bytes:
    """Return NaN or an infinity as the JSON parser spells it; strings stay unchanged."""
    if found[0].startswith(b'"'):
        return found[0]
    if b"nan" in found[0].lower():
        return b"NaN"
    return b"-Infinity" if found[0].startswith(b"-") else b"Infinity"


def _document(text: bytes) -> Any:
    """Return the parsed JSON, in which NaN and infinities are allowed. Raises ValueError."""
    return pydantic_core.from_json(_NO_NUMBER.sub(_spelled, text).decode("utf-8", "replace"))


def _entries(text: bytes, failures: dict[str, str]) -> Iterator[Entry]:
    """Yield the valid entries; add to `failures` why others are not, by name. Raises ValueError."""
    refused = "its results cannot be read as Google Benchmark's"
    try:
        document = _document(text)
    except ValueError as error:
        raise ValueError(f"{refused}: {str(error)[:_SHOWN]}") from error
    found = document.get("benchmarks", []) if isinstance(document, dict) else None
    if not isinstance(found, list):
        raise ValueError(f"{refused}: they have no list of benchmarks")
    for place, content in enumerate(found):
        try:
            yield Entry.model_validate(content)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            told = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:_SHOWN]
            name = content.get("run_name", content.get("name")) if isinstance(content, dict) else None
            if not isinstance(name, str):
                raise ValueError(f"{refused}: benchmark {place + 1}: {told}") from error
            failures[name] = f"its line cannot be read: {told}"


def read(text: bytes) -> Times:
    """Return the median time of each benchmark over its repetitions, or the program's own median of them.

    Raises ValueError if there is no time at all.
    """
    if not text.strip():
        raise ValueError("it wrote no results of Google Benchmark")
    failures: dict[str, str] = {}
    results = Results(benchmarks=list(_entries(text, failures)))
    named = _named(results)
    shared = Counter((entries[0].run_name or entries[0].name) for entries in named.values())
    times = Times({}, failures, tuple(name for name, number in shared.items() if number > 1))
    for name, entries in named.items():
        runs = [one for one in entries if one.run_type == "iteration"]
        # With --benchmark_report_aggregates_only the repetitions themselves are not written.
        runs = runs or [one for one in entries if one.aggregate_name == "median"]
        if not runs and all(one.aggregate_name in _FITTED for one in entries):
            continue
        failure = next((one.failure for one in runs if one.failure), None)
        if failure is not None or not runs:
            times.failures[name] = failure or "it has neither repetitions nor their median"
            continue
        for prefix, values in zip((REAL_TIME, CPU_TIME), zip(*(one.times_s for one in runs), strict=True), strict=True):
            # A clock too coarse for it gives 0, which nothing can be compared with: it is told where it is compared.
            times.figures[prefix + name] = median(values) if median(values) >= _LEAST_S else 0.0
    if not any(times.figures.values()):
        reasons = [f"{name}: {reason}" for name, reason in times.failures.items()]
        raise ValueError(f"none of its benchmarks has a time: {reasons[0]}" if reasons else "it ran no benchmark")
    return times
