"""Sizes that no machine has, in every file and option of the solvers: one line, exit code 2, and no memory taken."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE

DIGITS = "9" * 5000  # more than Python reads as one number
_ROOM_BYTES = 1 << 30

LAYERS = [
    "1\n99999999999 3 3 1 1\n",
    "1\n65536 65536 65536 65536 65536\n",
    "1\n1 2147483647 2147483647 1 1\n",
    "1\n4096 4096 4096 64 1\n",
    "99999999999\n1 3 3 1 1\n",
    f"{DIGITS}\n1 3 3 1 1\n",
    f"1\n{DIGITS} 3 3 1 1\n",
    "1\n-1 3 3 1 1\n",
    "1\n1e9 3 3 1 1\n",
]
_EXPLICIT = "TYPE: TSP\nDIMENSION: {}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {}\nEDGE_WEIGHT_SECTION\n0 1 2\n"
_PLACES = "TYPE: TSP\nDIMENSION: {}\nEDGE_WEIGHT_TYPE: {}\nNODE_COORD_SECTION\n1 0 0\n2 1e308 1e308\n3 -1e308 5\n"
CITIES = [
    *(_EXPLICIT.format(2147483647, form) for form in ("FULL_MATRIX", "UPPER_ROW", "LOWER_DIAG_ROW")),
    *(_PLACES.format(2147483647, kind) for kind in ("EUC_2D", "GEO", "ATT")),
    _PLACES.format(DIGITS, "EUC_2D"),
    _PLACES.format(-3, "EUC_2D"),
    _PLACES.format(3, "EUC_2D"),
    _PLACES.format(3, "EUC_2D").replace("1e308", DIGITS),
]
GRIDS = ["65536x65536x65536", "1x1x99999999999", f"{DIGITS}x1x1", "0x1x1", "-1x1x1", "4096x4096x4096"]
_NODES = "node_id,x_coord,y_coord,node_type\na,0,0,depot\nb,{},0,customer\n"
_LINKS = "link_id,from_node_id,to_node_id,length,free_speed,capacity_t\nl,a,b,{},{},{}\n"
_DEMANDS = "demand_id,month,from_node_id,to_node_id,tonnes\nd,{},a,b,{}\n"
NETWORKS = [
    ("1e999", "1", "80", "9", "1", "1"),
    ("1", "1e300", "80", "9", "1", "1"),
    ("1", "1", DIGITS, "9", "1", "1"),
    ("1", "1", "80", "nan", "1", "1"),
    ("1", "1", "80", "9", DIGITS, "1"),
    ("1", "1", "80", "9", "1", "1e30"),
    ("1", "1", "80", "9", "99999999999", "1"),
]


@pytest.fixture(autouse=True)
def _bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let what takes more than a GiB fail, whatever is in memory already."""
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + _ROOM_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code = main(["solve", *map(str, words)])
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (MISUSE, "", 1), said.err[-500:]
    assert len(said.err) < 1000
    return said.err


@pytest.mark.parametrize("place", range(len(LAYERS) + len(CITIES) + len(GRIDS) + len(NETWORKS)))
def test_absurd_sizes_are_refused_on_one_line(place: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = [("conv", one) for one in LAYERS] + [("tsp", one) for one in CITIES] + [("ft", one) for one in GRIDS]
    if place >= len(kinds):
        at, length, speed, capacity, month, tonnes = NETWORKS[place - len(kinds)]
        (tmp_path / "node.csv").write_text(_NODES.format(at), encoding="ascii")
        (tmp_path / "link.csv").write_text(_LINKS.format(length, speed, capacity), encoding="ascii")
        (tmp_path / "demand.csv").write_text(_DEMANDS.format(month, tonnes), encoding="ascii")
        refused(capsys, "network", tmp_path, "--time", "1s")
        return
    kind, text = kinds[place]
    if kind == "ft":
        refused(capsys, "ft", "--size", text)
        return
    file = tmp_path / f"sizes.{kind}"
    file.write_text(text, encoding="ascii")
    refused(capsys, kind, file, *(["--time", "1s"] if kind == "tsp" else []))


def test_a_table_that_is_no_file_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "network"
    folder.mkdir()
    for name in ("link", "demand"):
        (folder / f"{name}.csv").write_text("x\n1\n", encoding="ascii")
    node = folder / "node.csv"
    os.mkfifo(node)
    assert "is no regular file" in refused(capsys, "network", folder, "--time", "1s")
    node.unlink()
    node.symlink_to("/dev/zero")
    assert "is no regular file" in refused(capsys, "network", folder, "--time", "1s")
