"""A recording on the command line: what is replayed, and files and options that are refused in one line."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.simulate.layout import laid_out
from rooftop.simulate.recording import FORMAT, Recording
from rooftop.simulate.replay import missing, replay
from rooftop.simulate.topologies import Dragonfly

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
ON = "--platform lecture_cluster"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is written away from the user's own."""
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))


def written(folder: Path, *body: dict[str, Any], ranks: int = 2) -> Path:
    path = folder / "own.jsonl"
    Recording(ranks, [(range(ranks), body)]).write(path)
    return path


def refused(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(shlex.split(words)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_recording_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, {"op": "loop", "times": 10**9, "body": [{"op": "work", "seconds": 1e-3}]})
    assert main(["simulate", str(path), *ON.split(), "--ranks", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seconds"] == pytest.approx(1e6)


@pytest.mark.parametrize("option", ["--target 1s", "--set n=4", "--model"])
def test_options_of_other_programs_are_not_ignored(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, {"op": "barrier"})
    assert f"{option.split(maxsplit=1)[0]} is of programs by name" in refused(f"simulate {path} {ON} {option}", capsys)
    told = refused(f"simulate --record {path} {option} -- mpirun -np 2 ./app", capsys)
    assert f"{option.split(maxsplit=1)[0]} is for its replay" in told


def test_a_file_that_cannot_be_written_is_told_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"simulate --record {tmp_path}/none/own.jsonl -- mpirun -np 2 sh -c 'touch {tmp_path}/ran'"
    assert "there is no folder" in refused(words, capsys)
    assert not (tmp_path / "ran").exists()


def test_pipes_and_too_many_ranks_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    os.mkfifo(tmp_path / "pipe.toml")
    assert "is no regular file" in refused(f"simulate {tmp_path}/pipe.jsonl {ON}", capsys)
    assert "is a pipe" in refused(f"platform check {tmp_path}/pipe.toml", capsys)
    (tmp_path / "many.jsonl").write_text(json.dumps({"format": FORMAT, "ranks": 1_000_000}), encoding="ascii")
    assert "has 1000000 ranks, expected at most 4096" in refused(f"simulate {tmp_path}/many.jsonl {ON}", capsys)
    (tmp_path / "deep.jsonl").write_text("[" * 100_000 + "]" * 100_000, encoding="ascii")
    assert "cannot be read" in refused(f"simulate {tmp_path}/deep.jsonl {ON}", capsys)
    assert "there are 2 programs" in refused(f"simulate {written(tmp_path)} more {ON}", capsys)


@pytest.mark.parametrize(
    ("operation", "what"),
    [
        ({"op": "alltoall", "bytes": 1e300}, "'bytes' is 1e+300, expected 0 to"),
        ({"op": "work", "bytes": 1e300}, "'bytes' is 1e+300"),
        ({"op": "work", "seconds": -1}, "'seconds' is -1"),
        ({"op": "work", "flops": 1, "threads": 1e300}, "'threads' is 1e+300"),
        ({"op": "alltoall", "counts": [-5, 8]}, "'counts' is -5"),
        ({"op": "bcast", "bytes": 8, "root": 1e300}, "1e+300 is no whole number"),
        ({"op": "send", "to": 1.5, "bytes": 8}, "1.5 is no whole number"),
        ({"op": "send", "to": 2**40, "bytes": 8}, "1099511627776 is too large"),
        ({"op": "send", "to": 1, "bytes": 8, "tag": -1}, "-1 is negative"),
        ({"op": "loop", "times": 10**9, "body": []}, "does not repeat within 1048576"),
        (
            {"op": "loop", "times": 9, "body": [{"op": "loop", "times": 10**9, "body": [{"op": "barrier"}]}]},
            "a loop in a loop does 2e+09 operations, expected at most 1e+08",
        ),
        ({"op": "recv", "from": 0}, "the replay: 2 ranks wait for ever: rank 0 waits for a message"),
    ],
)
def test_a_recording_that_makes_no_sense(
    operation: dict[str, Any], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert what in refused(f"simulate {written(tmp_path, operation)} {ON}", capsys)


def test_a_dragonfly_that_simgrid_cannot_route_is_refused() -> None:
    shape = Dragonfly(topology="dragonfly", groups=4, chassis=4, routers=2, nodes_per_router=2)
    platform = plain(64)
    layout = laid_out(platform.model_copy(update={"network": platform.network.model_copy(update={"shape": shape})}), 64)
    with pytest.raises(Misuse, match="groups is 4: SimGrid's dragonflies have at most"):
        replay(Recording(64, [(range(64), [{"op": "barrier"}])]), layout)


def test_a_chain_is_pipelined() -> None:
    layout = laid_out(plain(8), 8)
    size = 1 << 24
    one = Recording(8, [(range(8), [{"op": "bcast", "bytes": size, "root": 0}])])
    chain, flat = (replay(one, layout, {"bcast": name}).seconds for name in ("chain", "flat"))
    assert chain < 0.2 * flat
