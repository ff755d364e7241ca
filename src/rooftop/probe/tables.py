"""Tables for the terminal of the figures of a machine or file system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import median

from rich.table import Table

from rooftop.documents import DeviceDocument, Machine, Roof
from rooftop.machine.processor import ISAS
from rooftop.text.quantities import ABSENT, percent, quantity, size

_LEVELS = ("L1", "L2", "L3", "L4", "memory")
_BANDWIDTHS = ("read", "write", "copy", "triad", "write_nontemporal", "copy_nontemporal")
_BY_LEVEL = (*_BANDWIDTHS, "latency")
# Metrics that the tables and lines below, or the pictures, show; all others go into "Other figures".
_PLACED = {"fma", "gemm", "clock", "core_to_core", "message", "message_exchange", "timer", "timer_cost", "strided_read"}
_PLACED |= {"aa_noise", "aa_noise_median", "multiply_latency", "clock_after_fma"}
_PLACED |= {f"{fault}{kind}" for fault in ("first_touch", "page_fault") for kind in ("", "_huge")}


def _in_order(known: Iterable[str], found: Iterable[str | None]) -> list[str]:
    """Return the names in `found`: known ones in the order of `known`, then the others."""
    there = dict.fromkeys(name for name in found if name)
    return [*(name for name in known if name in there), *(name for name in there if name not in set(known))]


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


def _threads(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def _table(title: str, first: str, columns: list[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _compute(roofs: list[Roof]) -> Table | None:
    peaks = [roof for roof in roofs if roof.metric == "fma"]
    teams = _teams(peaks)
    precisions = _in_order(("fp32", "fp64"), ("fp32", "fp64", *(roof.precision for roof in peaks)))
    pairs = [(precision, threads) for precision in precisions for threads in teams]
    table = _table("Multiply-add peak", "", [f"{precision} {_cores(threads)}" for precision, threads in pairs])
    for isa in _in_order(ISAS, (roof.isa for roof in peaks)):
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
    for level in _in_order(_LEVELS, (roof.level for roof in here if roof.metric in shown)):
        bytes_used = max((roof.bytes for roof in here if roof.level == level and roof.bytes), default=None)
        table.add_row(level, size(bytes_used), *(_value(here, level=level, metric=metric) for metric in shown))
    return table


def _facts(roofs: list[Roof]) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each figure that has a line of its own."""

    def of(metric: str) -> list[Roof]:
        return [roof for roof in roofs if roof.metric == metric]

    multiply = {roof.threads: roof.value for roof in of("multiply_latency")}
    for roof in of("clock"):
        latency = multiply.get(roof.threads)
        beside = "" if latency is None else f", by additions; a multiplication takes {latency:.2f} cycles"
        yield f"core clock, {_cores(roof.threads)}", f"{roof.value / 1e9:.2f} GHz{beside}"
    for roof in of("clock_after_fma"):
        label = f"core clock after {roof.isa or 'wide'} multiply-adds, {_cores(roof.threads)}"
        yield label, f"{roof.value / 1e9:.2f} GHz"
    if lines := of("core_to_core"):
        values = [roof.value for roof in lines]
        spread = f", {quantity(min(values), 's')} to {quantity(max(values), 's')}" if len(values) > 1 else ""
        pairs = f"{len(values)} pair{'s' if len(values) > 1 else ''}"
        yield "cache line, core to core", f"{quantity(median(values), 's')} (median of {pairs}{spread})"
    if messages := {roof.detail.get("message_bytes"): roof for roof in of("message")}:
        least, most = min(messages, key=_number), max(messages, key=_number)
        rate = _number(most) / messages[most].value
        label = f"message between two ranks, {messages[least].detail.get('library', 'MPI')}"
        yield label, f"{quantity(messages[least].value, 's')}, long messages at {quantity(rate, 'byte/s')}"
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
            f"step {quantity(roof.value, 's')}" + (f", reading takes {quantity(cost[0].value, 's')}" if cost else ""),
        )
    for roof in of("aa_noise"):
        middle = [one for one in of("aa_noise_median") if (one.threads, one.level) == (roof.threads, roof.level)]
        label = f"A/A noise, {'memory' if roof.level == 'memory' else 'registers'}, {_cores(roof.threads)}"
        yield (
            label,
            f"95 % of pairs under {percent(roof.value)}"
            + (f", half under {percent(middle[0].value)}" if middle else ""),
        )


def named(roof: Roof) -> str:
    """Return the label of a figure: its metric, level, instruction set and precision."""
    return ", ".join(part for part in (roof.metric.replace("_", " "), roof.level, roof.isa, roof.precision) if part)


def _range(roofs: list[Roof]) -> str:
    """Return the range of several figures, such as those of pairs of cores."""
    ends = [quantity(end(roof.value for roof in roofs), roofs[0].unit) for end in (min, max)] if roofs else [ABSENT]
    return " to ".join(dict.fromkeys(ends))


def other_figures(title: str, roofs: list[Roof]) -> Table | None:
    """Return a table of figures by name and number of threads; None if there are none."""
    teams = _teams(roofs)
    table = _table(title, "", [_threads(threads) for threads in teams])
    for name in dict.fromkeys(map(named, roofs)):
        same = [roof for roof in roofs if named(roof) == name]
        table.add_row(name, *(_range([roof for roof in same if roof.threads == threads]) for threads in teams))
    return table if roofs else None


