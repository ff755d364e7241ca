"""Benchmarks that a TOML file declares."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from rooftop.command.line import from_text, started_alike
from rooftop.command.measurement import Measurement
from rooftop.command.option import Declared, declared, read_all
from rooftop.errors import Misuse
from rooftop.gate.judge import Correction
from rooftop.gate.options import Benchmark, Command, parse_threshold

# What a benchmark may say of its own; all others hold for the whole gate.
_OF_ALL = ("budget_s", "max_pairs", "seed")
_OWN = {one.option.key: one for one in declared(Measurement) if one.field not in _OF_ALL}


def _filed(one: Declared) -> Any:
    """Return the type that a file gives for an option."""
    option = one.option
    return option.filed or option.said or one.type


# mypy does not know of models that are made of fields elsewhere.
_FIELDS: dict[str, Any] = {key: (_filed(one) | None, None) for key, one in _OWN.items()}
_Said: Any = create_model("_Said", __config__=ConfigDict(extra="forbid", strict=True), **_FIELDS)


class Entry(_Said):  # type: ignore[misc]
    """One [[benchmark]]: a command for both revisions, or one for each. What is not said is as for all."""

    name: str | None = None
    command: str | None = None
    base: str | None = None
    head: str | None = None
    threshold: str | float | None = None

    def sides(self, said: str, shell: str | None = None) -> tuple[Command, Command]:
        """Return the commands of the base and the head, started by this shell: see `from_text`. Raises Misuse."""
        first, second = self.base, self.head
        if self.command is not None and first is None and second is None:
            first = second = self.command
        if self.command not in (None, first) or first is None or second is None:
            raise Misuse(f"{said} needs either a command, or both base and head")
        base, head = started_alike([from_text(first, shell), from_text(second, shell)])
        return (base.words, base.text), (head.words, head.text)

    def how(self, general: Measurement, said: str) -> Measurement:
        """Return how it is measured. Raises Misuse."""
        told = {one.field: value for key, one in _OWN.items() if (value := getattr(self, key)) is not None}
        told = read_all(Measurement, told, lambda option: f"{said}: {option.key}")
        # An entry's own metric is instead of the one for all, whichever option said that.
        if "metric_regex" in told:
            told = {"metric": "wall"} | told
        elif "metric" in told:
            told = {"metric_regex": None, "better": "lower"} | told
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

    def benchmarks(self, path: Path, threshold: float, how: Measurement) -> tuple[Benchmark, ...]:
        """Return the benchmarks. `threshold` and `how` hold where an entry says nothing. Raises Misuse."""
        found = []
        for place, entry in enumerate(self.benchmark):
            said = f"{path}: benchmark {place + 1}"
            own_how = entry.how(how, said)
            base, head = entry.sides(said, own_how.shell)
            own = parse_threshold(f"{said}: threshold", str(entry.threshold)) if entry.threshold is not None else None
            found.append(
                Benchmark(
                    entry.name or head[1],
                    base,
                    head,
                    threshold if own is None else own,
                    own_how,
                )
            )
        return tuple(found)


def read_file(path: Path) -> GateFile:
    """Read a file. Raises Misuse naming what in it cannot be."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
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
