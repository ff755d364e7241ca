"""A user's own program: recorded once, then replayed on a platform. Nothing of it is kept in the store."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from pydantic import Field

from rooftop.command.option import spelled
from rooftop.errors import Misuse
from rooftop.machine.identity import cores_now
from rooftop.simulate.building import build
from rooftop.simulate.collectives import ALGORITHMS, BEST
from rooftop.simulate.document import ChangeRow, PlacementRow
from rooftop.simulate.efficiencies import Efficiencies, efficiencies
from rooftop.simulate.layout import laid_out
from rooftop.simulate.options import Options
from rooftop.simulate.placement import BLOCK, placed
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.record import record
from rooftop.simulate.recorded_changes import changed
from rooftop.simulate.recording import FORMAT
from rooftop.simulate.replay import MOST_REPLAYED, Replayed, replay
from rooftop.text.plural import plural
from rooftop.text.quantities import ratio, seconds

ENDING = ".jsonl"
_OF_RECORDINGS = ("platform", "ranks", "threads", "per_node", *ALGORITHMS, "replay", "what_if", "placement")
_LONGEST_HEAD = 1 << 26  # bytes; it has the ranks of all groups


def first_option(options: Options, but: Collection[str] = ()) -> str | None:
    """Return the first option that was given, apart from some fields."""
    return next((word.partition("=")[0] for word in spelled(options, without=but)), None)


class ReplayedRecording(Replayed):
    """What came of a recording's replay, and of its replays with each change."""

    efficiencies: Efficiencies
    changes: list[ChangeRow] = Field(default_factory=list)
    placement: str = BLOCK
    placements: list[PlacementRow] = Field(default_factory=list)


def record_to(path: Path, words: Sequence[str], options: Options, built_by: str | None = None) -> Iterator[str]:
    """Build an MPI program, run it, write what its ranks did, and yield lines about it. Raises Misuse and NotBuilt."""
    if (other := first_option(options)) is not None:
        raise Misuse(f"--record writes what a program does: {other} is for its replay")
    if path.suffix != ENDING:
        raise Misuse(f"--record is {path}, expected a file that ends with {ENDING}")
    if built_by is not None:
        build(built_by, words)
    recording = record(words)
    try:
        recording.write(path)
    except OSError as error:
        raise Misuse(f"{path} cannot be written: {error.strerror}") from error
    calls = sum(one["op"] != "work" for _, body in recording.programs for one in body)
    yield f"{path}: {plural(calls, 'call')} of {plural(recording.ranks, 'rank')}"
    if recording.ranks > (cores := cores_now()):
        yield (
            f"{plural(recording.ranks, 'rank')} on {plural(cores, 'CPU')}: "
            "their work is recorded with the time in which they waited for a CPU"
        )


def ranks_of(path: Path) -> int:
    """Return how many ranks a recording has. Raises Misuse."""
    if path.exists() and not path.is_file():  # a pipe is waited for, and it is read twice
        raise Misuse(f"{path} is no regular file, expected a recording")
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline(_LONGEST_HEAD))
    except (OSError, ValueError, RecursionError) as error:  # the last of brackets in brackets
        raise Misuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    found = head.get("ranks") if isinstance(head, dict) and head.get("format") == FORMAT else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise Misuse(f"{path} is no recording: its first line has no format {FORMAT!r} with a number of ranks")
    if found > MOST_REPLAYED:
        raise Misuse(f"{path} has {found} ranks, expected at most {MOST_REPLAYED}")
    return found


def replay_file(path: Path, options: Options, spans: int = 0) -> ReplayedRecording:
    """Replay a recording on the platform that was asked for, and with each change. Raises Misuse and NotBuilt.

    spans  of each rank that are kept
    """
    if (other := first_option(options, _OF_RECORDINGS)) is not None:
        raise Misuse(f"{path} is a recording, which is replayed: {other} is of programs by name, such as ft")
    if options.platform is None:
        raise Misuse("there is no platform: expected --platform NAME, one of 'rooftop platform list', or a file")
    ranks = ranks_of(path)
    if options.ranks not in ((), (ranks,)):
        raise Misuse(f"--ranks is {','.join(map(str, options.ranks))}, and the recording is of {ranks}")
    for name, algorithm in options.algorithms.items():
        if algorithm == BEST:
            raise Misuse(
                f"--{name} is {BEST}, which the model finds: expected the name of an algorithm with a recording"
            )
    blocks = laid_out(named_platform(options.platform), ranks, options.threads, options.per_node)
    layout = placed(blocks, options.placements[0], path)
    found = replay(path, layout, options.algorithms, spans=spans)
    changes = changed(path, layout, options.algorithms, options.changes, found.seconds)
    factors = efficiencies(path, layout, options.algorithms, found)
    others = []
    for one in options.placements[1:]:
        taken_s = replay(path, placed(blocks, one, path), options.algorithms).seconds
        gain = found.seconds / taken_s if taken_s else 1.0
        others.append(PlacementRow(placement=one, ranks=ranks, seconds=taken_s, gain=gain))
    more = {
        "efficiencies": factors.model_dump(),
        "changes": changes,
        "placement": options.placements[0],
        "placements": others,
    }
    return ReplayedRecording.model_validate(found.model_dump(by_alias=True) | more)


def lines(path: Path, found: ReplayedRecording) -> Iterator[str]:
    """Yield what a replay tells."""
    yield f"{path}: {seconds(found.seconds)} on {plural(len(found.ranks), 'rank')}"
    computing = max(one.computing_s for one in found.ranks)
    inside = max(one.in_calls_s for one in found.ranks)
    yield f"work {seconds(computing)} at most, MPI calls {seconds(inside)} at most"
    yield str(found.efficiencies)
    for row in sorted(found.changes, key=lambda one: -one.gain):
        yield f"{row.change}: {seconds(row.seconds)}, {ratio(row.gain)}"
    for one in found.placements:
        yield f"placement {one.placement}: {seconds(one.seconds)}, {ratio(one.gain)} over {found.placement}"
