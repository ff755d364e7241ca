"""The machine's figures as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from rich.table import Table

from rooftop.documents import Machine, Roof
from rooftop.machine.processor import ISAS
from rooftop.probe.library_check import library_shares
from rooftop.text.quantities import ABSENT, percent, quantity, size

_LEVELS = ("L1", "L2", "L3", "L4", "memory")
_BANDWIDTHS = ("read", "write", "copy", "triad", "write_nontemporal", "copy_nontemporal")


def _teams(roofs: list[Roof]) -> list[int]:
    return sorted({roof.threads for roof in roofs})


def _value(roofs: list[Roof], **wanted: object) -> str:
    for roof in roofs:
        if all(getattr(roof, name) == value for name, value in wanted.items()):
            return quantity(roof.value, roof.unit)
    return ABSENT


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _cores(threads: int) -> str:
    return "1 core" if threads == 1 else f"{threads} cores"


def _table(title: str, first: str, columns: list[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _compute(roofs: list[Roof]) -> Table | None:
    peaks = [roof for roof in roofs if roof.metric == "fma"]
    teams = _teams(peaks)
    pairs = [(precision, threads) for precision in ("fp32", "fp64") for threads in teams]
    table = _table("Multiply-add peak", "", [f"{precision} {_cores(threads)}" for precision, threads in pairs])
    for isa in [isa for isa in ISAS if any(roof.isa == isa for roof in peaks)]:
        table.add_row(isa, *(_value(peaks, isa=isa, precision=one, threads=threads) for one, threads in pairs))
    shares = library_shares(roofs)
    for name in dict.fromkeys(str(roof.detail.get("library", "library")) for roof, _ in shares):
        cells = []
        for precision, threads in pairs:
            found = [
                f"{quantity(roof.value, roof.unit)} ({percent(share)})"
                for roof, share in shares
                if (roof.precision, roof.threads) == (precision, threads)
            ]
            cells.append(found[0] if found else ABSENT)
        table.add_row(f"{name} gemm", *cells)
    return table if peaks else None


def _bandwidth(roofs: list[Roof], threads: int) -> Table | None:
    here = [roof for roof in roofs if roof.threads == threads and roof.level]
    metrics = [metric for metric in _BANDWIDTHS if any(roof.metric == metric for roof in here)]
    shown = [*metrics, *(["latency"] if any(roof.metric == "latency" for roof in here) else [])]
    if not shown:
        return None
    isa = next((roof.isa for roof in here if roof.metric in metrics and roof.isa), None)
    title = f"Memory, {_cores(threads)}{f', {isa}' if isa else ''}"
    table = _table(title, "", ["working set", *(metric.replace("_nontemporal", " nt") for metric in shown)])
    for level in [level for level in _LEVELS if any(roof.level == level for roof in here)]:
        bytes_used = max((roof.bytes for roof in here if roof.level == level and roof.bytes), default=None)
        table.add_row(level, size(bytes_used), *(_value(here, level=level, metric=metric) for metric in shown))
    return table


def _facts(roofs: list[Roof]) -> Iterator[tuple[str, str]]:
    """Yield what needs a line each."""

    def of(metric: str) -> list[Roof]:
        return [roof for roof in roofs if roof.metric == metric]

    for roof in of("clock"):
        yield f"core clock, {_cores(roof.threads)}", f"{roof.value / 1e9:.2f} GHz"
    if lines := of("core_to_core"):
        values = [roof.value for roof in lines]
        spread = f", {quantity(min(values), 's')} to {quantity(max(values), 's')}" if len(values) > 1 else ""
        pairs = f"{len(values)} pair{'s' if len(values) > 1 else ''}"
        yield "a line from core to core", f"{quantity(median(values), 's')} (median of {pairs}{spread})"
    if messages := {roof.detail.get("message_bytes"): roof for roof in of("message")}:
        least, most = min(messages, key=_number), max(messages, key=_number)
        rate = _number(most) / messages[most].value
        label = f"a message between two ranks, {messages[least].detail.get('library', 'MPI')}"
        yield label, f"{quantity(messages[least].value, 's')}, long ones at {quantity(rate, 'byte/s')}"
    for kind, name in (("", "base"), ("_huge", "huge")):
        touches = {roof.threads: roof for roof in of(f"first_touch{kind}")}
        for roof in of(f"page_fault{kind}"):
            page = roof.detail.get("page_bytes")
            label = f"first touch of a {size(page) if isinstance(page, int) else name} page, {_cores(roof.threads)}"
            gib = touches.get(roof.threads)
            rest = f", {gib.value:.2f} s per GiB" if gib else ""
            yield label, quantity(roof.value, "s") + rest
    for roof in of("timer"):
        cost = of("timer_cost")
        yield (
            "clock",
            f"step {quantity(roof.value, 's')}" + (f", one reading {quantity(cost[0].value, 's')}" if cost else ""),
        )
    for roof in of("aa_noise"):
        middle = [one for one in of("aa_noise_median") if (one.threads, one.level) == (roof.threads, roof.level)]
        label = f"A/A noise, {'memory' if roof.level == 'memory' else 'registers'}, {_cores(roof.threads)}"
        yield (
            label,
            f"95 % of pairs under {percent(roof.value)}"
            + (f", half under {percent(middle[0].value)}" if middle else ""),
        )


def heading(machine: Machine) -> str:
    """Return the machine in two lines."""
    caches = ", ".join(f"{cache.get('level')} {size(cache.get('bytes'))}" for cache in machine.caches)
    threads = f", {machine.threads_per_core} threads per core" if machine.threads_per_core > 1 else ""
    nodes = f", {machine.numa_nodes} memory nodes" if machine.numa_nodes > 1 else ""
    return (
        f"{machine.processor} ({machine.architecture}), {_cores(machine.cores)} usable{threads}{nodes}\n"
        f"{caches or 'caches unknown'}, memory {size(machine.memory_bytes)}; {' '.join(machine.isas)}"
    )


def tables(machine: Machine) -> list[Table]:
    """Return the tables of everything that was measured."""
    found = [_compute(machine.roofs), *(_bandwidth(machine.roofs, threads) for threads in _teams(machine.roofs))]
    facts = list(_facts(machine.roofs))
    if facts:
        table = _table("Costs and noise", "", [""])
        table.show_header = False
        table.columns[1].justify = "left"
        for name, value in facts:
            table.add_row(name, value)
        found.append(table)
    return [table for table in found if table is not None]
