"""Feed the readers of platforms and of recordings inputs that keep the structure of good ones."""

from __future__ import annotations

import copy
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import PageOption
from benchmarks.fuzzing.fed_runs import KEPT, Run, keep_run, read_record
from benchmarks.fuzzing.fuzzing import PAGE
from benchmarks.fuzzing.fuzzing_page import write_fuzzing
from benchmarks.fuzzing.mesh_fuzzing import finding
from rooftop.command.process import Limits
from rooftop.errors import RooftopError
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles
from rooftop.simulate import replay
from rooftop.simulate.layout import laid_out
from rooftop.simulate.options import Options
from rooftop.simulate.platform_files import known_platforms, read_platform
from rooftop.simulate.recorded import replay_file
from rooftop.simulate.recording import FORMAT

_LIMITS = Limits(timeout_s=8.0, memory_bytes=1 << 30, output_bytes=1 << 20)  # of a replay; a user's may take more
_CRASHED = "status -"
_REPORT_EVERY = 500
_LINES = [
    "0", "-1", "1", "1.5", "-0.0", "1e300", "1e-300", "nan", "inf", "2147483648", "9223372036854775808", "9" * 5000,
    '""', '"crossbar"', '"torus"', '"fat_tree"', '"dragonfly"', '"x\\n\\u001b[2J"', "true", "[]", "[0]", "[-1, 2]",
    "[4294967295, 4294967295]", "[2, 3, 2]", "{}", "[" * 3000, "1979-05-27", "'''\n'''",
]  # fmt: skip
_DEEP = "brackets in brackets"  # stands for them until a recording is written
_VALUES: list[Any] = [
    0, -1, 1, 2, 1.5, 1e300, 1e-300, float("nan"), float("inf"), 2**31, 2**53, 2**63, 2**64, 10**400, "", "send",
    _DEEP, "recv", "bcast", "alltoall", "loop", "wait", "work", "barrier", "world", "odd", "x\n\u001b[2J\u202e",
    "\ud800", None, True, [], [0], [0, 0], [3, 1], [-1], [2**31], {}, {"op": "barrier"}, [{"op": "barrier"}],
]  # fmt: skip
_BYTES = [b"[" * 20_000, b"\xff", b"\0", b'"', b"\n", b"9" * 5000]
_SHAPES = ["groups", "dimensions", "down", "up", "links"]
_KEYS = ("op", "bytes", "to", "from", "tag", "root", "group", "counts", "request", "requests", "times", "body", "ranks")
_LOOP = {"op": "loop", "times": 1000, "body": [
    {"op": "alltoall", "bytes": 4096, "request": 1},
    {"op": "work", "seconds": 1e-4},
    {"op": "wait", "requests": [1]},
    {"op": "loop", "times": 3, "body": [{"op": "bcast", "bytes": 64, "root": 1}]},
]}  # fmt: skip
_COUNTS = {"op": "alltoall", "counts": [1, 2, 3, 4]}
RECORDING: list[Any] = [
    {"format": FORMAT, "ranks": 4, "groups": {"pair": [0, 1], "odd": [1, 3]}},
    {
        "ranks": [0],
        "body": [
            {"op": "work", "flops": 1e6, "bytes": 1e5, "threads": 2, "polls": 3},
            _LOOP,
            {"op": "send", "to": 1, "bytes": 1e5, "tag": 7},
            {"op": "allreduce", "bytes": 8, "group": "pair"},
            _COUNTS,
        ],
    },
    {
        "ranks": [1],
        "body": [
            _LOOP,
            {"op": "recv", "from": 0, "bytes": 1e5, "tag": 7, "request": 3},
            {"op": "wait", "requests": [3]},
            {"op": "allreduce", "bytes": 8, "group": "pair"},
            _COUNTS,
        ],
    },
    {"ranks": [2, 3], "body": [_LOOP, _COUNTS]},
]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return all containers with their keys or places."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    found: list[tuple[Any, Any]] = []
    for key in keys:
        found += [(value, key), *_places(value[key])]
    return found


