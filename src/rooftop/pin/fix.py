"""Make command lines that put every thread on its own core, one for each launcher."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rooftop.launchers import launcher_of, launchers
from rooftop.launchers.launcher import Launch
from rooftop.launchers.team import Team, openmp
from rooftop.machine.processor import format_cpu_list
from rooftop.observe.threads import Ground
from rooftop.pin.bound_within import bound_within
from rooftop.pin.findings import Placement
from rooftop.pin.launched import Launched, Unclear, taken_apart, without_passed

_PEAK = 0.05  # of the busy time: threads busy at once for at least this share get cores


@dataclass(frozen=True)
class Fix:
    """How to start the command instead. `lines` maps each launcher's name, or "openmp", to its line."""

    launch: Launch
    lines: Mapping[str, str]
    team: Team


class NoFix(Exception):
    """There is no fix; the text gives the reason."""


def _seen_launcher(ground: Ground) -> str | None:
    return next((story.facts.starter for story in ground.scene.stories if story.facts.starter is not None), None)


def _capacity(ground: Ground) -> int:
    """Return the number of busy threads that the CPUs and the control group can run."""
    paid = len(ground.cpus) if ground.quota is None else int(ground.quota + 1e-9)
    return max(1, min(len(ground.cpus), paid))


def _bind(ground: Ground, threads: int) -> str:
    """Return the binding: "spread" if there are several NUMA nodes and spare cores, since each node adds bandwidth."""
    return "spread" if ground.places.nodes > 1 and threads < ground.places.cores else "close"


def _without(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Remove what conflicts with the fix: a leading taskset(1), and variables that a leading env(1) sets."""
    name = Path(words[0]).name if words else ""
    if name == "taskset" and len(words) > 2:
        taken = 3 if words[1] in {"-c", "--cpu-list"} else 2
        return _without(words[taken:], names) if taken == 3 or not words[1].startswith("-") else tuple(words)
    if name != "env":
        return tuple(words)
    end = 1
    while end < len(words) and "=" in words[end] and not words[end].startswith("-"):
        end += 1
    return (words[0], *(word for word in words[1:end] if word.partition("=")[0] not in names), *words[end:])


def _require_free(program: Sequence[str]) -> None:
    """Raise NoFix if the command itself binds the program, which overrides any binding set outside."""
    if (name := bound_within(program)) is not None:
        raise NoFix(
            f"the command binds itself by {name}, which overrides any binding set outside: remove it from the "
            "command or its script, and try again"
        )


def _require_room(ground: Ground, what: str, count: int) -> None:
    """Raise NoFix if there are fewer cores than busy processes or threads."""
    if count > (capacity := min(_capacity(ground), ground.places.cores)):
        cores = "one core" if capacity == 1 else f"{capacity} cores"
        raise NoFix(f"{count} busy {what} for {cores}: binding does not help; use fewer {what} or more cores")


def _plain(ground: Ground, words: Sequence[str]) -> Fix:
    """Return the fix of an OpenMP program that no launcher starts. Raises NoFix."""
    busy = ground.scene.busy
    processes = ground.scene.processes(_PEAK)
    if processes > 1:
        _require_room(ground, "processes", processes)
        raise NoFix(
            f"{processes} busy processes at once, none of them an MPI rank: OpenMP's variables would bind all of them "
            "to the same cores; start each with taskset -c on its own core"
        )
    wanted = ground.scene.level(lasting=_PEAK)
    if not any(story.facts.openmp for story in busy):
        _require_room(ground, "threads", wanted)
        raise NoFix(
            "the program has no OpenMP library, so its threads cannot be bound from outside: bind them within the "
            "program (pthread_setaffinity_np), or all together with taskset -c " + format_cpu_list(ground.cpus)
        )
    capacity = _capacity(ground)
    threads = min(wanted, capacity)
    # The number of threads is set only if there are too many: the program may use more at times not observed.
    variables = openmp(threads if wanted > capacity else None, _bind(ground, threads))
    if threads > ground.places.cores:
        variables["OMP_PLACES"] = "threads"
    program = _without(words, variables)
    _require_free(program)
    if tuple(words) == program and all(os.environ.get(name) == value for name, value in variables.items()):
        raise NoFix("the command already binds its threads in the best known way")
    launch = Launch(program, variables)
    return Fix(launch, {"openmp": launch.line}, Team(threads=threads))


def _of_ranks(ground: Ground, launched: Launched) -> Fix:
    """Return the fix of a launched program. Raises NoFix."""
    busy = ground.scene.busy
    seen = {story.facts.rank for story in ground.scene.stories if story.facts.rank is not None}
    ranks = launched.ranks or len(seen)
    if len(seen) < ranks:
        raise NoFix(f"{len(seen)} of {ranks} ranks were seen on this machine: nothing is known about the others")
    rows = {rank: np.array([story.facts.rank == rank for story in busy]) for rank in seen}
    threads = max([1, *(ground.scene.level(chosen, _PEAK) for chosen in rows.values())])
    capacity = _capacity(ground)
    if ranks * threads > capacity:
        if ranks > capacity or not any(story.facts.openmp for story in busy):
            raise NoFix(
                f"{ranks} ranks of {threads} busy thread{'' if threads == 1 else 's'} for {capacity} "
                f"core{'' if capacity == 1 else 's'}: binding does not help; use fewer ranks or threads"
            )
        threads = capacity // ranks
    if ranks * threads > ground.places.cores:
        raise NoFix(
            f"{ranks} ranks of {threads} busy thread{'' if threads == 1 else 's'} share {ground.places.cores} cores as "
            "hardware threads, but the lines made here request whole cores: use at most one thread per core"
        )
    bind = _bind(ground, ranks * threads)
    threaded = threads > 1 or any(story.facts.openmp for story in busy)
    variables = openmp(threads, bind) if threaded else {}
    program = _without(launched.program, variables)
    _require_free(program)
    team = Team(ranks=ranks, threads=threads)
    own = launched.launcher.started(program, variables, team, bind)
    kept = without_passed(launched.launcher, launched.kept, variables)
    own = replace(own, words=(launched.head, *kept, *own.words[1:]))
    lines = {one.name: one.started(program, variables, team, bind).line for one in launchers()}
    return Fix(own, lines | {launched.launcher.name: own.line}, team)


def fix(ground: Ground, words: Sequence[str], found: Sequence[Placement]) -> Fix:
    """Return how to start the command so that the problems found are fixed. Raises NoFix."""
    if not found:
        raise NoFix("no problem was found that binding would fix")
    if not ground.scene.busy:
        raise NoFix("no busy thread was seen")
    launcher = launcher_of(words[0], _seen_launcher(ground))
    if launcher is None:
        return _plain(ground, words)
    try:
        made = _of_ranks(ground, taken_apart(words, launcher))
    except Unclear as reason:
        raise NoFix(f"the launcher's command line cannot be parsed: {reason}") from None
    if tuple(words) == made.launch.words:
        raise NoFix("the command already binds its ranks in the best known way")
    return made
