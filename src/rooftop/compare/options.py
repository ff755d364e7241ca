"""What a comparison was asked to do, as data that the store keeps and a resumed session reads again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from rooftop.command.build import Build
from rooftop.command.check import Check
from rooftop.command.driver import Spec, Terms
from rooftop.command.google_benchmark import asking
from rooftop.command.line import CommandLine, from_text, names_of
from rooftop.command.measured import NAMES, Measured, read_pattern, require_counter
from rooftop.command.places import filled, substituted
from rooftop.command.process import Limits
from rooftop.errors import Misuse
from rooftop.measure.metric import Better


@dataclass(frozen=True)
class Options:
    """One comparison. Texts are as the user wrote them; None or empty where nothing was asked.

    commands                  (words, text) of each
    setups, prepares, cleanups  none, one for all, or one for each command
    environments              none, or for each command the variables that it has beside the inherited ones
    """

    commands: tuple[tuple[tuple[str, ...], str], ...]
    setups: tuple[str, ...] = ()
    prepares: tuple[str, ...] = ()
    cleanups: tuple[str, ...] = ()
    environments: tuple[Mapping[str, str], ...] = ()
    metric: str = "wall"
    metric_regex: str | None = None
    google_benchmark: bool = False
    better: Better = "lower"
    ignore_failure: bool = False
    check: str | None = None
    expect_regex: str | None = None
    same_output: float | None = None
    budget_s: float = 60.0
    max_pairs: int = 200
    timeout_s: float = 3600.0
    memory_bytes: int | None = None
    warmup: int = 0
    seed: int | None = None

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        return asdict(self)

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Options:
        """Return what `stored` gave, whatever else is kept with it."""
        own = {one.name for one in fields(Options)}
        known: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in content.items() if key in own
        }
        known["commands"] = tuple((tuple(words), text) for words, text in content["commands"])
        return Options(**known)

    def head(self) -> dict[str, Any]:
        """Return what a document says of the metric. Raises Misuse."""
        metric = self.terms().measured.metric
        name = self.metric_regex or self.metric
        if metric.each:
            name = f"geometric mean of {(metric.figure or '').rstrip(':')}"
        return {"metric": name, "unit": metric.unit, "better": metric.better}

    def specs(self) -> dict[str, Spec]:
        """Return the commands by their names: their texts, told apart where two are the same. Raises Misuse."""
        if len(self.commands) < 2:
            number = f"{len(self.commands)} command{'' if len(self.commands) == 1 else 's'}"
            raise Misuse(f"{number} to compare, expected two: rooftop compare 'A' 'B', or rooftop compare -- A ::: B")
        found: dict[str, Spec] = {}
        names = names_of([text for _, text in self.commands])
        for place, (name, (words, text)) in enumerate(zip(names, self.commands, strict=True)):
            if self.google_benchmark:
                asking(words, Path(os.devnull))
            found[name] = Spec(
                CommandLine(words, text),
                self._beside("--setup", self.setups, place),
                self._beside("--prepare", self.prepares, place),
                self._beside("--cleanup", self.cleanups, place),
                self.environments[place] if self.environments else None,
            )
        return found

    def spec(
        self,
        command: CommandLine,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        build: Build | None = None,
    ) -> Spec:
        """Return one command with what was told once for all. Raises Misuse."""
        beside = (("--setup", self.setups), ("--prepare", self.prepares), ("--cleanup", self.cleanups))
        for option, texts in beside:
            if len(texts) > 1:
                raise Misuse(f"{option} is given {len(texts)} times, expected once")
        setup, prepare, cleanup = (from_text(texts[0]) if texts else None for _, texts in beside)
        judge = from_text(self.check) if self.check is not None else None
        return Spec(command, setup, prepare, cleanup, environment, folder, build, judge)

    def texts_beside(self) -> tuple[str, ...]:
        """Return the texts of the commands that run beside the measured ones."""
        return (*self.setups, *self.prepares, *self.cleanups, *((self.check,) if self.check is not None else ()))

    def filled(self, values: Mapping[str, object]) -> Options:
        """Return it with values in the places of what runs beside the commands."""
        return replace(
            self,
            setups=substituted(self.setups, values),
            prepares=substituted(self.prepares, values),
            cleanups=substituted(self.cleanups, values),
            check=filled(self.check, values) if self.check is not None else None,
        )

    def _beside(self, option: str, texts: tuple[str, ...], place: int) -> CommandLine | None:
        if not texts:
            return None
        if len(texts) not in (1, len(self.commands)):
            raise Misuse(f"{option} is given {len(texts)} times, expected once, or {len(self.commands)} times")
        return from_text(texts[0] if len(texts) == 1 else texts[place])

    def terms(self) -> Terms:
        """Return what holds for all commands. Raises Misuse."""
        if self.metric not in NAMES:
            raise Misuse(f"--metric is {self.metric!r}, expected {', '.join(NAMES[:-1])} or {NAMES[-1]}")
        if self.metric_regex is not None and self.metric != "wall":
            raise Misuse(f"--metric is {self.metric!r} and --metric-regex is given too, expected one of them")
        if self.metric_regex is None and self.better != "lower":
            raise Misuse(f"--better is {self.better!r} and has no effect, expected --metric-regex with it")
        if self.metric == "instructions" and self.metric_regex is None and not self.google_benchmark:
            require_counter()
        if self.google_benchmark:
            self._require_benchmarks_alone()
            measured = Measured(self.metric, google_benchmark=True)
        elif self.metric_regex is None:
            measured = Measured(self.metric)
        else:
            pattern = read_pattern(self.metric_regex)
            if pattern.groups > 1:
                raise Misuse(
                    f"--metric-regex {self.metric_regex!r} has {pattern.groups} groups, expected one, around the "
                    "number: write (?:…) for the others"
                )
            measured = Measured("figure", pattern, self.better)
        judge = from_text(self.check) if self.check is not None else None
        if judge is not None and shutil.which(judge.words[0]) is None:
            raise Misuse(f"--check: {judge.words[0]!r} cannot be found, expected a program that judges the output")
        check = Check(
            any_status=self.ignore_failure,
            pattern=read_pattern(self.expect_regex) if self.expect_regex is not None else None,
            same_output=self.same_output,
            judge=judge,
        )
        return Terms(check, measured, Limits(self.timeout_s, self.memory_bytes), warmup=self.warmup)

    def _require_benchmarks_alone(self) -> None:
        """Raise Misuse where what was asked cannot hold for programs of Google Benchmark."""
        if self.metric not in ("wall", "cpu"):
            raise Misuse(f"--metric is {self.metric!r}, expected wall or cpu with --google-benchmark")
        if self.metric_regex is not None:
            raise Misuse("--google-benchmark and --metric-regex are both given, expected one of them")
        if self.same_output is not None:
            raise Misuse("--expect-same-output cannot hold with --google-benchmark: what it prints are times")
