"""A user's own program: recorded once, then replayed on a platform. Nothing of it is kept in the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.simulate.collectives import BEST
from rooftop.simulate.layout import laid_out
from rooftop.simulate.options import Options
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.record import record
from rooftop.simulate.recording import FORMAT
from rooftop.simulate.replay import Replayed, replay
from rooftop.text.plural import plural
from rooftop.text.quantities import percent, seconds

ENDING = ".jsonl"
_LONGEST_HEAD = 1 << 26  # bytes; it has the ranks of all groups


def record_to(path: Path, words: Sequence[str]) -> str:
    """Run an MPI program, write what its ranks did, and return a line about it. Raises Misuse and NotBuilt."""
    if path.suffix != ENDING:
        raise Misuse(f"--record is {path}, expected a file that ends with {ENDING}")
    recording = record(words)
    try:
        recording.write(path)
    except OSError as error:
        raise Misuse(f"{path} cannot be written: {error.strerror}") from error
    calls = sum(one["op"] != "work" for _, body in recording.programs for one in body)
    return f"{path}: {plural(calls, 'call')} of {plural(recording.ranks, 'rank')}"


def ranks_of(path: Path) -> int:
    """Return how many ranks a recording has. Raises Misuse."""
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline(_LONGEST_HEAD))
    except (OSError, ValueError) as error:
        raise Misuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    found = head.get("ranks") if isinstance(head, dict) and head.get("format") == FORMAT else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise Misuse(f"{path} is no recording: its first line has no format {FORMAT!r} with a number of ranks")
    return found


def replay_file(path: Path, options: Options) -> Replayed:
    """Replay a recording on the platform that was asked for. Raises Misuse and NotBuilt."""
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
    layout = laid_out(named_platform(options.platform), ranks, options.threads, options.per_node)
    return replay(path, layout, options.algorithms)


def lines(path: Path, found: Replayed) -> Iterator[str]:
    """Yield what a replay tells."""
    yield f"{path}: {seconds(found.seconds)} on {plural(len(found.ranks), 'rank')}"
    computing = max(one.computing_s for one in found.ranks)
    inside = max(one.in_calls_s for one in found.ranks)
    yield f"work {seconds(computing)} at most, MPI calls {seconds(inside)} at most, balance {percent(found.balance)}"