def heading(machine: Machine) -> str:
    """Return a two-line description of the machine."""
    caches = ", ".join(f"{cache.get('level')} {size(cache.get('bytes'))}" for cache in machine.caches)
    threads = f", {machine.threads_per_core} threads per core" if machine.threads_per_core > 1 else ""
    nodes = f", {machine.numa_nodes} memory nodes" if machine.numa_nodes > 1 else ""
    return (
        f"{machine.processor} ({machine.architecture}), {_cores(machine.cores)} usable{threads}{nodes}\n"
        f"{caches or 'caches unknown'}, memory {size(machine.memory_bytes)}; {' '.join(machine.isas)}"
    )


def tables(machine: Machine) -> list[Table]:
    """Return tables of all measured figures."""
    found = [_compute(machine.roofs), *(_bandwidth(machine.roofs, threads) for threads in _teams(machine.roofs))]
    facts = list(_facts(machine.roofs))
    if facts:
        table = _table("Costs and noise", "", [""])
        table.show_header = False
        table.columns[1].justify = "left"
        for name, value in facts:
            table.add_row(name, value)
        found.append(table)
    others = [roof for roof in machine.roofs if roof.metric not in _PLACED]
    others = [roof for roof in others if roof.metric not in _BY_LEVEL or roof.level is None]
    found.append(other_figures("Other figures", others))
    return [table for table in found if table is not None]


def _highest(roofs: Iterable[Roof], metric: str, threads: int, precision: str | None) -> Roof | None:
    same = [roof for roof in roofs if (roof.metric, roof.threads, roof.precision) == (metric, threads, precision)]
    return max(same, key=lambda roof: roof.value, default=None)


def peaks_beaten(roofs: list[Roof]) -> list[str]:
    """Return a warning for each precision and number of threads at which a library exceeds the FMA peak."""
    lines = []
    for gemm, share in library_shares(roofs):
        if share > 1:
            lines.append(
                f"{gemm.detail.get('library', 'a library')} multiplies {gemm.precision} matrices at "
                f"{quantity(gemm.value, gemm.unit)} on {gemm.threads} threads, above the measured FMA peak of "
                f"{quantity(gemm.value / share, gemm.unit)}: the peak was measured while something disturbed it; "
                "run rooftop probe --refresh on an idle machine"
            )
    return lines


def library_shares(roofs: list[Roof]) -> list[tuple[Roof, float]]:
    """Return each figure of a library with its share of the FMA peak (1 is the peak)."""
    found = []
    for gemm in [roof for roof in roofs if roof.metric == "gemm"]:
        peak = _highest(roofs, "fma", gemm.threads, gemm.precision)
        if peak is not None:
            found.append((gemm, gemm.value / peak.value))
    return found


_DEVICE_ROWS = (  # metric, level, title of the row
    ("file_read", "page cache", "read from the cache"),
    ("file_read", "device", "read from the device, cache dropped"),
    ("file_read_direct", "device", "read from the device, O_DIRECT"),
    ("file_write", "page cache", "write to the cache"),
    ("file_write", "device", "write to the device, through the cache"),
    ("file_write_direct", "device", "write to the device, O_DIRECT"),
    ("file_random_read", "page cache", "read 4 KiB at random from the cache"),
    ("file_random_read", "device", "read 4 KiB at random from the device, cache dropped"),
    ("file_random_read_direct", "device", "read 4 KiB at random from the device, O_DIRECT"),
)


def device_heading(document: DeviceDocument) -> str:
    """Return a two-line description of the file system and the test file."""
    found = document.file_system
    file_bytes = max((roof.bytes for roof in document.roofs if roof.bytes), default=None)
    return (
        f"{found.name}\n{size(found.free_bytes)} free of {size(found.bytes)}; "
        f"measured with a file of {size(file_bytes)} in {document.folder}"
    )


def device_tables(document: DeviceDocument) -> list[Table]:
    """Return a table of reads and writes by number of threads, and a table of other figures."""
    teams = _teams(document.roofs)
    drawn = _table("", "", [_threads(threads) for threads in teams])
    for metric, level, name in _DEVICE_ROWS:
        cells = [_value(document.roofs, metric=metric, level=level, threads=threads) for threads in teams]
        if any(cell != ABSENT for cell in cells):
            drawn.add_row(name, *cells)
    known = {(metric, level) for metric, level, _ in _DEVICE_ROWS}
    others = other_figures("Other figures", [one for one in document.roofs if (one.metric, one.level) not in known])
    return [table for table in (drawn, others) if table is not None and table.row_count]


def device_remarks(document: DeviceDocument) -> list[str]:
    """Return remarks on how the cache was dropped and how writes were flushed."""
    dropped = {str(roof.detail["cache_dropped_by"]) for roof in document.roofs if "cache_dropped_by" in roof.detail}
    found = [f"the cache was dropped by {', '.join(sorted(dropped))}"] if dropped else []
    if any("kept_by" in roof.detail for roof in document.roofs):
        found.append("writes to the device end with fdatasync")
    return found
