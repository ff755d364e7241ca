"""The CSV file that h5bench writes for CSV_FILE."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.solvers.h5io.h5bench.configuration import Configuration
from rooftop.solvers.h5io.h5bench.document import BenchmarkDocument

_HEAD = ("metric", "value", "unit")


def require_no_other(path: Path) -> None:
    """Raise Misuse if the file exists and is no such table: a configuration from elsewhere may name any file."""
    if not path.exists():
        return
    head = f"{','.join(_HEAD)}\n".encode()
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(head)) == head:
                return
    raise Misuse(f"CSV_FILE is {path}, which exists and is no table of h5bench: give another name")


def csv_text(asked: Configuration, document: BenchmarkDocument) -> str:
    """Return h5bench's rows: metric, value, unit. Sizes and rates are in GiB and MiB per second."""
    seconds = document.seconds
    mib, gib = 1 << 20, 1 << 30
    rows: list[tuple[str, object, str]] = [
        ("operation", document.operation, ""),
        ("ranks", document.ranks, ""),
        ("collective data", "YES" if asked.words()["collective_data"] else "NO", ""),
        ("collective meta", "YES" if asked.collective_metadata else "NO", ""),
        ("subfiling", "NO", ""),
        ("total compute time", f"{document.compute_s:.3f}", "seconds"),
        ("total size", f"{document.total_bytes / gib:.3f}", "GB"),
        ("raw time", f"{seconds.raw[0]:.3f}", "seconds"),
        ("raw rate", f"{document.raw_rate / mib:.3f}", "MB/s"),
        ("metadata time", f"{seconds.metadata[0]:.3f}", "seconds"),
        ("observed rate", f"{document.observed_rate / mib:.3f}", "MB/s"),
        ("observed time", f"{seconds.observed[0]:.3f}", "seconds"),
    ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    writer.writerows(rows)
    return text.getvalue()
