"""Table of threads and CPUs for the terminal, for any number of CPUs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from rooftop.machine.processor import format_cpu_list
from rooftop.pin.document import PinDocument, ThreadFigures

_COLUMNS = 12  # for CPUs; with more, each row lists its CPUs
_ROWS = 40
_TOLD = 3  # CPUs listed in a row
_LEAST = 0.005  # smallest share that is shown


def _shade(share: float) -> str:
    return "bold" if share >= 0.9 else "" if share >= 0.1 else "dim"


def _cell(share: float) -> Text:
    if share < _LEAST:
        return Text("·", "dim")
    return Text(f"{share:.0%}", _shade(share))


def _columns(document: PinDocument, rows: Sequence[ThreadFigures]) -> list[list[int]]:
    """Return the CPUs of each column: one column per used CPU, and one per sequence of unused CPUs."""
    used = {cpu for row in rows for cpu, share in row.shares.items() if share >= _LEAST}
    columns: list[list[int]] = []
    for cpu in sorted(used | {one.cpu for one in document.cores}):
        if cpu not in used and columns and columns[-1][-1] not in used:
            columns[-1].append(cpu)
        else:
            columns.append([cpu])
    return columns


def _own(row: ThreadFigures) -> str:
    """Return the CPUs on which a thread ran most, with their shares."""
    shares = sorted(row.shares.items(), key=lambda one: -one[1])
    told = [f"{cpu}: {share:.0%}" for cpu, share in shares[:_TOLD] if share >= _LEAST]
    return ", ".join(told) + (f" and {len(shares) - _TOLD} more" if len(shares) > _TOLD else "")


def shown_rows(document: PinDocument) -> tuple[list[ThreadFigures], int]:
    """Return the busy threads to show, preferring those in findings, and the number of the others."""
    busy = [row for row in document.threads if row.busy]
    if len(busy) <= _ROWS:
        return busy, 0
    named = {tid for one in document.findings for tid in one.threads}
    chosen = sorted(range(len(busy)), key=lambda place: (busy[place].tid not in named, place))[:_ROWS]
    return [busy[place] for place in sorted(chosen)], len(busy) - _ROWS


def picture(document: PinDocument) -> Table:
    """Return the table: one row per busy thread, with the share of its running time on each CPU."""
    rows, left = shown_rows(document)
    columns = _columns(document, rows)
    apart = len(columns) <= _COLUMNS
    table = Table(title="share of each busy thread's running time, by CPU", title_justify="left", pad_edge=False)
    for name in ("rank", "thread"):
        table.add_column(name, justify="right")
    table.add_column("name", overflow="fold")
    table.add_column("allowed", overflow="fold")
    if apart:
        for cpus in columns:
            table.add_column(format_cpu_list(cpus), justify="right")
    else:
        table.add_column("ran on")
    table.add_column("moves/s", justify="right")
    table.add_column("waited", justify="right")
    for row in rows:
        where = [_cell(sum(row.shares.get(cpu, 0.0) for cpu in cpus)) for cpus in columns] if apart else [_own(row)]
        wanted = row.run_s + row.wait_s
        table.add_row(
            "" if row.rank is None else str(row.rank),
            str(row.tid),
            row.name,
            row.allowed,
            *where,
            f"{row.migrations_per_s:.3g}",
            f"{row.wait_s / wanted:.0%}" if wanted > 0 else "",
        )
    helpers = sum(not row.busy for row in document.threads)
    told = [f"{left} more busy threads are not shown"] if left else []
    told += [f"{helpers} thread{'' if helpers == 1 else 's'} hardly ran and {'is' if helpers == 1 else 'are'} left out"]
    table.caption = "; ".join(told) if left or helpers else None
    table.caption_justify = "left"
    return table
