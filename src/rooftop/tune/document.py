"""The document printed by ``rooftop tune --json``, made from the samples."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any, Literal

from pydantic import Field

from rooftop.command.build import Build, Builds
from rooftop.command.line import substituted
from rooftop.compare.document import CommandComparison, comparisons, floor_of
from rooftop.documents import CommandDocument, Outcome
from rooftop.files.document import Document
from rooftop.launchers import launchers, of_batch
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.figures import pairs_of
from rooftop.measure.rules import Rules
from rooftop.parameters.space import Configuration, Space, label
from rooftop.parameters.values import Value
from rooftop.tune.gains import Gain, changes, gains
from rooftop.tune.launch import placement, variables
from rooftop.tune.options import Options
from rooftop.tune.race import Race


class Tried(Document):
    """One configuration that the search tried.

    speed  relative to the default, as estimated by the race to rank configurations: not a verdict
    """

    parameters: dict[str, Value]
    outcome: Outcome
    reason: str | None = None
    stage: str | None = None
    speed: float | None = None
    median: float | None = None  # of the metric, over its samples
    samples: list[float] = Field(default_factory=list)


class Later(Document):
    """A configuration that was right in the race but wrong or failed in a later comparison."""

    parameters: dict[str, Value]
    comparison: str  # "choosing", "final", "gains"
    outcome: Outcome
    reason: str | None = None
    stage: str | None = None


class Chosen(Document):
    """A configuration and how to start it: `line` as it was measured, `lines` for each launcher.

    build   command that builds it; None: it needs no build
    folder  where the build and the lines run; None: the current folder
    sbatch  a Slurm script that starts it
    """

    parameters: dict[str, Value]
    line: str
    environment: dict[str, str]
    lines: dict[str, str]
    build: str | None = None
    folder: str | None = None
    sbatch: str


class TuneDocument(CommandDocument):
    """A tuning. All claims rest on `comparisons`, which were measured in pairs after the search."""

    schema_: Literal["rooftop/tune/1"] = Field(default="rooftop/tune/1", alias="schema")
    command: list[str]
    strategy: str
    configurations: int  # number in the search space
    exhausted: bool  # whether all of them were tried
    tried: list[Tried]
    later: list[Later] = Field(default_factory=list)
    default: Chosen
    best: Chosen | None = None  # by the comparison after the race; by the race if there was none
    runner_up: Chosen | None = None
    confirmed: bool = False  # whether the best was shown to be faster than the default
    comparisons: list[CommandComparison] = Field(default_factory=list)
    gains: list[Gain] = Field(default_factory=list)  # for the parameters in which best and default differ
    floor: float | None = None

    @property
    def default_failure(self) -> str | None:
        """Why the default cannot be used; None if it can, or was not tried."""
        own = [one for one in self.tried if one.parameters == self.default.parameters and one.reason is not None]
        return f"{own[0].outcome}: {own[0].reason}" if own else None


def chosen(options: Options, space: Space, configuration: Configuration, builds: Builds) -> Chosen:
    """Return a configuration with its command lines, as measured and for every launcher."""
    build = options.build_of(configuration, builds)
    here = options.launch(space, configuration, build)
    lines: dict[str, str] = {}
    if any(one.kind == "ranks" for one in space.parameters):
        team, _ = placement(space, configuration, options.nodes)
        able = [one.name for one in launchers() if one.places(team)]
        lines |= {name: options.launch(space, configuration, build, name).line for name in able}
    folder = build.working_folder if build is not None else None
    return Chosen(
        parameters=dict(configuration),
        line=here.line,
        environment=dict(here.environment),
        lines=lines,
        build=build.command.text if build is not None else None,
        folder=str(folder) if folder is not None else None,
        sbatch=sbatch_script(options, space, configuration, build),
    )


def tried(race: Race, space: Space) -> list[Tried]:
    """Return all configurations in the order in which they were tried."""
    found = []
    for arm in race.case.arms:
        values = [arm.value(sample) for sample in arm.samples]
        score = race.score(arm)
        found.append(
            Tried(
                parameters=dict(space.configurations[race.places[arm.name]]),
                outcome=arm.outcome or "skipped",
                reason=arm.reason if arm.outcome is not None else "it was interrupted before its turn",
                stage=arm.stage,
                speed=math.exp(score) if score is not None else None,
                median=sorted(values)[len(values) // 2] if values else None,
                samples=values,
            )
        )
    return found


def later(race: Race, cases: Sequence[CaseState], space: Space) -> list[Later]:
    """Return the configurations that were wrong or failed only after the race."""
    by_name = {label(configuration): configuration for configuration in space.configurations}
    right = {arm.name for arm in race.case.arms if arm.outcome == "ok"}
    return [
        Later(
            parameters=dict(by_name[arm.name]),
            comparison=case.name,
            outcome=arm.outcome,
            reason=arm.reason,
            stage=arm.stage,
        )
        for case in cases
        for arm in case.arms
        if arm.role == "command" and arm.outcome in ("wrong", "failed") and arm.name in right
    ]


def by_comparison(case: CaseState) -> list[Arm]:
    """Return the usable arms of a comparison, the best first, by their pairs with the first arm.

    If the first arm is not usable, they are ordered by their medians.
    """
    usable = [arm for arm in case.arms if arm.role == "command" and arm.outcome == "ok" and arm.samples]
    first = case.arms[0] if case.arms else None
    if first not in usable:
        return sorted(usable, key=lambda arm: median(arm.metric.cost(arm.value(sample)) for sample in arm.samples))
    speeds = {arm.name: pairs_of(arm, first).log_ratios for arm in usable}
    # An arm that got no pairs in time was not compared: it is neither better nor worse than the first.
    compared = [arm for arm in usable if speeds[arm.name]]
    return sorted(compared, key=lambda arm: -median(speeds[arm.name])) if len(compared) > 1 else []


def ranked(choosing: CaseState, race: Race) -> list[str]:
    """Return the names of the candidates, the best first.

    The best is chosen before the final comparison, whose pairs are therefore not biased by the choice.
    """
    return [arm.name for arm in by_comparison(choosing) or race.ranking()]


def confirmed(final: CaseState, best: str, default: str, rules: Rules) -> bool:
    """Return whether the final comparison shows that the best is better than the default."""
    found = comparisons(final.arms, floor_of(final, rules), rules)
    return any((one.subject, one.against, one.verdict) == (best, default, "faster") for one in found)


def tune_document(
    head: dict[str, Any],
    options: Options,
    space: Space,
    builds: Builds,
    race: Race,
    choosing: CaseState,
    final: CaseState,
    parts: CaseState,
    rules: Rules,
) -> TuneDocument:
    """Return the document of a tuning in its current state. `head` has the fields that do not depend on samples."""
    default = space.configurations[options.default_place(space)]
    floor = floor_of(final, rules)
    document = TuneDocument(
        **head,
        command=list(options.words),
        configurations=len(space),
        exhausted=sum(arm.outcome is not None for arm in race.case.arms) == len(space),
        tried=tried(race, space),
        later=later(race, (choosing, final, parts), space),
        default=chosen(options, space, default, builds),
        comparisons=comparisons(final.arms, floor, rules),
        floor=floor,
    )
    names = ranked(choosing, race)
    by_name = {label(configuration): configuration for configuration in space.configurations}
    if names:
        document.best = chosen(options, space, by_name[names[0]], builds)
        document.confirmed = confirmed(final, names[0], label(default), rules)
        found = changes(space, default, by_name[names[0]])
        if any(arm.samples for arm in parts.arms):
            document.gains = gains(found, parts.arms, label(default), names[0], floor_of(parts, rules), rules)
    others = [name for name in names[1:] if name != label(default)]
    if others:
        document.runner_up = chosen(options, space, by_name[others[0]], builds)
    return document


def sbatch_script(options: Options, space: Space, configuration: Configuration, build: Build | None) -> str:
    """Return a Slurm script for a configuration. It requests as many nodes as were measured."""
    launcher = of_batch("sbatch")
    team, bind = placement(space, configuration, options.nodes)
    team = replace(team, hosts=())  # Slurm chooses them
    program = substituted(options.words, {**configuration, **options.built(build)})
    launch = launcher.started(program, variables(space, configuration), team, bind, in_batch=True)
    lines = ["#!/bin/bash", f"# {label(configuration)}", *launcher.job_lines(team)]
    if build is not None:
        lines.append(f"# built with: {build.command.text}")
        if build.working_folder is not None:
            lines.append(f"cd {shlex.quote(str(build.working_folder))} || exit 1")
    lines += [f"export {name}={shlex.quote(value)}" for name, value in launch.environment.items()]
    return "\n".join([*lines, shlex.join(launch.words), ""])
