"""What a comparison was asked to do, as data that the store keeps and a resumed session reads again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rooftop.command.check import Check
from rooftop.command.driver import Spec, Terms
from rooftop.command.line import CommandLine, from_text, names_of
from rooftop.command.measured import NAMES, Measured, read_pattern, require_counter
from rooftop.command.process import Limits
from rooftop.errors import Misuse
from rooftop.measure.metric import Better


@dataclass(frozen=True)
class Options:
    """One comparison. Texts are as the user wrote them; None or empty where nothing was asked.

    commands                  (words, text) of each
    setups, prepares, cleanups  none, one for all, or one for each command
    """

    commands: tuple[tuple[tuple[str, ...], str], ...]
    setups: tuple[str, ...] = ()
    prepares: tuple[str, ...] = ()
    cleanups: tuple[str, ...] = ()
    metric: str = "wall"
    metric_regex: str | None = None
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
        """Give it as the store keeps it."""
        return asdict(self) | {"kind": "compare"}

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Options:
        """Give what `stored` gave."""
        known: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in content.items()
        }
        known.pop("kind")
        known["commands"] = tuple((tuple(words), text) for words, text in content["commands"])
        return Options(**known)

    def head(self) -> dict[str, Any]:
        """Give what a document says of the metric. Raises Misuse."""
        metric = self.terms().measured.metric
        return {"metric": self.metric_regex or self.metric, "unit": metric.unit, "better": metric.better}

    def specs(self) -> dict[str, Spec]:
        """Give the commands by their names: their texts, told apart where two are the same. Raises Misuse."""
        if len(self.commands) < 2:
            number = f"{len(self.commands)} command{'' if len(self.commands) == 1 else 's'}"
            raise Misuse(f"{number} to compare, expected two: rooftop compare 'A' 'B', or rooftop compare -- A ::: B")
        found: dict[str, Spec] = {}
        names = names_of([text for _, text in self.commands])
        for place, (name, (words, text)) in enumerate(zip(names, self.commands, strict=True)):
            found[name] = Spec(
                CommandLine(words, text),
                self._beside("--setup", self.setups, place),
                self._beside("--prepare", self.prepares, place),
                self._beside("--cleanup", self.cleanups, place),
            )
        return found

    def spec(
        self, command: CommandLine, environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> Spec:
        """Give one command with what was told once for all. Raises Misuse."""
        beside = (("--setup", self.setups), ("--prepare", self.prepares), ("--cleanup", self.cleanups))
        for option, texts in beside:
            if len(texts) > 1:
                raise Misuse(f"{option} is given {len(texts)} times, expected once")
        setup, prepare, cleanup = (from_text(texts[0]) if texts else None for _, texts in beside)
        return Spec(command, setup, prepare, cleanup, environment, folder)

    def _beside(self, option: str, texts: tuple[str, ...], place: int) -> CommandLine | None:
        if not texts:
            return None
        if len(texts) not in (1, len(self.commands)):
            raise Misuse(f"{option} is given {len(texts)} times, expected once, or {len(self.commands)} times")
        return from_text(texts[0] if len(texts) == 1 else texts[place])

    def terms(self) -> Terms:
        """Give what holds for all commands. Raises Misuse."""
        if self.metric not in NAMES:
            raise Misuse(f"--metric is {self.metric!r}, expected {', '.join(NAMES[:-1])} or {NAMES[-1]}")
        if self.metric == "instructions" and self.metric_regex is None:
            require_counter()
        measured = (
            Measured(self.metric)
            if self.metric_regex is None
            else Measured("figure", read_pattern(self.metric_regex), self.better)
        )
        check = Check(
            any_status=self.ignore_failure,
            pattern=read_pattern(self.expect_regex) if self.expect_regex is not None else None,
            same_output=self.same_output,
            judge=from_text(self.check) if self.check is not None else None,
        )
        return Terms(check, measured, Limits(self.timeout_s, self.memory_bytes), warmup=self.warmup)
