"""A rung or peer as the user names it, EXPERIMENT/RUNG, on the cases of one of its experiment's sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from rooftop.errors import Misuse, NotBuilt
from rooftop.ladder.discovery import Found, Module
from rooftop.ladder.experiment import Case, Experiment
from rooftop.ladder.location import Place, place_of
from rooftop.launchers.team import Team
from rooftop.machine.identity import cores_now
from rooftop.settings import Settings, tree_above
from rooftop.text.nearest import nearest

DEFAULT_SIZE = "quick"
WORKERS = ("ranks", "threads")  # tunables that are no parameters


@dataclass(frozen=True)
class Rung:
    """One rung or peer on some cases.

    name        as the user wrote it, such as ``winograd/90-fused.avx2``
    experiments the folder that was said to hold the experiment; None: the tree's own
    cases       that one run consists of, in their order
    team        the ranks and threads that it runs on
    variables   of its environment, beside those that every driver has
    parameters  of every case, instead of the experiment's
    """

    name: str
    experiment: str
    declaration: Experiment
    module: Module
    size: str
    cases: tuple[Case, ...]
    team: Team
    experiments: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def nominal(self) -> float:
        """Work of one run, over all its cases, as the experiment's rate counts it."""
        return sum(case.nominal for case in self.cases)

    @property
    def known_parameters(self) -> set[str]:
        """What may be set: the parameters of its cases, and the experiment's tunables but its workers."""
        return {name for case in self.cases for name in case.parameters} | (
            set(self.declaration.tunables) - set(WORKERS)
        )

    def words(self, more: Sequence[str] = ()) -> list[str]:
        """Return the words that name it and its cases on a command line, with more options."""
        cases = [case.name for case in self.cases]
        every = cases == [case.name for case in self.declaration.cases(self.size)]
        chosen = [] if every else [word for name in cases for word in ("--case", name)]
        folder = [] if self.experiments is None else ["--from", self.experiments]
        set_ones = [f"{name}={value}" for name, value in self.parameters.items()]
        return [self.name, *set_ones, *folder, "--size", self.size, *chosen, *more]

    def parameters_of(self, case: Case) -> dict[str, Any]:
        """Return what its driver is asked to set up for a case."""
        return {**case.parameters, **self.parameters}

    def on(
        self,
        *,
        ranks: int | None = None,
        threads: int | None = None,
        variables: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> Rung:
        """Return it on so many workers, with these variables and parameters. None: as many as it has.

        Raises Misuse for ranks of a program that is none of MPI's, and for parameters that none of its cases has.
        """
        if ranks is not None and not self.module.ranked:
            raise Misuse(f"{self.name} is no MPI program: use --threads instead of --ranks")
        team = replace(self.team, ranks=ranks or self.team.ranks, threads=threads or self.team.threads)
        for name in parameters or {}:
            if name not in self.known_parameters:
                raise Misuse(
                    f"{self.name} has no parameter {name!r}, expected one of {', '.join(sorted(self.known_parameters))}"
                )
        return replace(
            self,
            team=team,
            variables={**self.variables, **(variables or {})},
            parameters={**self.parameters, **(parameters or {})},
        )


def _chosen(declaration: Experiment, experiment: str, size: str, names: Sequence[str]) -> tuple[Case, ...]:
    """Return the cases of a size, or those of them that were named. Raises Misuse."""
    cases = declaration.cases(size)
    known = [case.name for case in cases]
    for name in names:
        if name not in known:
            raise Misuse(f"size {size!r} of {experiment} has no case {name!r}; {nearest(name, known)}")
    chosen = tuple(case for case in cases if not names or case.name in names)
    held = {case.isa for case in chosen if case.isa is not None}
    if any(case.workers for case in chosen):
        raise Misuse(f"size {size!r} of {experiment} sets its own numbers of workers: use another --size, or climb")
    if held:
        raise Misuse(f"size {size!r} of {experiment} holds programs to {', '.join(sorted(held))}: use climb for it")
    return chosen


def _module(found: Found, wanted: str) -> Module:
    """Return the rung or peer of a name, whose instruction set may be left out. Raises Misuse and NotBuilt."""
    plain = {module.name: module.name.removesuffix(f".{module.isa}") if module.isa else "" for module in found.modules}
    matching = [module for module in found.modules if module.name == wanted]
    matching = matching or [module for module in found.modules if plain[module.name] == wanted]
    if len(matching) != 1:
        names = nearest(wanted, (module.name for module in matching or found.modules), f"rooftop show {found.name}")
        told = f"fits {len(matching)} rungs of" if matching else "is no rung or peer of"
        raise Misuse(f"{wanted!r} {told} {found.name}; {names}")
    module = matching[0]
    if module.status != "built":
        raise NotBuilt(f"{found.name}/{module.name}: {module.reason or module.status}")
    return module


@lru_cache(maxsize=256)
def _read(text: str, size: str | None, cases: tuple[str, ...], place: Place) -> Rung:
    experiment, _, name = text.rpartition("/")
    found = place.find(experiment)
    module = _module(found, name)
    size = size or DEFAULT_SIZE
    chosen = _chosen(found.declaration, experiment, size, cases)
    workers = cores_now()
    team = Team(ranks=workers) if module.ranked else Team(threads=workers)
    own = None if place.folder == place.tree else str(place.own_folder)
    return Rung(text, experiment, found.declaration, module, size, chosen, team, own)


def named_rung(
    text: str,
    size: str | None = None,
    cases: Sequence[str] = (),
    experiments: str | None = None,
    folder: Path | None = None,
) -> Rung | None:
    """Return the rung that EXPERIMENT/RUNG names; None where there is no such experiment, or a file has that name.

    size         of the experiment; None: quick
    cases        of that size, all where none is named
    experiments  the folder that holds experiments; None: the tree's own
    folder       of another tree, such as a revision that is built there

    Raises Misuse for a rung, size or case that the experiment does not have, and NotBuilt.
    """
    experiment = text.rpartition("/")[0]
    if Path(text).is_file() or not experiment or ".." in Path(text).parts or Path(text).is_absolute():
        return None
    settings = Settings()
    if folder is not None:
        if (tree := tree_above(folder)) is None:
            return None
        settings = Settings(root=tree, build=None)
    place = place_of(settings, experiments)
    held = place.single == experiment if place.single is not None else (place.folder / experiment).is_dir()
    if not held or not (place.folder / experiment / "experiment.py").is_file():
        return None
    return _read(text, size, tuple(cases), place)


def require_comparable(names: Sequence[str], rungs: Sequence[Rung | None]) -> None:
    """Raise Misuse unless all of what is compared are commands, or all are rungs of one experiment."""
    found = [rung for rung in rungs if rung is not None]
    if not found:
        return
    if len(found) < len(rungs):
        command = next(name for name, rung in zip(names, rungs, strict=True) if rung is None)
        raise Misuse(f"{found[0].name} is a rung and {command!r} is a command, expected one or the other")
    for one in found:
        if one.experiment != found[0].experiment:
            raise Misuse(f"{found[0].name} and {one.name} solve different problems, expected rungs of one experiment")


def set_parameters(rung: Rung, words: Sequence[str]) -> Rung:
    """Return a rung whose cases have parameters as words say, each NAME=VALUE. Raises Misuse."""
    from rooftop.parameters.values import number

    parameters: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier() or not value:
            raise Misuse(
                f"{word!r} stands after {rung.name}, expected a parameter of its cases such as n=8, and options before "
                "the rung"
            )
        if name in parameters:
            raise Misuse(f"{rung.name} is given {name!r} twice, expected one value")
        worth = number(value)
        parameters[name] = value if worth is None else worth
    return rung.on(parameters=parameters) if parameters else rung
