"""Benchmarks that a TOML file declares."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rooftop.climb.request import parse_budget
from rooftop.command.line import from_text, started_alike
from rooftop.compare.options import Options as CompareOptions
from rooftop.errors import Misuse
from rooftop.gate.judge import Correction
from rooftop.gate.options import Benchmark, Command, parse_threshold
from rooftop.measure.metric import Better


class Entry(BaseModel):
    """One [[benchmark]]: a command for both revisions, or one for each. What is not said is as for all."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str | None = None
    command: str | None = None
    base: str | None = None
    head: str | None = None
    threshold: str | float | None = None
    metric: str | None = None
    metric_regex: str | None = None
    better: Better | None = None
    check: str | None = None
    expect_regex: str | None = None
    expect_same_output: bool | float | None = None
    ignore_failure: bool | None = None
    setup: str | None = None
    prepare: str | None = None
    cleanup: str | None = None
    warmup: int | None = Field(default=None, ge=0)
    timeout: str | None = None

    def sides(self, said: str) -> tuple[Command, Command]:
        """Return the commands of the base and the head. Raises Misuse."""
        first, second = self.base, self.head
        if self.command is not None and first is None and second is None:
            first = second = self.command
        if self.command not in (None, first) or first is None or second is None:
            raise Misuse(f"{said} needs either a command, or both base and head")
        base, head = started_alike([from_text(first), from_text(second)])
        return (base.words, base.text), (head.words, head.text)

    def how(self, general: CompareOptions, said: str) -> CompareOptions:
        """Return how it is measured. Raises Misuse."""
        told: dict[str, Any] = {
            key: value
            for key in ("metric", "metric_regex", "better", "check", "expect_regex", "ignore_failure", "warmup")
            if (value := getattr(self, key)) is not None
        }
        # An entry's own metric is instead of the one for all, whichever option said that.
        if self.metric_regex is not None:
            told = {"metric": "wall"} | told
        elif self.metric is not None:
            told = {"metric_regex": None, "better": "lower"} | told
        beside = (("setups", self.setup), ("prepares", self.prepare), ("cleanups", self.cleanup))
        told |= {key: (text,) for key, text in beside if text is not None}
        if self.timeout is not None:
            told["timeout_s"] = parse_budget(self.timeout, f"{said}: timeout")
        if self.expect_same_output is not None:
            same = self.expect_same_output
            tolerance = (0.0 if same else None) if isinstance(same, bool) else same
            if tolerance is not None and not 0 <= tolerance < 1:
                raise Misuse(f"{said}: expect_same_output is {same}, expected true or a tolerance from 0 to below 1")
            told["same_output"] = tolerance
        return replace(general, **told)


class GateFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    base: str | None = None
    head: str | None = None
    build: str | None = None
    threshold: str | float | None = None
    correction: Correction | None = None
    benchmark: list[Entry] = Field(default_factory=list)

    def benchmarks(self, path: Path, threshold: float, how: CompareOptions) -> tuple[Benchmark, ...]:
        """Return the benchmarks. `threshold` and `how` hold where an entry says nothing. Raises Misuse."""
        found = []
        for place, entry in enumerate(self.benchmark):
            said = f"{path}: benchmark {place + 1}"
            base, head = entry.sides(said)
            own = parse_threshold(f"{said}: threshold", str(entry.threshold)) if entry.threshold is not None else None
            found.append(
                Benchmark(
                    entry.name or head[1],
                    base,
                    head,
                    threshold if own is None else own,
                    entry.how(how, said),
                )
            )
        return tuple(found)


def read_file(path: Path) -> GateFile:
    """Read a file. Raises Misuse naming what in it cannot be."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misuse(f"{path} is not TOML: {error}") from error
    try:
        return GateFile.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " ".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
        raise Misuse(f"{path}: {place} is {first['input']!r}: {first['msg']}") from error
