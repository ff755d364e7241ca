"""A plan as a CSV file: a row for each link of each shipment, with the link's load in that month."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.files.atomic import write_whole
from rooftop.solvers.network.bill import Bill, Step, vehicles
from rooftop.solvers.network.tables import Network

COLUMNS = (
    "month",
    "demand_id",
    "from_node_id",
    "to_node_id",
    "tonnes",
    "step",
    "link_id",
    "link_from_node_id",
    "link_tonnes",
    "link_vehicles",
)


def write_plan(network: Network, plan: Mapping[str, Sequence[Step]], bill: Bill, path: Path) -> None:
    """Write a plan. Raises Misuse if the file cannot be written."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for demand in network.demands:
        ends = (demand.month, demand.demand_id, demand.from_node_id, demand.to_node_id, demand.tonnes)
        for number, (link, start) in enumerate(plan[demand.demand_id], 1):
            load = bill.loads[demand.month, link, start]
            table.writerow((*ends, number, link, start, f"{load / 1000:.3f}", vehicles(network, load)))
    try:
        write_whole(path, text.getvalue())
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error


def read_plan(path: Path) -> dict[str, list[Step]]:
    """Read a plan file. Return each demand's steps in the order of the rows."""
    plan: dict[str, list[Step]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            plan.setdefault(row["demand_id"], []).append((row["link_id"], row["link_from_node_id"]))
    return plan
