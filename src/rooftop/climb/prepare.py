"""Prepare a climb: find (and build) the requested experiments, make their cases, and get the machine's roofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rooftop.climb.request import DEFAULT_SIZE, Request
from rooftop.documents import Machine, Roof
from rooftop.driver.executor import DriverFailed, Executor
from rooftop.errors import Misuse, NotBuilt
from rooftop.ladder.discovery import Found
from rooftop.ladder.location import compiled, place_of
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState
from rooftop.measure.prediction import asked_by
from rooftop.measure.targets import FILE_NAME, asked_of_case, read_targets
from rooftop.probe.surroundings import Surroundings
from rooftop.settings import Settings

Build = Callable[[Found, Callable[[str], None]], None]


class Ground:
    """The experiments of a climb and its machine, a Place. Roofs are measured when they are first needed."""

    def __init__(
        self,
        settings: Settings,
        request: Request,
        surroundings: Surroundings,
        remark: Callable[[str], None],
        build: Build | None,
    ) -> None:
        """Find the experiments. Raises Misuse, NotBuilt.

        build  builds an experiment outside the tree, with a remark; None: experiments are used as they are
        """
        self._request, self._surroundings, self._remark = request, surroundings, remark
        self.found = _find(settings, request, remark, build)
        size = request.size or DEFAULT_SIZE
        self.cases = [case for experiment in self.found for case in _cases(experiment, size, request)]

    @cached_property
    def _machine(self) -> Machine:
        self._remark("measuring the machine's roofs, unless they are cached")
        return self._surroundings.machine(self._request.threads)

    def identity(self) -> Machine:
        return self._machine

    def known_roofs(self, machine: Machine) -> list[Roof]:
        return self._surroundings.known_roofs(machine)

    def conditions(self) -> dict[str, Any]:
        """Return the machine's conditions; those of compiling from the experiments, if they are outside the tree."""
        return self._surroundings.conditions() | compiled(self.found)

    def ask_support(self, executor: Executor) -> None:
        """Mark the arms of all cases that are not built, or that this processor cannot run."""
        answers: dict[tuple[Path, str | None], tuple[str, str, str | None]] = {}
        for experiment in self.found:
            for module in experiment.modules:
                key = module.program
                if module.status != "built":
                    answers[key] = ("skipped", module.reason or module.status, None)
                    continue
                try:
                    described = executor.describe(module)
                except DriverFailed as failure:
                    answers[key] = ("failed", failure.message, failure.stage)
                else:
                    if not described.supported:
                        answers[key] = ("skipped", described.reason or "this processor cannot run it", None)
        for arm in [arm for case in self.cases for arm in case.arms if arm.key is None]:
            outcome, reason, stage = answers.get(arm.module.program, ("", "", None))
            if outcome == "skipped":
                arm.end("skipped", reason)
            elif outcome == "failed":
                arm.end("failed", reason, stage)


def _find(settings: Settings, request: Request, remark: Callable[[str], None], build: Build | None) -> list[Found]:
    place = place_of(settings, request.experiments)
    size = request.size or DEFAULT_SIZE
    wanted = place.choose(request.names)
    unasked = [name for name in wanted if name not in request.names]
    found = place.find_all(unasked, remark) if unasked else []
    found += [place.find(name) for name in wanted if name in request.names]
    found.sort(key=lambda one: wanted.index(one.name))
    if request.names:
        for experiment in found:
            experiment.declaration.cases(size)  # raises Misuse if a named experiment does not have this size
    chosen = [experiment for experiment in found if size in experiment.declaration.sizes]
    if not chosen:
        raise Misuse(f"no experiment in {place.folder} has the size {size!r}")
    request.check_only(chosen)
    if place.outside and build is not None:
        for experiment in chosen:
            build(experiment, remark)
        chosen = [place.find(experiment.name) for experiment in chosen]
    modules = [module for experiment in chosen for module in experiment.modules]
    names = ", ".join(experiment.name for experiment in chosen)
    if not modules:
        raise Misuse(f"{names} in {place.folder} has no rungs, expected rungs/NN-idea.cpp or .py")
    if all(module.status == "not built" for module in modules):
        raise NotBuilt(f"no rung or peer of {names} is built: {modules[0].reason}")
    return chosen


def _cases(experiment: Found, size: str, request: Request) -> Sequence[CaseState]:
    modules = [module for module in experiment.modules if request.chooses(module)]
    if not modules:
        return []
    declared = experiment.folder / FILE_NAME
    targets = read_targets(declared) if declared.is_file() else None
    cases = []
    for case in experiment.declaration.cases(size):
        arms = [
            Arm(module, module.kind)
            for one in modules
            for module in ([one.on(Team(threads=count)) for count in case.workers] or [one])
        ]
        asked = asked_of_case(targets, size, case.parameters) if targets is not None else ()
        cases.append(
            CaseState(
                experiment=experiment.name,
                size=size,
                name=case.name,
                parameters=case.parameters,
                nominal=case.nominal,
                isa=case.isa,
                cold_on=experiment.declaration.cold_on([case]),
                arms=arms,
                asked=asked + asked_by(experiment.declaration.predictions, arms),
            )
        )
    return cases
