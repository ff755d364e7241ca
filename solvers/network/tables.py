"""Read and check a transport network in CSV tables. Errors name the file and the line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rooftop.errors import Misuse
from rooftop.solvers.c_interface.solver_library import NothingFound
from rooftop.solvers.network.columns import check_columns
from rooftop.solvers.network.free_speeds import free_speed_km_h, free_speed_remark
from rooftop.solvers.network.rows import KM, KM_H, Demand, Link, Node, Units
from rooftop.solvers.network.vehicle import Vehicle

REQUIRED = ("node", "link", "demand")
OPTIONAL = ("config", "vehicle")
TOTAL_T_MAX = 10**12  # sum of all demands
_LOOKED_EVERY = 1024  # rows between checks of the time, about 20 ms

_Row = TypeVar("_Row", bound=BaseModel)


@dataclass(frozen=True)
class Network:
    """A network's rows. All references are valid, and demands go from depots to customers. Units are km and km/h.

    remarks   what was ignored in the tables, and what was assumed for missing values
    """

    name: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    demands: tuple[Demand, ...]
    vehicle: Vehicle
    remarks: tuple[str, ...] = ()


def _of_line(path: Path, line: int) -> str:
    return f"{path}: line {line}"


def _cells(path: Path, kind: type[BaseModel], remarks: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row's line number and its nonempty cells by column. Adds to the remarks."""
    text, remark = read_table_text(path)
    if remark:
        remarks.append(remark)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if not any(header):
            raise Misuse(f"{path}: the file is empty; expected a table with a line of column names")
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise Misuse(f"{path}: the column '{twice}' appears twice; expected it once")
        if remark := check_columns(path, header, kind):
            remarks.append(remark)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                where = _of_line(path, reader.line_num)
                raise Misuse(f"{where}: the row has {len(cells)} cells; expected {len(header)}, one per column")
            yield (
                reader.line_num,
                {name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()},
            )
    except csv.Error as error:
        raise Misuse(f"{path}: not a CSV table: {error}") from None


def _said(where: str, error: ValidationError) -> Misuse:
    first = error.errors(include_url=False)[0]
    column = first["loc"][0] if first["loc"] else "a cell"
    if first["type"] == "missing":
        return Misuse(f"{where}: '{column}' is missing; expected a value")
    value = repr(first["input"])
    return Misuse(f"{where}: {column} is {value[:80]}: {first['msg'][0].lower()}{first['msg'][1:]}")


def _rows(path: Path, kind: type[_Row], remarks: list[str], go_on: Callable[[], bool]) -> list[tuple[str, _Row]]:
    """Return the rows, each with its file and line. Raises Misuse for a table without rows."""
    rows: list[tuple[str, _Row]] = []
    for line, cells in _cells(path, kind, remarks):
        where = _of_line(path, line)
        if len(rows) % _LOOKED_EVERY == _LOOKED_EVERY - 1 and not go_on():
            raise NothingFound(f"{where}: the time limit passed while reading the tables; expected a longer time limit")
        try:
            rows.append((where, kind.model_validate(cells)))
        except ValidationError as error:
            raise _said(where, error) from None
    if not rows:
        raise Misuse(f"{path}: the table has no rows below the column names; expected one or more")
    return rows


def _unique(rows: Sequence[tuple[str, _Row]], column: str) -> None:
    seen: set[str] = set()
    for where, row in rows:
        name = getattr(row, column)
        if name in seen:
            raise Misuse(f"{where}: {column} '{name}' appears a second time; expected each once")
        seen.add(name)


def _check_links(links: Sequence[tuple[str, Link]], nodes: dict[str, Node]) -> None:
    for where, link in links:
        for column in ("from_node_id", "to_node_id"):
            if getattr(link, column) not in nodes:
                raise Misuse(f"{where}: {column} is '{getattr(link, column)}'; expected a node_id of the node table")
        if link.surcharge and not link.indirect:
            raise Misuse(f"{where}: surcharge is {link.surcharge:g} on a link that is not indirect; expected 0")


def _without_loops(path: Path, links: Sequence[tuple[str, Link]], remarks: list[str]) -> list[Link]:
    """Return the links that are not loops. Adds to the remarks. Raises Misuse if all links are loops."""
    kept = [link for _, link in links if link.from_node_id != link.to_node_id]
    if not kept:
        raise Misuse(f"{path}: all links end at their start; expected one between two nodes")
    if len(kept) < len(links):
        where, first = next((where, link) for where, link in links if link.from_node_id == link.to_node_id)
        count = f"{len(links) - len(kept)} of {len(links)} links"
        remarks.append(f"{where}: link '{first.link_id}' ends at its start; {count} are such loops and are ignored")
    return kept


