"""The page's table of OpenMP's parallel regions: where threads work, and where they wait for each other."""

from __future__ import annotations

from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.region_facts import OpenMpRegion
from rooftop.report.figure_page import Cell, Part, Table
from rooftop.text.quantities import number, seconds

_COLUMNS = (
    "region",
    "times",
    "threads",
    "begin to end",
    "work of a thread",
    "waiting for the slowest",
    "starting and joining",
    "waiting for locks",
    "schedule",
)


def _schedule(region: OpenMpRegion) -> str:
    chunk = f", {region.chunk}" if region.chunk else ""
    told = [f"{region.schedule}{chunk}"] if region.schedule is not None else []
    parts = {"sections": region.sections, "single": region.single, "tasks": region.tasks}
    return "; ".join([*told, *(name for name, used in parts.items() if used)]) or "–"


def _waited(region: OpenMpRegion) -> list[Cell]:
    """Return what threads wait for; of regions with tasks, which threads carry out while they wait, locks alone."""
    known = Cell("not known"), Cell("not known")
    if not region.tasks:
        waits = region.imbalance_s, region.overhead_s
        known = Cell(seconds(waits[0]), waits[0]), Cell(seconds(waits[1]), waits[1])
    return [*known, Cell(seconds(region.lock_s), region.lock_s)]


def region_table(document: DiagnoseDocument) -> list[Part]:
    """Return the regions that were seen; nothing where there were none."""
    told = document.facts.openmp_regions
    if told is None or not told.regions:
        return []
    rows = [
        [
            Cell(one.site),
            Cell(f"{one.calls:,}", float(one.calls)),
            Cell(number(one.threads), one.threads),
            Cell(seconds(one.seconds), one.seconds),
            Cell(seconds(one.work_s), one.work_s),
            *_waited(one),
            Cell(_schedule(one)),
        ]
        for one in sorted(told.regions, key=lambda one: -one.seconds)
    ]
    listed_s = sum(one.seconds for one in told.regions)
    note = f"Of a run of {seconds(told.elapsed_s)}, {seconds(told.inside_s)} of it in parallel regions."
    if told.inside_s - listed_s > 0.01 * told.elapsed_s:
        note += f" {seconds(told.inside_s - listed_s)} are in regions that are not listed."
    return [Table("OpenMP regions", _COLUMNS, rows, frozenset(range(1, 8)), note)]
