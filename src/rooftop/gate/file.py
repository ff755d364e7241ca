"""Read benchmarks from a TOML file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import Field

from rooftop.command.line import from_text, started_alike
from rooftop.command.measurement import Measurement
from rooftop.command.option import file_model, given_values
from rooftop.errors import Misuse
from rooftop.gate.options import Benchmark, Command, Options, parse_threshold

_OF_ALL = ("budget_s", "max_pairs", "seed")  # which hold for the whole gate


class Entry(file_model(Measurement, _OF_ALL)):  # type: ignore[misc]
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
        told = given_values(Measurement, self.model_dump(exclude_unset=True), said)
        # An entry's own metric is instead of the one for all, whichever option said that.
        if "metric_regex" in told:
            told = {"metric": "wall"} | told
        elif "metric" in told:
            told = {"metric_regex": None, "better": "lower"} | told
        return replace(general, **told)


class GateFile(file_model(Options, ("how",))):  # type: ignore[misc]
    """The whole file: revisions, options of the gate, and benchmarks."""

    base: str | None = None
    head: str | None = None
    benchmark: list[Entry] = Field(default_factory=list)

    def benchmarks(self, path: Path, threshold: float, how: Measurement) -> tuple[Benchmark, ...]:
        """Return the benchmarks. `threshold` and `how` hold where an entry says nothing. Raises Misuse."""
        found = []
        for place, entry in enumerate(self.benchmark):
            said = f"{path}: benchmark {place + 1}"
            own_how = entry.how(how, said)
            base, head = entry.sides(said, own_how.shell)
            own = parse_threshold(f"{said}: threshold", entry.threshold) if entry.threshold is not None else None
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
