"""Campaigns in jobs of a real Slurm that are disturbed at random instants, and what a thousand jobs cost the bench."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, machine, table, write_page
from benchmarks.jobs.costs import Costs, costs
from benchmarks.jobs.disturbances import KINDS, Cluster, cluster_lines
from benchmarks.jobs.disturbed import Found, Instants, keep_wrong, load
from benchmarks.jobs.runs_record import RECORD, Record, keep_costs, keep_run, read_record

PAGE = RESULTS / "jobs.md"
NODES = 8
INSTANTS = 50
_NONE = (
    "A job that ends before its campaign has begun leaves none. A controller of Slurm that is killed forgets the jobs "
    "of its last five seconds, and ends them: 'rooftop collect' says that it does not know them any more"
)


def instants_table(found: list[Found]) -> str:
    """Return what came of all kinds."""
    head = ["disturbed by", "instants", "started again", "resumed", "campaigns", "finished", "samples", "lost", "twice"]
    head += ["second campaigns", "processes left", "files left", "jobs forgotten by Slurm"]
    rows = [
        [
            *(one.kind, one.instants, one.again, one.resumed, one.campaigns, one.finished, one.samples),
            *(one.lost, one.twice, one.second, one.orphans, len(one.files), one.forgotten),
        ]
        for one in found
    ]
    return table(head, rows)


def lines(found: list[Found], cost: Costs | None) -> list[Asked]:
    """Return what was asked beside what was reached."""
    summed = {
        "finished samples lost": [one.lost for one in found],
        "samples there twice": [one.twice for one in found],
        "second campaigns of a job": [one.second for one in found],
        "campaigns not finished": [one.campaigns - one.finished for one in found],
        "processes left": [one.orphans for one in found],
        "files left": [len(one.files) for one in found],
        "anything else that is wrong": [len(one.wrong) for one in found],
    }
    none = [Asked(what, "none", str(sum(values)), not any(values)) for what, values in summed.items() if found]
    fewest = min((one.instants for one in found), default=0)
    enough = [Asked("instants of each kind", f"at least {INSTANTS}", str(fewest), fewest >= INSTANTS)] if found else []
    return [*enough, *none, *(cost.lines if cost is not None else [])]


def parts(record: Record) -> list[str]:
    """Return the parts of the page."""
    found, cost = record.added_up(), record.costs
    days = sorted({run.day for run in record.runs})
    wrong = [f"- {one.kind}: {text!r}" for one in found for text in (*one.files, *one.wrong)]
    over = f"{days[0]} to {days[-1]}" if days[:1] != days[-1:] else "".join(days[:1])
    return [
        asked_table(lines(found, cost)),
        f"Instants of all runs, {over}. {_NONE}:" if found else "",
        instants_table(found) if found else "",
        "Not as it must be:\n\n" + "\n".join(wrong) if wrong else "",
    ]


@contextmanager
def cluster_of(folder: Path, seed: int) -> Iterator[Cluster]:
    """Run a cluster of this host."""
    sys.path.append(str(ROOT / "tests" / "fakes"))  # the cluster of the tests
    from small_cluster import small_cluster

    with small_cluster(folder / "cluster", NODES, cluster_lines(NODES)) as conf:
        cluster = Cluster(conf, random.Random(seed))
        try:
            yield cluster
        finally:
            cluster.stop()


def disturbed(
    cluster: Cluster, names: list[str], count: int, seed: int, at_once: int, start_s: float, folder: Path
) -> Iterator[Found]:
    """Disturb jobs until each kind has its number of instants."""
    for number, name in enumerate(names):
        began_s = time.monotonic()
        instants = Instants(name, cluster, folder / f"kind{number}", random.Random(seed + number), at_once)
        one = instants.measure(count, KINDS[name], start_s)
        print(f"{one}, {time.monotonic() - began_s:.0f} s", flush=True)
        yield one


def main(
    count: Annotated[int, typer.Option(min=1, help="Most jobs of each kind of disturbance.")] = INSTANTS,
    only: Annotated[list[str] | None, typer.Option(help="Only this kind; may be repeated.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the instants; default: another for each run.")] = None,
    at_once: Annotated[int, typer.Option(min=1, max=NODES, help="Jobs that run at a time.")] = NODES,
    start_s: Annotated[float, typer.Option(help="Seconds that a job takes besides its runs.")] = 4.0,
    keep: Annotated[Path | None, typer.Option(help="Keep the homes of kinds that were not right here.")] = None,
    submitted: Annotated[int, typer.Option(min=0, help="Jobs whose cost is measured; 0: none.")] = 1000,
    kept: Annotated[Path, typer.Option("--record", help="Where the runs are kept that the page adds up.")] = RECORD,
    to: PageOption = PAGE,
) -> int:
    """Disturb jobs until each kind has had its instants in all runs together, count, and write docs/results/jobs.md.

    Exit code 1 where something is not as it must be.
    """
    if unknown := sorted(set(only or ()) - set(KINDS)):
        raise typer.BadParameter(f"--only is {unknown[0]!r}, expected one of {', '.join(KINDS)}")
    record = read_record(kept)
    names = only or [name for name in KINDS if record.instants(name) < INSTANTS]
    seed = 1000 * len(record.runs) + 1 if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="rooftop-jobs-") as name, cluster_of(Path(name), seed) as cluster:
        folder = Path(name)
        if submitted:
            keep_costs(costs(cluster, folder / "costs", submitted), kept)
        for one in disturbed(cluster, names, count, seed, at_once, start_s, folder):
            keep_wrong(one, folder, keep)
            keep_run(one, machine(), kept)
    record = read_record(kept)
    found = record.added_up()
    write_page(to, "Campaigns in jobs: asked and reached", "jobs", *parts(record), on=f"{machine()}, {load()}")
    met = all(one.met is not False for one in lines(found, record.costs))
    return 0 if met and all(one.right for one in found) else 1
