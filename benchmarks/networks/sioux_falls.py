"""Write Sioux Falls as the tables of a freight network that ``rooftop solve network`` reads.

Roads, places and the table of trips are those that AequilibraE's wheel carries, which pip downloads (AequilibraE,
www.aequilibrae.com, MIT licence with the clause that it be named). The network goes back to L. LeBlanc,
E. Morlok, W. Pierskalla (1975). Needs h5py. The study's own are the roles (zones 10 and 16, which most trips leave, are
depots, 8 and 15 hubs), the speeds (lengths over free-flow times come to 7 to 120 km/h: they are brought to 30 to 90, in
the same order), the tonnes (of the trips, over six months that rise and fall), and the capacities in tonnes.
"""

from __future__ import annotations

import csv
import io
import math
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import h5py
import typer

PACKAGE = "aequilibrae>=1.4,<2"
DEPOTS, HUBS = ("10", "16"), ("8", "15")
MONTHS = 6
TONNES_PER_TRIP = 0.02
CAPACITY_T = 0.04  # per month, of each of the road's own trips per day
SLOWEST, FASTEST = 30.0, 90.0  # km/h


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(rows)


def _place(blob: bytes) -> tuple[float, float]:
    """Return a SpatiaLite point's longitude and latitude: the corner of its bounding box, doubles from byte 6 on."""
    x, y = struct.unpack_from("<2d", blob, 6)
    return float(x), float(y)


def _kind(node: str) -> str:
    return "depot" if node in DEPOTS else "hub" if node in HUBS else "customer"


def _tables(project: zipfile.ZipFile, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        project.extract("project_database.sqlite", place)
        project.extract("matrices/demand.omx", place)
        database = sqlite3.connect(Path(place) / "project_database.sqlite")
        nodes = database.execute("SELECT node_id, geometry FROM nodes ORDER BY node_id").fetchall()
        links = database.execute(
            "SELECT link_id, a_node, b_node, distance, free_flow_time, capacity_ab FROM links ORDER BY link_id"
        ).fetchall()
        database.close()
        with h5py.File(Path(place) / "matrices/demand.omx") as file:
            trips = next(iter(file["data"].values()))[:]
    _write(
        folder / "node.csv",
        ("node_id", "x_coord", "y_coord", "node_type", "handling_cost", "dwell_h"),
        [(n, *_place(blob), _kind(str(n)), *((2.0, 2.0) if str(n) in HUBS else ("", ""))) for n, blob in nodes],
    )
    _write(folder / "config.csv", ("long_length", "speed"), [("m", "km/h")])
    slow = max(minutes / metres for _, _, _, metres, minutes, _ in links)
    fast = min(minutes / metres for _, _, _, metres, minutes, _ in links)

    def speed(metres: float, minutes: float) -> float:
        return float(round(FASTEST - (FASTEST - SLOWEST) * (minutes / metres - fast) / (slow - fast), 1))

    _write(
        folder / "link.csv",
        ("link_id", "from_node_id", "to_node_id", "directed", "length", "free_speed", "capacity_t"),
        [(i, a, b, "true", d, speed(d, m), math.floor(c * CAPACITY_T)) for i, a, b, d, m, c in links],
    )
    numbers, shipments = [node for node, _ in nodes], []
    for month in range(1, MONTHS + 1):
        season = 1 + 0.4 * math.sin(2 * math.pi * month / MONTHS)
        for origin in map(int, DEPOTS):
            for node in numbers:
                tonnes = round(float(trips[origin - 1, node - 1]) * TONNES_PER_TRIP * season, 1)
                if _kind(str(node)) == "customer" and tonnes > 0:
                    shipments.append((f"{month}-{origin}-{node}", month, origin, node, tonnes))
    _write(folder / "demand.csv", ("demand_id", "month", "from_node_id", "to_node_id", "tonnes"), shipments)


def _downloaded(place: Path) -> Path:
    words = ["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run(
        [sys.executable, "-m", *words, "--dest", str(place), PACKAGE], capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = " ".join(done.stderr.split())[-300:]
        sys.exit(f"sioux_falls: pip cannot get {PACKAGE}: {said}; name the wheel by --wheel")
    return next(place.glob("*.whl"))


def main(
    folder: Annotated[Path, typer.Argument(help="Where the tables go.")],
    wheel: Annotated[Path | None, typer.Option("--wheel", help="AequilibraE's. Default: pip downloads it.")] = None,
) -> None:
    """Write the tables."""
    with tempfile.TemporaryDirectory() as place:
        try:
            with zipfile.ZipFile(wheel or _downloaded(Path(place))) as package:
                inside = io.BytesIO(package.read("aequilibrae/reference_files/sioux_falls.zip"))
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            sys.exit(f"sioux_falls: {wheel or PACKAGE} holds no Sioux Falls: {error}")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(inside) as project:
        _tables(project, folder)
