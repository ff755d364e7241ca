"""``rooftop simulate``: its document, its lines, its page, and what it refuses."""

from __future__ import annotations

import html
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain

from rooftop.cli.app import main
from rooftop.simulate.document import PointRow
from rooftop.simulate.platform import Messages, MessageTime
from rooftop.simulate.platform_files import FOLDER
from rooftop.simulate.platform_text import as_toml
from rooftop.simulate.replay import missing
from rooftop.simulate.run import Simulation
from rooftop.text.quantities import seconds

pytestmark = pytest.mark.usefixtures("scratch")

LECTURE = "simulate ft --platform lecture_cluster"
FT = "simulate ft --platform sw26010_groups --threads 64 --set iterations=1000"


def document(words: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main([*shlex.split(words), "--json"]) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/simulate/1"
    return content


def test_a_curve_with_its_split(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(f"{FT} --ranks 64,128,256 --set pipelined=1 --model", capsys)
    assert [one["ranks"] for one in content["points"]] == [64, 128, 256]
    assert content["method"] == "model"
    for one in content["points"]:
        assert one["seconds"] == pytest.approx(one["compute_s"] + one["transfer_s"] - one["hidden_s"])
        assert one["seconds"] == pytest.approx(sum(phase["seconds"] for phase in one["phases"]))
    first, _, last = content["points"]
    assert first["seconds"] == pytest.approx(37, rel=0.005)
    assert last["speedup"] == pytest.approx(first["seconds"] / last["seconds"])
    assert last["efficiency"] == pytest.approx(last["speedup"] / 4)
    assert "node.memory_bytes_per_s" in content["assumed"]
    assert "node.core_flops_per_s" not in content["assumed"]


def test_what_is_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"{FT} --ranks 64 --set pipelined=1 --what-if bandwidth=*2,alltoall=bruck --target 30s"
    assert main(shlex.split(words)) == 0
    out = capsys.readouterr().out
    assert "ft on 256 core groups" in out
    assert "64 ranks: limited: first transform by the cores and iterations by the cores; alltoall by pairwise" in out
    assert "of transfer are hidden; perfect overlap would hide" in out
    assert "64 ranks, bandwidth=*2: " in out
    assert "64 ranks, all of them: " in out
    assert "64 ranks in 30.0 s: bandwidth *1.3" in out.replace("\u202f", " ")
    assert "64 ranks in 30.0 s: latency alone cannot: " in out.replace("\u202f", " ")
    assert "assumed figures of the platform: node.memory_bytes_per_s" in out


def test_it_is_a_campaign_with_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    content = document(f"{FT} --ranks 64,256 --what-if latency=/2 --target 20s", capsys)
    assert main(["list", "--campaigns", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["campaigns"]
    assert (listed["id"], listed["kind"]) == (content["campaign"], "simulate")
    assert listed["subject"].startswith("ft --platform sw26010_groups --ranks 64,256")
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page), content["campaign"]]) == 0
    text = page.read_text(encoding="utf-8")
    assert "ft simulated on 256 core groups" in text
    assert "latency=/2" in text
    assert content["reproduce"] in html.unescape(text)


def test_the_line_to_copy_asks_for_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"{FT} --ranks 64,128 --set nx=256 --ranks-per-node 1 --bcast chain --what-if node=*2 --target 1m --model"
    content = document(words, capsys)
    reproduce = content["reproduce"].removeprefix("rooftop ")
    again = document(reproduce, capsys)
    assert again["points"] == content["points"]
    assert again["reproduce"] == content["reproduce"]


def test_a_users_own_platform_is_kept_with_the_campaign(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(as_toml(plain(8, 4)), encoding="utf-8")
    content = document(f"simulate elasticity --platform {file} --ranks 1,2,32", capsys)
    file.unlink()
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page), content["campaign"]]) == 0
    assert seconds(content["points"][-1]["seconds"]) in page.read_text(encoding="utf-8")


