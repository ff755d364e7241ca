"""How near the best tours of TSPLIB's problems the solver comes, and others beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.tours.tour_files import Files
from benchmarks.tours.tour_instances import (
    BY_NAME,
    INSTANCES,
    PEERS,
    SAME_ANTS,
    SAME_OF,
    SAME_THREADS,
    TIME_S,
    Instance,
    Peer,
)
from benchmarks.tours.tour_page import page
from benchmarks.tours.tour_runs import ROOT, Here, build, lacking, measured
from benchmarks.tours.tour_samples import OURS, Run, Sample, Samples
from rooftop.errors import RooftopError
from rooftop.files.atomic import write_whole
from rooftop.text.durations import parse_budget

PAGE = ROOT / "docs" / "results" / "tours.md"
KEPT = ROOT / ".rooftop" / "tours"
THREADS = 2


def planned(instances: Sequence[Instance], seeds: int, time_s: float | None) -> Iterator[Run]:
    """Yield the solver's runs: all problems with a seed before the next seed, so that drift spreads over all."""
    for seed in range(1, seeds + 1):
        for one in instances:
            for limit_s in [asked_s for asked_s, _ in one.gaps] if time_s is None else [time_s]:
                yield Run(solver=OURS, instance=one.name, seed=seed, time_s=limit_s, threads=THREADS)
            if one.name == SAME_OF:
                for threads in SAME_THREADS:
                    yield Run(solver=OURS, instance=one.name, seed=seed, time_s=0, threads=threads, ants=SAME_ANTS)


def peers_planned(
    instances: Sequence[Instance], peers: Sequence[Peer], seeds: int, time_s: float | None
) -> Iterator[Run]:
    """Yield the peers' runs, in the same order."""
    limit_s = TIME_S if time_s is None else time_s
    for seed in range(1, seeds + 1):
        for one in instances:
            for peer in peers:
                if one.cities <= peer.most_cities:
                    yield Run(solver=peer.name, instance=one.name, seed=seed, time_s=limit_s, threads=THREADS)


def told(sample: Sample) -> str:
    """Return a sample on a line."""
    run = sample.run
    what = f"{run.ants} ants" if run.ants else f"{run.time_s:g} s"
    line = f"{run.solver} {run.instance} seed {run.seed}, {what}, {run.threads} threads: "
    if sample.length is None:
        return f"{line}{sample.outcome}, {sample.reason}"
    gap = sample.length / BY_NAME[run.instance].optimum - 1
    return f"{line}{sample.length} ({gap:.3%}) in {sample.wall_s:.2f} s"


def measure(samples: Samples, runs: Sequence[Run], files: Files) -> None:
    """Measure what has not been measured."""
    left = samples.missing(runs)
    if any(run.solver == OURS for run in left):
        samples.check_build(build())
    paths = files.paths(run.instance for run in left)
    here = Here.now()
    for number, run in enumerate(left, start=1):
        sample = measured(run, paths[run.instance], here)
        samples.append(sample)
        print(f"{number}/{len(left)} {told(sample)}", file=sys.stderr)


def main(
    only: Annotated[list[str] | None, typer.Option("--only", help="Only this problem; may be repeated.")] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="Of the solver; 0: the peers alone.")] = 10,
    peer_seeds: Annotated[int, typer.Option("--peer-seeds", min=0, help="Of each peer; 0: no peers.")] = 2,
    time: Annotated[str | None, typer.Option("--time", help="For each run, instead of the times asked for.")] = None,
    data: Annotated[Path | None, typer.Option("--data", help="A folder with TSPLIB's files.")] = None,
    kept: Annotated[Path, typer.Option("--samples", help="Where samples are kept.")] = KEPT / "samples.jsonl",
    fetch: Annotated[bool, typer.Option("--fetch", help="Get the problems' files, measure nothing.")] = False,
    page_only: Annotated[
        bool, typer.Option("--page", help="Write the page from the samples, measure nothing.")
    ] = False,
    to: Annotated[Path, typer.Option("--to", help="Where the page goes.")] = PAGE,
) -> None:
    """Measure what the samples lack, and write the page."""
    by_name = {one.name.lower(): one for one in INSTANCES}
    if unknown := [name for name in only or [] if name.lower() not in by_name]:
        sys.exit(f"tours: --only is {unknown[0]}, expected one of {', '.join(one.name for one in INSTANCES)}")
    instances = [one for one in INSTANCES if not only or one.name.lower() in {name.lower() for name in only}]
    os.environ.setdefault("ROOFTOP_ROOT", str(ROOT))
    if fetch:
        Files(data, KEPT / "tsplib").paths(one.name for one in instances)
        return
    samples = Samples(kept)
    try:
        if not page_only:
            time_s = None if time is None else parse_budget(time, "--time")
            runs = list(planned(instances, seeds, time_s))
            absent = {peer: lacking(peer) for peer in PEERS} if peer_seeds else {}
            for line in filter(None, absent.values()):
                print(line, file=sys.stderr)
            here = [peer for peer, line in absent.items() if line is None]
            runs += peers_planned(instances, here, peer_seeds, time_s)
            measure(samples, runs, Files(data, KEPT / "tsplib"))
    except RooftopError as error:
        sys.exit(f"tours: {error}")
    if not samples.all:
        sys.exit(f"tours: {kept} holds no samples: there is nothing to tell")
    write_whole(to, page(samples.all))
