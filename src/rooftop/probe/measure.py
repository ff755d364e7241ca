"""The machine as measured: identity and conditions from the system, roofs from the probes or from their cache."""

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
from rooftop.launchers.team import Team
from rooftop.machine import conditions, cores_now, identity
from rooftop.probe.cache import ProbeCache, ProbeRecord, cache_file, digest, load, record_key, save
from rooftop.probe.launch import Started, find_probes, run_probe
from rooftop.probe.lines import Figures, best
from rooftop.settings import Settings

# A hang costs this much once per probe; on an idle machine every probe takes a third of it or less.
QUICK_LIMIT_S = 25.0
FULL_LIMIT_S = 90.0
BRIEF_LIMIT_S = 5.0
RANKS_FOLDER = "ranks"  # below that of the other probes: MPI programs
QUICKEST_PROBES = ("core_clock", "core_to_core")  # together a tenth of a second
BRIEF_PROBES = (*QUICKEST_PROBES, "fma_peak", "bandwidth")

Progress = Callable[[str, int, int], None]  # what is being measured, how many are done, of how many
Say = Callable[[str], None]


@dataclass(frozen=True)
class Question:
    """What probes are run for.

    folder   of their executables
    key      under which their figures are kept
    quick    shorter probes
    threads  what "all" means
    options  beside --quick and --threads
    detail   is added to each figure's
    by       what they are started by
    """

    folder: Path
    key: str
    quick: bool
    threads: int
    options: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    by: Started | None = None


def silent(probe: str, done: int, total: int) -> None:
    """Show no progress."""


def unsaid(message: str) -> None:
    """Print nothing."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextlib.contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Wait for another run of the probes on this machine: two at a time would measure each other."""
    try:
        (home / "probe").mkdir(parents=True, exist_ok=True)
        descriptor = os.open(home / "probe" / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        yield  # a home that cannot be written: nothing is shared there
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def of_ranks(asked: Question) -> Question | str:
    """Return what the probes of two ranks are run for, or the line that says why they are not."""
    folder, team, launcher = asked.folder / RANKS_FOLDER, Team(ranks=2), of_this_tree()
    if not find_probes(folder):
        return "message: its probe needs an MPI library and is not built: see rooftop doctor"
    if (reason := launcher.missing()) is not None:
        return f"message: {reason}"
    if team.crowded:
        return "message: needs two cores, and one is usable"
    launch = launcher.started((), {}, team, "close")
    return replace(asked, folder=folder, threads=team.workers, by=Started(launch.words, launch.environment))


def threads_of(asked: int | None, cores: int) -> int:
    """Return how many threads are meant: all by default, and no more than there are. Raises Misuse."""
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
    """Return figures with more that tells what they are about."""
    return [roof.model_copy(update={"detail": {**roof.detail, **detail}}) for roof in roofs] if detail else roofs


def answered(asked: Question, home: Path, refresh: bool, progress: Progress, say: Say) -> tuple[Figures, str, bool]:
    """Run what the cache does not answer; return the figures, when the oldest was measured, and whether none ran."""
    executables = find_probes(asked.folder)
    if not executables:
        return (
            Figures(missing=[f"probes: none built in {asked.folder}: run 'make climb', or build the release preset"]),
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
                # After each probe, so that an interrupted run is not lost.
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
    asked = Question(settings.build_folder / "probes", known.id, quick, threads_of(threads, known.cores))
    figures, measured, cached = answered(asked, settings.home_folder, refresh, progress, say)
    missing = [*known.missing, *figures.missing]
    if figures.roofs:  # without any, one line says that no probe is built
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
    """Return the machine as measured, from the cache as far as it answers.

    quick     shorter probes (under 25 s in all on an idle machine) instead of thorough ones (under 2 minutes)
    threads   what "all cores" means: all usable ones by default; more than there are is as many as there are
    refresh   measure everything anew
    progress  called before each probe that runs
    say       called with a line for the user, such as that a damaged cache is measured anew

    A probe that crashes, hangs or prints garbage becomes a line in ``missing``. Raises Misuse for threads under 1.
    """
    return _look(quick, threads, refresh, progress, say)[0]


def remembered() -> Machine:
    """Return the machine with what the probes' cache knows of it, and measure nothing."""
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
    """Return the same as a document that tells when the oldest figure was measured and whether any probe ran."""
    found, measured, cached = _look(quick, threads, refresh, progress, say)
    return ProbeDocument(
        schema="rooftop/probe/1",
        rooftop=rooftop.__version__,
        measured=measured,
        cached=cached,
        machine=found,
    )


def refresh_roofs(threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
    """Measure FMA peaks, clocks, read and copy bandwidth of every level at one and at ``threads`` threads, and how far
    neighbouring processors are from each other: under 2 seconds. With ``messages``, what those between two ranks take,
    too: half a second. With ``quickest``, clocks and distances alone.

    For use within a campaign, to be merged by ``best``: a host's memory speed drifts, and a hypervisor moves
    processors. What fails is left out.
    """
    asked = Question(Settings().build_folder / "probes", "", True, threads_of(threads, cores_now()))
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
