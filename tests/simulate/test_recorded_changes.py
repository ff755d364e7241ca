"""What changes gain for a recording, and which questions a recording cannot answer."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.simulate import recorded
from rooftop.simulate.layout import laid_out
from rooftop.simulate.options import Options
from rooftop.simulate.platform_text import as_toml
from rooftop.simulate.recorded_changes import changed
from rooftop.simulate.recording import Operation, Recording
from rooftop.simulate.replay import missing, replay
from rooftop.simulate.what_if import read_changes

replays = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def written(folder: Path, **work: Any) -> Path:
    """Write a recording of two ranks that work, twice in a loop, and then exchange 1 MB one way."""
    body: list[Operation] = [{"op": "work", **work}, {"op": "loop", "times": 2, "body": [{"op": "work", **work}]}]
    ends: list[Operation] = [{"op": "send", "to": 1, "bytes": 1e6}, {"op": "recv", "from": 0}]
    path = folder / "two.jsonl"
    Recording(2, [([rank], [*body, end]) for rank, end in enumerate(ends)]).write(path)
    return path


def gains(path: Path, text: str) -> dict[str, float]:
    layout = laid_out(plain(2), 2)
    base_s = replay(path, layout).seconds
    found = changed(path, layout, {}, read_changes("--what-if", text), base_s)
    assert all(one.gain == pytest.approx(base_s / one.seconds) for one in found)
    return {one.change: base_s - one.seconds for one in found}


@replays
def test_a_faster_node_shortens_the_work_that_was_recorded(tmp_path: Path) -> None:
    path = written(tmp_path, seconds=0.1)
    before = path.read_text(encoding="utf-8")
    saved = gains(path, "node=*2,bandwidth=*2,latency=/2")
    assert saved["node=*2"] == pytest.approx(0.15, rel=1e-3)
    assert saved["bandwidth=*2"] == pytest.approx(0.5e-3, rel=0.02)  # half of 1 MB at 1 GB/s
    assert 0 < saved["latency=/2"] < 1e-5
    assert saved["all of them"] == pytest.approx(saved["node=*2"] + saved["bandwidth=*2"] + saved["latency=/2"])
    assert path.read_text(encoding="utf-8") == before


@replays
def test_flops_and_seconds_are_told_apart(tmp_path: Path) -> None:
    assert gains(written(tmp_path, flops=1e8), "compute=*2")["compute=*2"] == pytest.approx(0.15, rel=1e-3)
    path = written(tmp_path, seconds=0.1)
    for name in ("compute", "memory"):
        with pytest.raises(Misuse, match=rf"--what-if {name}=\*2: work of .*two.jsonl is in seconds"):
            gains(path, f"node=*2,{name}=*2")


@replays
def test_they_are_told_in_lines_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = tmp_path / "plain.toml"
    machine.write_text(as_toml(plain(2)), encoding="utf-8")
    line = f"simulate {written(tmp_path, seconds=0.1)} --platform {machine} --what-if bandwidth=*2,node=*2"
    assert main(shlex.split(line)) == 0
    told = capsys.readouterr().out.replace("\u202f", " ").splitlines()
    assert [text.partition(":")[0] for text in told[-3:]] == ["all of them", "node=*2", "bandwidth=*2"]
    assert main([*shlex.split(line), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/replayed/1"
    assert [one["change"] for one in content["changes"]] == ["bandwidth=*2", "node=*2", "all of them"]


@replays
def test_a_recording_is_placed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine, path = tmp_path / "plain.toml", tmp_path / "four.jsonl"
    machine.write_text(as_toml(plain(2, 2)), encoding="utf-8")
    ends: list[Operation] = [{"op": "send", "to": 1, "bytes": 1e6}, {"op": "recv", "from": 0}]
    Recording(4, [([0], ends[:1]), ([1], ends[1:]), ([2, 3], [])]).write(path)
    line = f"simulate {path} --platform {machine} --placement round-robin,block"
    assert main([*shlex.split(line), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    (block,) = content["placements"]
    # Within a node 1 MB is copied at half of its memory's 10 GB/s, between two it takes a link of 1 GB/s.
    assert (content["placement"], block["placement"]) == ("round-robin", "block")
    assert block["gain"] == pytest.approx(5, rel=0.05)
    assert main(shlex.split(line)) == 0
    assert "placement block: " in capsys.readouterr().out


def test_more_ranks_than_cpus_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body: list[Operation] = [{"op": "barrier", "bytes": 0, "group": "world", "root": 0}]
    monkeypatch.setattr(recorded, "record", lambda _: Recording(2, [([0, 1], body)]))
    lines = {}
    for cores in (1, 2):
        monkeypatch.setattr(recorded, "cores_now", lambda cores=cores: cores)
        lines[cores] = list(recorded.record_to(tmp_path / "a.jsonl", [], Options()))
    assert lines[1][1] == "2 ranks on 1 CPU: their work is recorded with the time in which they waited for a CPU"
    assert len(lines[2]) == 1