def mutated_recording(random_: random.Random) -> bytes:
    """Return a recording with one to three changes: of a value, of a key, of its lines, or of its bytes."""
    lines = json.loads(json.dumps(RECORDING))  # nothing of it is shared
    for _ in range(random_.choice([1, 1, 2, 3])):
        if not (places := _places(lines)):
            break
        holder, key = random_.choice(places)
        kind = random_.randrange(8)
        if kind < 4:
            holder[key] = copy.deepcopy(random_.choice(_VALUES))
        elif kind == 4:
            del holder[key]
        elif kind == 5 and isinstance(holder, dict):
            holder[random_.choice(_KEYS)] = copy.deepcopy(random_.choice(_VALUES))
        elif kind == 6 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(random_.choice(places)[0]))
        else:
            other, there = random_.choice(places)
            holder[key] = copy.deepcopy(other[there])
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    written = bytearray(text.replace(f'"{_DEEP}"', "[" * 100_000 + "]" * 100_000).encode())
    if random_.random() < 0.15:
        at = random_.randrange(len(written))
        written[at : at + random_.randrange(3)] = random_.choice(_BYTES)
    return bytes(written)


def mutated_platform(random_: random.Random) -> bytes:
    """Return a known platform with one to four changes: of a value, or of its lines."""
    lines = random_.choice(sorted(known_platforms().values())).read_text(encoding="utf-8").split("\n")
    for _ in range(random_.choice([1, 1, 2, 4])):
        at = random_.randrange(len(lines))
        kind = random_.randrange(8)
        name, equals, _ = lines[at].partition(" = ")
        if kind < 5 and equals:
            lines[at] = f"{name} = {random_.choice(_LINES)}"
        elif kind == 5:
            lines.insert(at, lines[random_.randrange(len(lines))])
        elif kind == 6:
            lines.insert(at, f"{random_.choice(_SHAPES)} = {random_.choice(_LINES)}")
        else:
            del lines[at]
    return "\n".join(lines).encode()


def _read_platform(path: Path) -> None:
    """Read a platform, and replay on it what may be replayed on any: what is read is used."""
    platform = read_platform(path)
    replay.machine_of(laid_out(platform, min(4, platform.nodes * platform.node.cores)))


def _read_recording(path: Path) -> None:
    try:
        replay_file(path, Options(platform="lecture_cluster"))
    except RooftopError as error:
        if _CRASHED in str(error):
            raise RuntimeError(f"the replayer crashed: {error}") from error
        raise


READ: dict[str, tuple[str, Callable[[random.Random], bytes], Callable[[Path], None]]] = {
    "platform": (".toml", mutated_platform, _read_platform),
    "recording": (".jsonl", mutated_recording, _read_recording),
}


def main(
    reader: Annotated[str, typer.Argument(help="platform or recording.")] = "recording",
    inputs: Annotated[int, typer.Option(min=1)] = 3000,
    seed: Annotated[int, typer.Option()] = 1,
    seconds: Annotated[int, typer.Option(min=1, help="The most that it takes.")] = 3600,
    to: PageOption = PAGE,
) -> None:
    """Feed so many inputs, keep those with a finding, and write the page."""
    if reader not in READ:
        raise typer.BadParameter(f"{reader!r} is no reader that is fed; expected platform or recording")
    suffix, mutated, read = READ[reader]
    replay._LIMITS = _LIMITS
    name = f"simulations.{reader}"
    finds = KEPT / f"{name}-found"
    finds.mkdir(parents=True, exist_ok=True)
    random_ = random.Random(seed + 1_000_003 * read_record().inputs(name))
    began, fed, found = time.monotonic(), 0, ""
    with tempfile.TemporaryDirectory(prefix="rooftop-simulation-fuzzing-") as folder:
        path = Path(folder) / f"fed{suffix}"
        while fed < inputs and time.monotonic() - began < seconds:
            path.write_bytes(mutated(random_))
            fed += 1
            if what := finding(path, read):
                found = f"{seed}-{fed}{suffix}"
                (finds / found).write_bytes(path.read_bytes())
                print(f"{found}: {what[:300]}", file=sys.stderr, flush=True)
            if fed % _REPORT_EVERY == 0:
                print(f"{fed} inputs in {time.monotonic() - began:.0f} s", flush=True)
    run = Run(name, fed, round(time.monotonic() - began, 1), 1, found, processor(SystemFiles()).name)
    keep_run(run)
    write_fuzzing(to, read_record())
    print(f"{name}: {fed} inputs in {run.seconds} s, {found or 'nothing found'}")
    raise typer.Exit(1 if found else 0)
