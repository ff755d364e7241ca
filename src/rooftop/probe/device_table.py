"""A file system's figures as a table for the terminal."""

from __future__ import annotations

from rich.table import Table

from rooftop.documents import DeviceDocument, Roof
from rooftop.probe.tables import other_figures
from rooftop.text.quantities import ABSENT, quantity, size

_WHAT = (
    ("file_read", "read"),
    ("file_write", "write"),
    ("file_random_read", "read 4 KiB at random"),
)


def heading(document: DeviceDocument) -> str:
    """Return what was measured, in two lines."""
    found = document.file_system
    file_bytes = max((roof.bytes for roof in document.roofs if roof.bytes), default=None)
    return (
        f"{found.name}\n{size(found.free_bytes)} free of {size(found.bytes)}; "
        f"measured with a file of {size(file_bytes)} in {document.folder}"
    )


def _ways(metric: str) -> list[tuple[str, str, str]]:
    """Return metric, level and what that is called, for each way of doing the same."""
    if metric == "file_write":
        return [
            (metric, "page cache", "into the cache"),
            (metric, "device", "to the device, through the cache"),
            (f"{metric}_direct", "device", "to the device, O_DIRECT"),
        ]
    return [
        (metric, "page cache", "from the cache"),
        (metric, "device", "from the device, cache dropped"),
        (f"{metric}_direct", "device", "from the device, O_DIRECT"),
    ]


def _cell(roofs: list[Roof], metric: str, level: str, threads: int) -> str:
    for roof in roofs:
        if (roof.metric, roof.level, roof.threads) == (metric, level, threads):
            return quantity(roof.value, roof.unit)
    return ABSENT


def table(document: DeviceDocument) -> Table:
    """Return one row for each way of reading or writing, one column for each number of threads."""
    teams = sorted({roof.threads for roof in document.roofs})
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    drawn.add_column("", no_wrap=True)
    for threads in teams:
        drawn.add_column("1 thread" if threads == 1 else f"{threads} threads", justify="right", no_wrap=True)
    for metric, what in _WHAT:
        for name, level, way in _ways(metric):
            cells = [_cell(document.roofs, name, level, threads) for threads in teams]
            if any(cell != ABSENT for cell in cells):
                drawn.add_row(f"{what} {way}", *cells)
    return drawn


def others(document: DeviceDocument) -> Table | None:
    """Return the figures that the table has no row for, such as those of a probe that was added; None without any."""
    known = {(name, level) for metric, _ in _WHAT for name, level, _ in _ways(metric)}
    roofs = [roof for roof in document.roofs if (roof.metric, roof.level) not in known]
    return other_figures("Other figures", roofs)


def remarks(document: DeviceDocument) -> list[str]:
    """Return how the cache was dropped, and how what was written was kept."""
    dropped = {str(roof.detail["cache_dropped_by"]) for roof in document.roofs if "cache_dropped_by" in roof.detail}
    found = [f"the cache was dropped by {', '.join(sorted(dropped))}"] if dropped else []
    if any("kept_by" in roof.detail for roof in document.roofs):
        found.append("writes to the device end with fdatasync")
    return found