def test_an_interrupted_simulation_goes_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document(f"{FT} --ranks 64,128,256", capsys)
    computed: list[int] = []
    point = Simulation.point

    def interrupted(self: Simulation, ranks: int) -> PointRow:
        if ranks == 128 and not computed[1:]:
            computed.append(ranks)
            raise KeyboardInterrupt
        computed.append(ranks)
        return point(self, ranks)

    monkeypatch.setattr(Simulation, "point", interrupted)
    assert main([*shlex.split(f"{FT} --ranks 64,128,256"), "--json"]) == 130
    assert [one["ranks"] for one in json.loads(capsys.readouterr().out)["points"]] == [64]
    assert main(["simulate", "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"] == whole["points"]
    assert computed == [64, 128, 128, 256]


def test_it_is_the_same_bit_for_bit(capsys: pytest.CaptureFixture[str]) -> None:
    words = f"{FT} --ranks 64,100,256 --alltoall best"
    assert document(words, capsys)["points"] == document(words, capsys)["points"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("simulate", "there is no program to simulate: rooftop simulate NAME"),
        ("simulate nbody --platform lecture_cluster --ranks 2", "there is no model of 'nbody'; there are: "),
        ("simulate ft --ranks 2", "there is no platform: expected --platform NAME"),
        ("ON", "there are no ranks: expected --ranks 16,64,256"),
        ("simulate ft --platform cray --ranks 2", "there is no platform 'cray', and a file ends with .toml; there are"),
        ("simulate ft --platform cray.toml --ranks 2", "cray.toml cannot be read: No such file or directory"),
        ("ON --ranks 0", "expected whole numbers from 1"),
        ("ON --ranks 2,x", "--ranks"),
        ("ON --ranks 193", "193 ranks of 1 thread take 13 nodes, and the platform has 12"),
        ("ON --ranks 12 --threads 17", "threads is 17, and a node of this platform has 16"),
        ("ON --ranks 12 --threads 0", "--threads is 0, expected 1 or more"),
        ("ON --ranks 2 --set n=3", "ft has no parameter 'n'"),
        ("ON --ranks 2 --set nx", "--set is 'nx', expected NAME=NUMBER"),
        ("ON --ranks 2 --set nx=nan", "--set is 'nx=nan', expected NAME=NUMBER"),
        ("ON --ranks 2 --set nx=2 --set nx=4", "--set sets nx twice, expected once"),
        ("ON --ranks 2 --alltoall bruk", "--alltoall is 'bruk'; there are: pairwise"),
        ("ON --ranks 2 --what-if speed=*2", "--what-if has 'speed=*2'"),
        ("ON --ranks 2 --placement near", "--placement has 'near'; there are: block, round-robin, graph"),
        ("ON --ranks 2 --placement block,graph", "--placement is block,graph, which the model does not know"),
        ("ON --ranks 2 --target soon", "--target is 'soon', expected a time"),
        ("ON --ranks 64 --set nz=32", "64 ranks cannot share 32 planes"),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_line(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(words.replace("ON", LECTURE))) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert captured.err.count("\n") == 1


def test_known_machines_are_data() -> None:
    assert {file.suffix for file in FOLDER.iterdir()} == {".toml"}


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_what_a_replay_does_otherwise_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROOFTOP_ROOT")  # where the program is built
    measured = plain(2).model_copy(
        update={"messages": Messages(latency_s=1e-6, overhead_s=0.0, by_size=(MessageTime(bytes=8, message_s=1e-6),))}
    )
    file = tmp_path / "two.toml"
    file.write_text(as_toml(measured), encoding="utf-8")
    words = f"simulate halo --platform {file} --ranks 2 --set n=64 --set iterations=2"
    assert [one.split(maxsplit=1)[0] for one in document(f"{words} --model", capsys)["notes"]] == ["replays"]
    told = document(f"{words} --replay", capsys)["notes"]
    assert [one.split(maxsplit=1)[0] for one in told] == ["replays", "halos", "the"]
    assert main([*shlex.split(words), "--replay"]) == 0
    out = capsys.readouterr().out
    assert all(one in out for one in told)


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_changes_and_placements_are_replayed_once_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROOFTOP_ROOT")  # where the program is built
    file = tmp_path / "two.toml"
    file.write_text(as_toml(plain(2, 2)), encoding="utf-8")
    words = f"simulate halo --platform {file} --ranks 4 --set n=64 --replay --what-if bandwidth=*2,node=*2"
    content = document(f"{words} --placement block,round-robin", capsys)
    assert [one["change"] for one in content["changes"]] == ["bandwidth=*2", "node=*2", "all of them"]
    (other,) = content["placements"]
    assert (other["placement"], content["placement"]) == ("round-robin", "block")
    # On a ring of four, every message leaves its node where ranks are in turns.
    assert other["gain"] == pytest.approx(content["points"][0]["seconds"] / other["seconds"])
    assert other["gain"] < 1

    def again(*_: object) -> None:
        raise AssertionError("it was replayed again")

    monkeypatch.setattr(Simulation, "seconds", again)
    monkeypatch.setattr(Simulation, "replayed", again)
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page), content["campaign"]]) == 0
    text = page.read_text(encoding="utf-8")
    assert all(one in text for one in ("bandwidth=*2", "all of them", "round-robin", "gain over block"))