def _check_demands(demands: Sequence[tuple[str, Demand]], nodes: dict[str, Node]) -> None:
    for where, demand in demands:
        for column, kind in (("from_node_id", "depot"), ("to_node_id", "customer")):
            name = getattr(demand, column)
            if name not in nodes:
                raise Misuse(f"{where}: {column} is '{name}'; expected a node_id of the node table")
            if nodes[name].node_type != kind:
                found = nodes[name].node_type
                seen = f"a {found}" if found else "a node without a type"
                raise Misuse(f"{where}: {column} is '{name}', {seen}; expected a {kind}")
    if sum(demand.tonnes for _, demand in demands) > TOTAL_T_MAX:
        raise Misuse(f"{demands[0][0]}: the sum of all demands exceeds {TOTAL_T_MAX} t; expected less")


def _check_hubs(nodes: Sequence[tuple[str, Node]]) -> None:
    for where, node in nodes:
        if node.node_type != "hub" and (node.handling_cost or node.dwell_h):
            raise Misuse(f"{where}: node '{node.node_id}' has handling_cost or dwell_h but is not a hub; expected 0")


def _files_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise Misuse(f"{folder}: cannot be read: {error.strerror or error}") from None


def tables_of(paths: Sequence[Path]) -> dict[str, Path]:
    """Return the file of each table, by its case-insensitive name. Folders stand for all their tables."""
    found: dict[str, Path] = {}
    names = [f"{name}.csv" for name in (*REQUIRED, *OPTIONAL)]
    for path in paths:
        for file in _files_in(path) if path.is_dir() else [path]:
            if file.name.lower() not in names:
                if path.is_dir():
                    continue
                raise Misuse(f"{file}: not a table of a network; expected {', '.join(names)}")
            table = file.stem.lower()
            if table in found:
                raise Misuse(f"{file}: the table is already given by {found[table]}; expected one of them")
            found[table] = file
    for name in REQUIRED:
        if name not in found:
            raise Misuse(
                f"{' '.join(map(str, paths))}: {name}.csv is missing; expected it, or a folder that contains it"
            )
    return found


def _only(rows: list[tuple[str, _Row]]) -> _Row:
    if len(rows) > 1:
        raise Misuse(f"{rows[1][0]}: a second row; expected one")
    return rows[0][1]


def _in_km(link: Link, km: float, km_h: float) -> Link:
    speed = free_speed_km_h(link, km_h)
    if km == 1 and speed == link.free_speed:  # avoid copying many links
        return link
    return link.model_copy(update={"length": link.length * km, "free_speed": speed})


def _always() -> bool:
    return True


def read_network(paths: Sequence[Path], go_on: Callable[[], bool] = _always) -> Network:
    """Read a network's tables from a folder or from files. Raises Misuse for invalid tables.

    Raises NothingFound if `go_on` returns False before all tables are read.
    """
    tables = tables_of(paths)
    remarks: list[str] = []
    nodes, links = _rows(tables["node"], Node, remarks, go_on), _rows(tables["link"], Link, remarks, go_on)
    demands = _rows(tables["demand"], Demand, remarks, go_on)
    _unique(nodes, "node_id")
    _unique(links, "link_id")
    _unique(demands, "demand_id")
    by_id = {node.node_id: node for _, node in nodes}
    _check_hubs(nodes)
    _check_links(links, by_id)
    _check_demands(demands, by_id)
    units = _only(_rows(tables["config"], Units, remarks, go_on)) if "config" in tables else Units()
    vehicle = _only(_rows(tables["vehicle"], Vehicle, remarks, go_on)) if "vehicle" in tables else Vehicle()
    km, km_h = KM[units.long_length], KM_H[units.speed]
    roads = _without_loops(tables["link"], links, remarks)
    if remark := free_speed_remark(tables["link"], roads):
        remarks.append(remark)
    return Network(
        tables["node"].resolve().parent.name,
        tuple(node for _, node in nodes),
        tuple(_in_km(link, km, km_h) for link in roads),
        tuple(demand for _, demand in demands),
        vehicle,
        tuple(remarks),
    )


def read_table_text(path: Path) -> tuple[str, str | None]:
    """Return a file's text, and a remark if it is not UTF-8. Raises Misuse for a file that is not text.

    Latin-1 is read as Windows-1252, as in web browsers (WHATWG Encoding Standard).
    """
    if path.exists() and not path.is_file():  # of a folder with a pipe or a device in it
        raise Misuse(f"{path}: is no regular file; expected a CSV table")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Misuse(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        return content.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise Misuse(
                f"{path}: the file contains null bytes, as UTF-16 does; expected a CSV table in UTF-8"
            ) from None
        line = content.count(b"\n", 0, error.start) + 1
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise Misuse(f"{path}: not a CSV table in UTF-8 or Latin-1: {error}") from None
    return text, f"{path}: line {line} is not UTF-8; the table is read as Latin-1"
