"""Inputs are tried in processes of their own, so that a crash or a hang is an outcome."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from benchmarks.corpora.corpus_steps import Input, Kind, LeftOut, Outcome, Part, Refused, Wrong

_MEMORY_BYTES = 8 << 30
_MOST_RESTARTS = 40


def _outcome_of(step: Any) -> tuple[Kind, str]:
    try:
        step.run()
    except Refused as reason:
        return "refused", str(reason)
    except Wrong as reason:
        return "wrong", str(reason)
    except LeftOut as reason:
        return "left out", str(reason)
    except Exception as error:  # whatever a step raises is what is looked for
        return "unnamed error", f"{type(error).__name__}: {error}"
    return "right", ""


def _child(part: Part, given: Input, scratch: Path, skip: int, pipe: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    number = -1
    try:
        for number, step in enumerate(part.steps(given, scratch)):
            if number >= skip:
                pipe.send(("begin", step.task, step.what))
                pipe.send(("end", *_outcome_of(step)))
    except (Exception, Refused) as error:
        pipe.send(("begin", "steps", f"after step {number}"))
        pipe.send(("end", "unnamed error", f"{type(error).__name__}: {error}"))
    pipe.send(("done",))
    pipe.close()
    os._exit(0)


def _death(code: int | None) -> str:
    if code is None or code >= 0:
        return f"the process ended with {code}"
    return f"the process ended by {signal.Signals(-code).name}"


def _tried(part: Part, given: Input, scratch: Path, skip: int) -> tuple[list[Outcome], bool]:
    """Return the outcomes from a step on, and whether the last step was reached."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(part, given, scratch, skip, theirs))
    process.start()
    theirs.close()
    outcomes: list[Outcome] = []
    begun: tuple[str, str] | None = None
    died: tuple[Kind, str] | None = None
    while True:
        if not ours.poll(part.LIMIT_S):
            died = ("hang", f"no end after {part.LIMIT_S:g} s")
            break
        try:
            word, *rest = ours.recv()
        except EOFError:
            process.join()
            died = ("crash", _death(process.exitcode))
            break
        if word == "done":
            break
        if word == "begin":
            begun = (rest[0], rest[1])
        elif begun is not None:
            outcomes.append(Outcome(given.name, *begun, *rest))
            begun = None
    process.kill()
    process.join()
    ours.close()
    if died is None:
        return outcomes, True
    outcomes.append(Outcome(given.name, *(begun or ("steps", "between two steps")), *died))
    return outcomes, begun is None


def outcomes_of(part: Part, given: Input) -> list[Outcome]:
    """Return what came of each step. After a crash the steps behind it are tried in another process."""
    found: list[Outcome] = []
    for _ in range(_MOST_RESTARTS):
        scratch = Path(tempfile.mkdtemp(prefix="corpora-"))
        try:
            more, ended = _tried(part, given, scratch, len(found))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        found += more
        if ended:
            break
    return found


def run_all(part: Part, inputs: Sequence[Input], jobs: int = 1) -> Iterator[tuple[Input, list[Outcome]]]:
    """Yield each input with its outcomes, `jobs` inputs at a time, and report progress on the terminal."""
    began_s = time.monotonic()
    with ThreadPool(jobs) as pool:
        yield from _told(inputs, pool.imap(partial(outcomes_of, part), inputs), began_s)


def _told(
    inputs: Sequence[Input], outcomes: Iterator[list[Outcome]], began_s: float
) -> Iterator[tuple[Input, list[Outcome]]]:
    for number, (given, found) in enumerate(zip(inputs, outcomes, strict=True), start=1):
        for one in found:
            if one.is_fault:
                print(f"{one.kind}: {one.input}, {one.what}, {one.task}: {one.reason}", flush=True)
        if number % 50 == 0 or number == len(inputs):
            print(f"{number} of {len(inputs)}, {time.monotonic() - began_s:.0f} s", file=sys.stderr, flush=True)
        yield given, found
