"""Options of a comparison, and the commands that follow from them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic.dataclasses import dataclass

from rooftop.command.google_benchmark import asking
from rooftop.command.line import CommandLine, from_text, names_of
from rooftop.command.measured import Measured
from rooftop.command.measurement import Measurement
from rooftop.command.option import Option
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.subject.rung import require_comparable
from rooftop.text.plural import plural

COMMANDS = "What is compared"


@dataclass(frozen=True)
class Options(Measurement):
    """One comparison.

    commands      (words, text) of each
    environments  none, or for each command the variables that it has beside the inherited ones
    values        none, or for each command the values for the places in --setup, --prepare, --cleanup and --check
    """

    commands: tuple[tuple[tuple[str, ...], str], ...] = ()
    environments: tuple[Mapping[str, str], ...] = ()
    values: tuple[Mapping[str, str], ...] = ()
    base_only: Annotated[
        bool,
        Option(
            "--base-only",
            "Compare each command with the first only: verdicts need fewer pairs than among all.",
            panel=COMMANDS,
        ),
    ] = False
    google_benchmark: Annotated[
        bool,
        Option(
            "--google-benchmark",
            "The commands are Google Benchmark programs: compare each of their benchmarks.",
            panel=COMMANDS,
        ),
    ] = False

    @classmethod
    def of(cls, how: Measurement, **own: Any) -> Options:
        """Return a comparison that is measured as `how` says; `own`: its other fields."""
        return cls(**{one.name: getattr(how, one.name) for one in fields(Measurement)}, **own)

    @property
    def how(self) -> Measurement:
        """Itself: see Asked."""
        return self

    def measured(self, **changes: Any) -> Options:
        """Return it with other values of what it has in common with other campaigns."""
        return replace(self, **changes)

    def specs(self) -> dict[str, Spec]:
        """Return the commands by their names: their texts, told apart where two are the same. Raises Misuse."""
        if len(self.commands) < 2:
            given = f" ({self.commands[0][1]})" if self.commands else ""
            number = plural(len(self.commands), "command")
            raise Misuse(
                f"{number} to compare{given}, expected two: rooftop compare 'A' 'B', or rooftop compare -- A ::: B"
            )
        found: dict[str, Spec] = {}
        names = names_of([text for _, text in self.commands])
        rungs = [self.rung(words) for words, _ in self.commands]
        require_comparable(names, rungs)
        for place, (name, (words, text)) in enumerate(zip(names, self.commands, strict=True)):
            if self.google_benchmark:
                asking(words, Path(os.devnull))
            how = self.filled(self.values[place]) if self.values else self
            found[name] = Spec(
                CommandLine(words, text),
                self._beside("--setup", how.setups, place),
                self._beside("--prepare", how.prepares, place),
                self._beside("--cleanup", how.cleanups, place),
                self.environments[place] if self.environments else None,
                judge=from_text(how.check, self.shell) if how.check is not None else None,
                rung=rungs[place],
                input=how.input_file(),
            )
            if rungs[place] is None:
                how.require_kept(found[name])
        return found

    def _beside(self, option: str, texts: tuple[str, ...], place: int) -> CommandLine | None:
        if not texts:
            return None
        if len(texts) not in (1, len(self.commands)):
            expected = f"once, or once for each of the {len(self.commands)} commands"
            raise Misuse(f"{option} is given {len(texts)} times, expected {expected}")
        return from_text(texts[0] if len(texts) == 1 else texts[place], self.shell)

    def _measured(self) -> Measured:
        if not self.google_benchmark:
            return super()._measured()
        self._require_metric()
        if self.metric not in ("wall", "cpu"):
            raise Misuse(f"--metric is {self.metric!r}, expected wall or cpu with --google-benchmark")
        if self.metric_regex is not None:
            raise Misuse("--google-benchmark and --metric-regex are both given, expected one of them")
        if self.same_output is not None:
            raise Misuse("--expect-same-output cannot hold with --google-benchmark: what it prints are times")
        return Measured(self.metric, google_benchmark=True)
