"""What was seen of OpenMP's parallel regions: plain figures, by their place in the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath

from rooftop.diagnose.simultaneous import shares
from rooftop.files.document import Document
from rooftop.observe import openmp
from rooftop.observe.addresses import Place
from rooftop.observe.openmp import Figures, Regions, Site

_MOST = 20  # places that are listed: those at which most time is spent
_TINY_S = 20e-6  # of work between two waits of a thread: starting and joining threads takes some microseconds
_SCHEDULES = (openmp.RUNTIME, openmp.DYNAMIC, openmp.GUIDED, openmp.STATIC)

Finder = Callable[[str, Sequence[int]], Sequence[Place]]


class OpenMpRegion(Document):
    """The regions of several threads at one place that are in no other region.

    Of processes that run at the same time, such as ranks, figures are those of the mean one.

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

    @property
    def work_s(self) -> float:
        """The seconds that the mean thread works."""
        return max(0.0, self.mean_s - self.barrier_s)

    @property
    def is_tiny(self) -> bool:
        """Whether there is so little work between two waits that threads are late for no other reason."""
        return self.work_s < _TINY_S * (self.calls + self.barriers)

    @property
    def imbalance_s(self) -> float:
        """The seconds by which the region would be shorter if all threads worked alike."""
        return 0.0 if self.is_tiny else max(0.0, self.most_s - self.mean_s) + self.barrier_s

    @property
    def overhead_s(self) -> float:
        """The seconds that go to starting threads and to joining them."""
        return max(0.0, self.seconds - (self.work_s if self.is_tiny else self.most_s))


class OpenMpFacts(Document):
    """The regions of a run.

    elapsed_s    that the run took
    span_s       from the begin of the first region to the end of the last; None: not known
    regions      the longest, and those in which most time is lost
    inside_s     in all regions, those that are not listed too; tasks_s: in those with tasks
    lock_s       of all regions, waiting for locks
    imbalance_s  of all regions without tasks; overhead_s too
    """

    elapsed_s: float
    regions: list[OpenMpRegion]
    inside_s: float
    tasks_s: float
    lock_s: float
    imbalance_s: float
    overhead_s: float
    span_s: float | None = None

    @classmethod
    def of(cls, elapsed_s: float, regions: Iterable[OpenMpRegion], span_s: float | None = None) -> OpenMpFacts:
        """Return the facts of all regions, of which only some are listed."""
        longest = sorted(regions, key=lambda one: -one.seconds)
        known = [one for one in longest if not one.tasks]
        worst = [max(longest, key=lambda one: one.lock_s)] if longest else []
        if known:
            worst += [max(known, key=lambda one: one.imbalance_s), max(known, key=lambda one: one.overhead_s)]
        return cls(
            elapsed_s=elapsed_s,
            span_s=span_s,
            regions=[one for place, one in enumerate(longest) if place < _MOST or one in worst],
            inside_s=sum(one.seconds for one in longest),
            tasks_s=sum(one.seconds for one in longest if one.tasks),
            lock_s=sum(one.lock_s for one in longest),
            imbalance_s=sum(one.imbalance_s for one in known),
            overhead_s=sum(one.overhead_s for one in known),
        )


def _label(site: Site, place: Place, region: int | None) -> str:
    """Return how a place is called: by its function and line, or by its address.

    region  which one of its function it is, where that has several whose lines are not known
    """
    file = PurePath(site.file).name
    name = str(place) or f"{file}+{site.offset:#x}"
    if region is not None:
        name += f", region {region}"
    return f"{name} of {file}" if str(place) and ".so" in file else name


def _sites_by_label(sites: Iterable[Site], find: Finder) -> dict[str, list[Site]]:
    """Return the sites of each place. Without lines, regions of one function are told apart."""
    by_file: dict[str, list[Site]] = {}
    for site in sites:
        by_file.setdefault(site.file, []).append(site)
    named: dict[str, list[tuple[int, Site, Place]]] = {}
    for file, of_file in by_file.items():
        for site, place in zip(of_file, find(file, [site.offset for site in of_file]), strict=True):
            named.setdefault(_label(site, place, None), []).append((place.body, site, place))
    labels: dict[str, list[Site]] = {}
    for label, found in named.items():
        if len(found) == 1 or found[0][2].line:
            labels[label] = [site for _, site, _ in found]
        else:
            in_order = enumerate(sorted(found, key=lambda one: one[:2]), start=1)
            labels |= {_label(site, place, number): [site] for number, (_, site, place) in in_order}
    return labels


def _region(label: str, figures: Figures, share: float) -> OpenMpRegion:
    # Figures are of all regions of the place: those of one thread, or within others, are taken out by their time.
    outer = figures.outer_wall_ns / max(1, figures.wall_ns)
    each_s = 1e-9 * outer * share
    threads = figures.threads / max(1, figures.calls)
    return OpenMpRegion(
        site=label,
        calls=max(1, round(figures.outer_calls * share)),
        threads=threads,
        seconds=figures.wall_ns * each_s,
        most_s=figures.most_ns * each_s,
        mean_s=figures.mean_ns * each_s,
        barriers=figures.barriers / threads * outer * share,
        barrier_s=figures.barrier_ns / threads * each_s,
        locks=figures.locks / threads * outer * share,
        lock_s=figures.lock_ns / threads * each_s,
        schedule=next((one for one in _SCHEDULES if figures.has(one)), None),
        chunk=figures.chunk or None,
        sections=figures.has(openmp.SECTIONS),
        single=figures.has(openmp.SINGLE),
        tasks=figures.has(openmp.TASKS),
    )


def openmp_facts(processes: Sequence[Regions], elapsed_s: float, find: Finder) -> OpenMpFacts:
    """Return what the regions of all processes tell.

    find  tells the places of addresses of a file
    """
    whole = openmp.total(processes)
    outer = {site: figures for site, figures in whole.of.items() if figures.outer_calls}
    each = zip(processes, shares([(one.began_ns, one.ended_ns) for one in processes]), strict=True)
    own_ns = dict.fromkeys(outer, 0.0)  # each process's by its share
    for process, share in each:
        for site, figures in process.of.items():
            if site in outer:
                own_ns[site] += figures.outer_wall_ns * share
    found = []
    for label, sites in _sites_by_label(outer, find).items():
        figures = sum((outer[site] for site in sites), Figures())
        share = sum(own_ns[site] for site in sites) / max(1, figures.outer_wall_ns)
        found.append(_region(label, figures, share))
    return OpenMpFacts.of(elapsed_s, found, 1e-9 * (whole.ended_ns - whole.began_ns) if whole.ended_ns else None)
