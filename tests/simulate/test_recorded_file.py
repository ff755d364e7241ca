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
from rooftop.launchers import named
from rooftop.simulate.building import compilers
from rooftop.simulate.layout import laid_out
from rooftop.simulate.record import library
from rooftop.simulate.recorded import ranks_of
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


def test_a_trace_has_each_rank_and_what_it_does(tmp_path: Path) -> None:
    body: list[dict[str, Any]] = [{"op": "work", "seconds": 2e-3}, {"op": "barrier"}, {"op": "work", "seconds": 1e-3}]
    path, to = written(tmp_path, *body), tmp_path / "trace.json"
    assert main(["simulate", str(path), *ON.split(), "--trace", str(to)]) == 0
    events = json.loads(to.read_text(encoding="utf-8"))["traceEvents"]
    assert {one["args"]["name"] for one in events if one["name"] == "process_name"} == {"rank 0", "rank 1"}
    first = [(one["name"], one["ts"], one["dur"]) for one in events if one["ph"] == "X" and one["pid"] == 0]
    assert first[0] == ("work", 0, pytest.approx(2e3))
    assert [name for name, _, _ in first] == ["work", "MPI calls", "work"]
    assert first[2][1] == pytest.approx(2e3 + first[1][2])


def test_a_trace_is_of_a_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "trace.json"
    assert "expected --replay, or a recording" in refused(f"simulate ft {ON} --ranks 4 --trace {to}", capsys)
    assert "leave it out with --record" in refused(f"simulate --record {to}l --trace {to} -- mpirun ./app", capsys)
    path = written(tmp_path, {"op": "barrier"})
    assert "there is no folder" in refused(f"simulate {path} {ON} --trace {tmp_path}/none/trace.json", capsys)
    assert not to.exists()


def test_a_program_is_traced_on_the_most_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "trace.json"
    words = (
        f"simulate halo {ON} --set n=512 --set iterations=5 --ranks 2,3 --ranks-per-node 1 --replay --json --trace {to}"
    )
    assert main(shlex.split(words)) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    events = json.loads(to.read_text(encoding="utf-8"))["traceEvents"]
    assert {one["pid"] for one in events} == {0, 1, 2}
    ended_us = max(one["ts"] + one["dur"] for one in events if one["ph"] == "X")
    assert ended_us == pytest.approx(1e6 * points[1]["seconds"])
    for point in points:
        factors = point["efficiencies"]
        assert factors["balance"] * factors["serialisation"] * factors["transfer"] == pytest.approx(
            point["balance"] * point["transfer_efficiency"], rel=1e-6
        )


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


def test_sources_are_built_before_they_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.jsonl"
    assert "expected --record" in refused(f"simulate ft {ON} --build 'make CC={{cc}}'", capsys)
    if library(named("openmpi")) is None or named("openmpi").missing() is not None:
        pytest.skip("no Open MPI")
    words = ["mpirun.openmpi", "-np", "2", "--oversubscribe", str(tmp_path / "heat"), "2"]
    source = Path(__file__).parents[2] / "docs/guide/programs/heat.c"
    build = f"{{cc}} -O1 -o {tmp_path / 'heat'} {source} -lm"
    assert main(["simulate", "--record", str(path), "--build", build, "--", *words]) == 0
    assert compilers(words)["cc"] in ("mpicc.openmpi", "mpicc")
    assert ranks_of(path) == 2
    capsys.readouterr()
    told = refused(f"simulate --record {path} --build 'false {{fc}}' -- {shlex.join(words)}", capsys)
    assert "--build: 'false mpifort" in told
    told = refused(f"simulate --record {path} --build no-such-program -- {shlex.join(words)}", capsys)
    assert "no-such-program" in told
