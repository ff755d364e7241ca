"""The measured machine: identity and conditions from the system, roofs from the probes or their cache."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rooftop
from rooftop.documents import Machine, ProbeDocument, Roof
from rooftop.errors import Misuse
from rooftop.launchers import of_this_tree
from rooftop.launchers.nodes import on_this_node
from rooftop.launchers.team import Team
from rooftop.machine import conditions, cores_now, identity
from rooftop.probe.cache import ProbeCache, ProbeRecord, cache_file, digest, load, record_key, save
from rooftop.probe.launch import Started, find_probes, probes_folder, run_probe
from rooftop.probe.lines import Figures, best
from rooftop.settings import Settings

# Time limits of a probe; on an idle machine each takes at most a third of its limit.
QUICK_LIMIT_S = 25.0
FULL_LIMIT_S = 90.0
BRIEF_LIMIT_S = 5.0
RANKS_FOLDER = "ranks"  # subfolder of probes that are MPI programs
QUICKEST_PROBES = ("core_clock", "core_to_core")  # 0.1 s together
BRIEF_PROBES = (*QUICKEST_PROBES, "fma_peak", "bandwidth")

Progress = Callable[[str, int, int], None]  # name of the probe, number of probes done, total number
Say = Callable[[str], None]


@dataclass(frozen=True)
class Question:
    """How a set of probes is run.

    folder   of the executables
    key      of their figures in the cache
    quick    whether to run shorter measurements
    threads  highest number of threads
    options  in addition to --quick and --threads
    detail   added to the detail of each figure
    by       launcher and environment
    """

    folder: Path
    key: str
    quick: bool
    threads: int
    options: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    by: Started | None = None


def silent(probe: str, done: int, total: int) -> None:
    """Do not show progress."""


def unsaid(message: str) -> None:
    """Discard the message."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Wait until no other process runs the probes: two at a time would disturb each other."""
    try:
        (home / "probe").mkdir(parents=True, exist_ok=True)
        descriptor = os.open(home / "probe" / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        yield  # nothing is shared in a home that cannot be written
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def of_ranks(asked: Question) -> Question | str:
    """Return how the probes with two ranks are run, or the reason why they are not."""
    folder, team, launcher = asked.folder / RANKS_FOLDER, on_this_node(Team(ranks=2)), of_this_tree()
    if not find_probes(folder):
        return "message: its probe needs an MPI library and was not built: see 'rooftop doctor'"
    if (reason := launcher.missing()) is not None:
        return f"message: {reason}"
    if team.crowded:
        return "message: its probe needs two cores, and only one is usable"
    launch = launcher.started((), {}, team, "close")
    return replace(asked, folder=folder, threads=team.workers, by=Started(launch.words, launch.environment))


def threads_of(asked: int | None, cores: int) -> int:
    """Return the number of threads to use: one per core by default, and at most that. Raises Misuse for less than 1."""
    if asked is not None and asked < 1:
        raise Misuse(f"the number of threads is {asked}, expected 1 to {cores}")
    return cores if asked is None else min(asked, cores)


def _record(executable: Path, asked: Question) -> ProbeRecord:
    options = [*asked.options, *(["--quick"] if asked.quick else []), "--threads", str(asked.threads)]
    figures = run_probe(executable, options, QUICK_LIMIT_S if asked.quick else FULL_LIMIT_S, asked.by)
    return ProbeRecord(
        executable=digest(executable),
        quick=asked.quick,
        threads=asked.threads,
        measured=_now(),
        roofs=best(detailed(figures.roofs, asked.detail)),
        missing=figures.missing,
        failed=figures.failed,
    )


def detailed(roofs: list[Roof], detail: Mapping[str, Any]) -> list[Roof]:
    """Return figures with `detail` added to theirs."""
    return [roof.model_copy(update={"detail": {**roof.detail, **detail}}) for roof in roofs] if detail else roofs


def answered(asked: Question, home: Path, refresh: bool, progress: Progress, say: Say) -> tuple[Figures, str, bool]:
    """Run the probes that are not cached. Return figures, time of the oldest, and whether all came from the cache."""
    executables = find_probes(asked.folder)
    if not executables:
        return (
            Figures(
                missing=[f"probes: none built in {asked.folder}: run 'make climb' in a checkout, or 'rooftop build'"]
            ),
            _now(),
            False,
        )
    file = cache_file(home, asked.key)
    total = len(executables)
    figures = Figures()
    with _alone(home):
        cache, complaint = load(file, asked.key)
        if complaint:
            say(complaint)
        measured: list[str] = []
        ran = False
        for done, executable in enumerate(executables):
            key = record_key(executable.name, asked.threads)
            known = cache.probes.get(key)
            if known is None or refresh or not known.answers(digest(executable), asked.quick, asked.threads):
                ran = True
                progress(executable.name, done, total)
                known = _record(executable, asked)
                probes = {**cache.probes, key: known}
                cache = ProbeCache(schema="rooftop/probe-cache/1", machine=asked.key, probes=probes)
                # Save after each probe, so that an interrupt loses nothing.
                if unwritten := save(file, cache):
                    figures.missing.append(f"probe cache: {unwritten}")
            measured.append(known.measured)
            figures.roofs += known.roofs
            figures.missing += known.missing
        progress("", total, total)
    figures.missing = list(dict.fromkeys(figures.missing))
    return figures, min(measured), not ran


def _look(quick: bool, threads: int | None, refresh: bool, progress: Progress, say: Say) -> tuple[Machine, str, bool]:
    settings = Settings()
    known = identity()
    asked = Question(probes_folder(settings.build_folder, "probes"), known.id, quick, threads_of(threads, known.cores))
    figures, measured, cached = answered(asked, settings.home_folder, refresh, progress, say)
    missing = [*known.missing, *figures.missing]
    if figures.roofs:  # without any, `missing` already says that no probe is built
        ranks = of_ranks(asked)
        if isinstance(ranks, str):
            missing.append(ranks)
        else:
            more, since, known_before = answered(ranks, settings.home_folder, refresh, progress, say)
            figures.roofs += more.roofs
            missing += more.missing
            measured, cached = min(measured, since), cached and known_before
    fields = known.fields()
    fields["missing"] = missing
    return Machine(**fields, roofs=best(figures.roofs), conditions=conditions()), measured, cached


def machine(
    quick: bool,
    threads: int | None = None,
    refresh: bool = False,
    progress: Progress = silent,
    say: Say = unsaid,
) -> Machine:
    """Return the machine with its measured roofs, from the cache where it has them.

    quick     run shorter measurements (under 25 s in total on an idle machine, instead of under 2 minutes)
    threads   highest number of threads, at most the number of usable cores; None: one per usable core
    refresh   measure even what is cached
    progress  called before each probe that runs
    say       called with a line for the user, such as that the cache is damaged

    A probe that crashes, hangs or prints garbage becomes a line in ``missing``. Raises Misuse for threads under 1.
    """
    return _look(quick, threads, refresh, progress, say)[0]


def remembered() -> Machine:
    """Return the machine with its cached roofs. Nothing is measured."""
    known = identity()
    cache, _ = load(cache_file(Settings().home_folder, known.id), known.id)
    fields = known.fields()
    fields["missing"] = [*known.missing, *(line for record in cache.probes.values() for line in record.missing)]
    return Machine(**fields, roofs=best(*(record.roofs for record in cache.probes.values())))


def probe_document(
    quick: bool,
    threads: int | None = None,
    refresh: bool = False,
    progress: Progress = silent,
    say: Say = unsaid,
) -> ProbeDocument:
    """Return `machine` as a document with the time of the oldest figure, and whether all came from the cache."""
    found, measured, cached = _look(quick, threads, refresh, progress, say)
    return ProbeDocument(
        schema="rooftop/probe/1",
        rooftop=rooftop.__version__,
        measured=measured,
        cached=cached,
        machine=found,
    )


def refresh_roofs(threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
    """Measure FMA peaks, clocks and bandwidths of all levels with 1 and ``threads`` threads, and core-to-core latency.

    Takes under 2 s. ``messages`` adds messages between two ranks (0.5 s); ``quickest`` measures only clocks and
    core-to-core latency. Failures are left out. For use during a campaign, to be merged with ``best``: memory speed
    drifts on shared hosts, and hypervisors move virtual CPUs.
    """
    asked = Question(probes_folder(Settings().build_folder, "probes"), "", True, threads_of(threads, cores_now()))
    probes = QUICKEST_PROBES if quickest else BRIEF_PROBES
    looked = [(asked, file) for file in find_probes(asked.folder) if file.name in probes]
    if messages and isinstance(ranks := of_ranks(asked), Question):
        looked += [(ranks, file) for file in find_probes(ranks.folder)]
    return best(
        *(
            run_probe(file, ["--brief", "--threads", str(one.threads)], BRIEF_LIMIT_S, one.by).roofs
            for one, file in looked
        )
    )
