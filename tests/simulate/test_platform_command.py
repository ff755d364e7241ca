"""``rooftop platform``: lists, figures with sources, pictures, this machine, and files for SimGrid."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain, platforms
from hypothesis import given, settings
from still_machine import StillMachine

from rooftop.cli.app import main
from rooftop.documents import Machine, Roof
from rooftop.errors import NothingMeasured
from rooftop.simulate.drawing import network, write_platform_picture
from rooftop.simulate.here import platform_of
from rooftop.simulate.measured_progress import MeasuredShare
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import known_platforms, named_platform, read_platform
from rooftop.simulate.platform_text import as_toml
from rooftop.simulate.simgrid import as_simgrid
from rooftop.simulate.topologies import Dragonfly

pytestmark = pytest.mark.usefixtures("scratch")

PNG = b"\x89PNG\r\n\x1a\n"


def machine(*more: Roof) -> Machine:
    measured = [
        Roof(metric="fma", value=3e10, unit="flop/s", threads=1, isa="avx2", precision="fp64"),
        Roof(metric="fma", value=6e10, unit="flop/s", threads=2, isa="avx2", precision="fp64"),
        Roof(metric="copy", value=8e9, unit="byte/s", threads=1, level="memory"),
    ]
    return StillMachine(more=[*measured, *more]).machine(None)


def messages() -> list[Roof]:
    times = {8: 5e-7, 4000: 2e-6, 1 << 20: 2e-4}
    found = [
        Roof(metric=metric, value=factor * taken, unit="s", threads=2, detail={"message_bytes": size})
        for metric, factor in (("message", 1.0), ("message_exchange", 1.5))
        for size, taken in times.items()
    ]
    return [
        *found,
        Roof(metric="message_overhead", value=1e-7, unit="s", threads=2, detail={"message_bytes": 8}),
        Roof(metric="message_gap", value=2e-7, unit="s", threads=2, detail={"message_bytes": 8}),
    ]


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["platform", "list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in known_platforms())
    assert main(["platform", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["platforms"]
    assert {"name": "lecture_cluster", "nodes": 12, "cores": 192}.items() <= next(
        row for row in rows if row["name"] == "lecture_cluster"
    ).items()


def test_show_has_every_figure_with_its_source(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["platform", "show", "sw26010_groups"]) == 0
    out = capsys.readouterr().out.replace("\u202f", " ")
    for figure, _ in named_platform("sw26010_groups").figures():
        assert figure in out
    assert "1.10 GB/s" in out
    assert "follows" in out
    assert "1000 all-to-alls of 33 554 432 bytes a rank" in out
    assert main(["platform", "show", "sw26010_groups", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content.pop("schema") == "rooftop/platform/1"
    assert Platform.model_validate(content) == named_platform("sw26010_groups")


def test_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(as_toml(plain(16, 4, {"topology": "torus", "dimensions": [4, 4]})), encoding="utf-8")
    assert main(["platform", "check", str(file)]) == 0
    assert "16 nodes of 4 cores, torus of 4 x 4; assumed: nodes, node.cores" in capsys.readouterr().out
    file.write_text(file.read_text(encoding="utf-8").replace("[4, 4]", "[4, 5]"), encoding="utf-8")
    assert main(["platform", "check", str(file)]) == 2
    assert "the dimensions of the torus make 20 nodes: expected nodes = 16" in capsys.readouterr().err


SHAPES: list[dict[str, Any]] = [
    {"topology": "crossbar"},
    {"topology": "torus", "dimensions": [4, 2, 2]},
    {"topology": "fat_tree", "down": [4, 4], "up": [1, 2], "links": [1, 2]},
    {"topology": "dragonfly", "groups": 2, "chassis": 2, "routers": 2, "nodes_per_router": 2},
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["topology"])
def test_networks_as_they_are_drawn(shape: dict[str, Any]) -> None:
    drawn = network(plain(16, 4, shape))
    assert len(drawn.nodes) == 16
    assert shape["topology"] == "torus" or drawn.switches


def test_pictures(tmp_path: Path) -> None:
    file, picture = tmp_path / "mine.toml", tmp_path / "mine.png"
    file.write_text(as_toml(plain(16, 4, SHAPES[-1])), encoding="utf-8")
    assert main(["platform", "draw", str(file), "--out", str(picture)]) == 0
    assert picture.read_bytes().startswith(PNG)


def test_pictures_of_what_cannot_be_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["platform", "draw", "lecture_cluster", "--out", str(tmp_path / "a.txt")]) == 2
    assert "a.txt, expected a name that ends with .png, .svg or .pdf" in capsys.readouterr().err
    assert main(["platform", "draw", "lecture_cluster", "--out", str(tmp_path / "none" / "a.png")]) == 2
    file = tmp_path / "large.toml"
    file.write_text(as_toml(plain(5000)), encoding="utf-8")
    assert main(["platform", "draw", str(file), "--out", str(tmp_path / "a.png")]) == 2
    assert "5000 nodes, expected at most 1024 for a picture" in capsys.readouterr().err
    write_platform_picture(named_platform("four_socket_server"), tmp_path / "server.svg")
    assert b"<svg" in (tmp_path / "server.svg").read_bytes()


def test_this_machine_by_its_probes() -> None:
    found = platform_of(machine(*messages()))
    assert (found.nodes, found.node.cores) == (1, 2)
    assert found.node.core_flops_per_s == 3e10
    assert (found.node.memory_bytes_per_s, found.node.core_memory_bytes_per_s) == (1e10, 8e9)
    assert found.within_node is not None
    by_size = found.within_node.by_size
    assert [(one.bytes, one.message_s) for one in by_size] == [(8, 5e-7), (4000, 2e-6), (1 << 20, 2e-4)]
    assert [one.exchange_s for one in by_size] == pytest.approx([7.5e-7, 3e-6, 3e-4])
    assert found.within_node.latency_s == pytest.approx(3e-7)
    sources = {name: source.how for name, _ in found.figures() if (source := found.source(name)) is not None}
    assert (sources["node.cores"], sources["within_node.by_size"]) == ("measured", "measured")
    assert (sources["network.link_bytes_per_s"], sources["messages.latency_s"]) == ("assumed", "assumed")


def test_several_such_machines_behind_a_switch() -> None:
    found = platform_of(machine(), 4, 3e9, 2e-6)
    assert (found.nodes, found.network.link_bytes_per_s, found.network.link_latency_s) == (4, 3e9, 2e-6)
    assert found.within_node is None
    sources = {name: source.how for name, _ in found.figures() if (source := found.source(name)) is not None}
    assert (sources["network.link_bytes_per_s"], sources["network.topology"]) == ("stated", "assumed")


@pytest.mark.parametrize(("nodes", "how"), [(1, "measured"), (4, "assumed")])
def test_the_share_that_proceeds_says_where_it_is_from(nodes: int, how: str) -> None:
    found = platform_of(machine(), nodes, progress=MeasuredShare(0.415, 1 << 22, "20261130-080000-0001"))
    source = found.source("progress.share_outside_calls")
    assert found.progress.share() == 0.415
    assert source is not None
    assert source.how == how
    assert "4194304 bytes" in source.says
    assert "20261130-080000-0001" in source.says
    unknown = platform_of(machine()).source("progress.rule")
    assert unknown is not None
    assert unknown.how == "assumed"


def test_a_machine_that_no_probe_has_seen() -> None:
    with pytest.raises(NothingMeasured, match="run 'rooftop probe'"):
        platform_of(StillMachine().machine(None))


def test_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("rooftop.probe.machine", lambda quick, say: machine(*messages()))
    file = tmp_path / "here.toml"
    assert main(["platform", "here", "--nodes", "3", "--out", str(file)]) == 0
    assert read_platform(file).nodes == 3
    capsys.readouterr()
    assert main(["platform", "here"]) == 0
    assert capsys.readouterr().out.startswith('title = "Paper"')
    assert main(["platform", "here", "--nodes", "0"]) == 2
    assert "rooftop platform here: nodes is 0: expected a number greater" in capsys.readouterr().err
    assert main(["platform", "here", "--link-latency", "-1"]) == 2
    assert "link_latency_s is -1.0: expected a number greater" in capsys.readouterr().err


@settings(max_examples=40)
@given(platforms())
def test_files_for_simgrid(platform: Platform) -> None:
    shape = platform.network.shape
    if isinstance(shape, Dragonfly) and shape.groups > shape.routers:
        return
    root = ET.fromstring(as_simgrid(platform))
    (cluster,) = root.iter("cluster")
    assert cluster.get("radical") == f"0-{platform.nodes - 1}"
    assert len(list(root.iter("link"))) == platform.nodes
    assert cluster.get("core") == str(platform.node.cores)


def test_topologies_as_simgrid_has_them(tmp_path: Path) -> None:
    parameters = []
    for shape in SHAPES[1:]:
        (cluster,) = ET.fromstring(as_simgrid(plain(16, 4, shape))).iter("cluster")
        parameters.append((cluster.get("topology"), cluster.get("topo_parameters")))
    assert parameters == [
        ("TORUS", "4,2,2"),
        ("FAT_TREE", "2;4,4;1,2;1,2"),
        ("DRAGONFLY", "2,1;2,1;2,1;2"),
    ]
    file = tmp_path / "lecture.xml"
    assert main(["platform", "export", "lecture_cluster", "--simgrid", str(file)]) == 0
    assert 'speed="10000000000.0f"' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [("--nodes 0", "nodes is 0"), ("--link-bandwidth -5", "link_bytes_per_s is -5"), ("--link-latency 99", "latency")],
)
def test_what_is_given_is_checked_before_the_probes(
    words: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rooftop.probe.machine", lambda *_, **__: pytest.fail("the probes ran"))
    assert main(["platform", "here", *words.split()]) == 2
    assert told in capsys.readouterr().err
