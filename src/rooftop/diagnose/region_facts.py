"""What was seen of OpenMP's parallel regions: plain figures, by their place in the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

from rooftop.files.document import Document
from rooftop.observe import openmp
from rooftop.observe.addresses import Place
from rooftop.observe.openmp import Figures, Regions, Site

_MOST = 20  # places that are kept: those at which most time is spent
_SCHEDULES = (openmp.RUNTIME, openmp.DYNAMIC, openmp.GUIDED, openmp.STATIC)

Finder = Callable[[str, Sequence[int]], Sequence[Place]]


class OpenMpRegion(Document):
    """The regions of several threads at one place that are in no other region; seconds are those of one rank.

    threads      on average
    seconds      from begin to end
    most_s       in the body, by the thread that was longest in it
    mean_s       in the body, by the mean thread
    barriers     within the body, of the mean thread
    barrier_s    waiting at them, the mean thread
    locks        critical sections and locks that were entered, by the mean thread
    lock_s       waiting for them, the mean thread
    schedule     of its loops: runtime, dynamic, guided or static; none: static where gcc compiled it, or no loop
    chunk        of its loops, where it is known
    single       whether a part is for one thread
    tasks        whether it makes tasks: then waiting and working are not told apart
    """

    site: str
    calls: int
    threads: float
    seconds: float
    most_s: float
    mean_s: float
    barriers: float = 0.0
    barrier_s: float = 0.0
    locks: float = 0.0
    lock_s: float = 0.0
    schedule: str | None = None
    chunk: int | None = None
    sections: bool = False
    single: bool = False
    tasks: bool = False


class OpenMpFacts(Document):
    """The regions of a run, the longest first, and how long it took."""

    elapsed_s: float
    regions: list[OpenMpRegion]


def _label(site: Site, place: Place) -> str:
    """Return how a place is called: by its function and line, or by its address."""
    file = PurePath(site.file).name
    name = str(place)
    if not name:
        return f"{file}+{site.offset:#x}"
    return f"{name} of {file}" if ".so" in file else name


def _region(site: str, figures: Figures, ranks: int) -> OpenMpRegion:
    # Figures are of all regions of the place: those of one thread, or within others, are taken out by their time.
    outer = figures.outer_wall_ns / max(1, figures.wall_ns)
    each_s = 1e-9 * outer / ranks
    threads = figures.threads / max(1, figures.calls)
    return OpenMpRegion(
        site=site,
        calls=figures.outer_calls // ranks,
        threads=threads,
        seconds=figures.wall_ns * each_s,
        most_s=figures.most_ns * each_s,
        mean_s=figures.mean_ns * each_s,
        barriers=figures.barriers / threads * outer / ranks,
        barrier_s=figures.barrier_ns / threads * each_s,
        locks=figures.locks / threads * outer / ranks,
        lock_s=figures.lock_ns / threads * each_s,
        schedule=next((one for one in _SCHEDULES if figures.has(one)), None),
        chunk=figures.chunk or None,
        sections=figures.has(openmp.SECTIONS),
        single=figures.has(openmp.SINGLE),
        tasks=figures.has(openmp.TASKS),
    )


def openmp_facts(regions: Regions, ranks: int, elapsed_s: float, find: Finder) -> OpenMpFacts:
    """Return what the regions of all processes tell.

    ranks  whose processes ran at the same time; others are taken for having run one after the other
    find   tells the places of addresses of a file
    """
    outer = {site: figures for site, figures in regions.of.items() if figures.outer_calls}
    named: dict[str, Figures] = {}
    for file in dict.fromkeys(site.file for site in outer):
        sites = [site for site in outer if site.file == file]
        for site, place in zip(sites, find(file, [site.offset for site in sites]), strict=True):
            label = _label(site, place)
            named[label] = named.get(label, Figures()) + outer[site]
    found = [_region(label, figures, max(1, ranks)) for label, figures in named.items()]
    return OpenMpFacts(elapsed_s=elapsed_s, regions=sorted(found, key=lambda one: -one.seconds)[:_MOST])
