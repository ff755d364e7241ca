"""The driver of a peer that is a Python program: decision 0001's requests and replies around a case.

A peer is a file of ``experiments/NAME/peers``, which ends with::

    if __name__ == "__main__":
        raise SystemExit(drive("NAME", __file__, sys.argv[1:], make, missing))
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

PROTOCOL = 1
_LONG_RUN_NS = 1_000_000_000  # from which on no untimed run comes before those that are timed


@dataclass(frozen=True)
class Verdict:
    """Whether a result is right.

    error, tolerance  the experiment's own measure; None where there is none
    wrong             what is wrong; "" where nothing is
    facts             what else is known of the result
    """

    error: float | None
    tolerance: float | None
    wrong: str = ""
    facts: list[dict[str, Any]] = field(default_factory=list)

    def reply(self) -> dict[str, Any]:
        """Return it as a part of a reply."""
        outcome = "wrong" if self.wrong else "ok"
        told = {"outcome": outcome, "reason": self.wrong or None, "error": self.error, "tolerance": self.tolerance}
        return {**told, "facts": self.facts} if self.facts else told


class SkipCaseError(Exception):
    """Raised where a case is not for this peer: why."""


class PeerCase(Protocol):
    """A case that is set up. One that has a function `reset` begins each run with it, untimed."""

    def run(self) -> None:
        """Do what is timed."""

    def poison(self) -> None:
        """Overwrite the result, so that one left untouched is caught."""

    def work(self) -> dict[str, Any]:
        """Return the work of one run, as rooftop/work.hpp has it."""

    def verdict(self) -> Verdict:
        """Verify the result."""


#: Sets up a case: (parameters, seed, threads). Raises SkipCaseError.
Make = Callable[[dict[str, Any], int, int], PeerCase]
#: Sends a reply.
Send = Callable[[dict[str, Any]], None]


def storage_read_bytes() -> int | None:
    """Return what this process has had read from storage so far; None where the system does not count it."""
    try:
        counts = Path("/proc/self/io").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in counts.splitlines() if line.startswith("read_bytes:"))
    except (OSError, StopIteration):
        return None


class PeerDriver:
    """Answers requests, one at a time."""

    def __init__(self, make: Make) -> None:
        """Start without a case."""
        self._make = make
        self._case: PeerCase | None = None
        self._run_ns = 0
        self._read_bytes: int | None = None  # from storage, by the run that is verified

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request; what cannot be understood is an error reply."""
        operation = request.get("op")
        if operation == "case":
            return self._set_up(request)
        if self._case is None:
            return {"event": "error", "message": f"'op' is {operation!r} before a case was set up: expected 'case'"}
        if operation == "calibrate":
            return self._calibrate(self._case, int(request.get("min_ns", 1_000_000)))
        if operation == "sample":
            if not hasattr(self._case, "reset") and self._run_ns < _LONG_RUN_NS:
                self._case.run()
            iterations = int(request["iterations"])
            elapsed_ns = self._time(self._case, iterations)
            return {"event": "sample", "iterations": iterations, "elapsed_ns": elapsed_ns, "ranks_ns": [elapsed_ns]}
        if operation == "verify":
            return {"event": "verify", "first_run_ns": self._run_poisoned(self._case), **self._judged(self._case)}
        return {"event": "error", "message": f"'op' is {operation!r}: expected case, calibrate, sample or verify"}

    def _set_up(self, request: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = {"event": "case", "outcome": "failed", "reason": None, "binding": None}
        self._case = None
        stage = "set_up"
        try:
            case = self._make(request["case"], int(request.get("seed", 1)), int(request.get("threads", 1)))
            stage = "run"
            reply["first_run_ns"] = self._run_poisoned(case)
            stage = "verify"
            reply |= {"work": case.work(), **self._judged(case)}
        except SkipCaseError as reason:
            return {**reply, "outcome": "skipped", "reason": str(reason)}
        except Exception as error:
            message = " ".join(str(error).split()) or type(error).__name__
            return {**reply, "stage": stage, "reason": message}
        self._case = case
        return reply

    def _run_poisoned(self, case: PeerCase) -> int:
        case.poison()
        before = storage_read_bytes() if hasattr(case, "reset") else None
        self._run_ns = self._time(case, 1)
        after = None if before is None else storage_read_bytes()
        self._read_bytes = None if before is None or after is None else after - before
        return self._run_ns

    def _judged(self, case: PeerCase) -> dict[str, Any]:
        """Return the verdict on the last run as a part of a reply; of one that began anew, what storage gave for it."""
        verdict = case.verdict()
        if self._read_bytes is not None:
            first, *others = verdict.facts or [{}]
            figures = {**first.get("figures", {}), "storage_read_bytes": self._read_bytes}
            verdict = replace(verdict, facts=[{**first, "figures": figures}, *others])
        return verdict.reply()

    def _calibrate(self, case: PeerCase, least_ns: int) -> dict[str, Any]:
        iterations = 1
        while (elapsed_ns := self._time(case, iterations)) < least_ns:
            iterations *= 2
        return {"event": "calibrate", "iterations": iterations, "elapsed_ns": elapsed_ns}

    @staticmethod
    def _time(case: PeerCase, iterations: int) -> int:
        run, reset = case.run, getattr(case, "reset", None)
        if reset is None:
            start = time.perf_counter_ns()
            for _ in range(iterations):
                run()
            return time.perf_counter_ns() - start
        elapsed_ns = 0
        for _ in range(iterations):
            reset()
            start = time.perf_counter_ns()
            run()
            elapsed_ns += time.perf_counter_ns() - start
        return elapsed_ns


@contextmanager
def protocol_streams() -> Iterator[Send]:
    """Yield what sends a reply; whatever a library prints meanwhile goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(reply: dict[str, Any]) -> None:
        replies.write(json.dumps({"protocol": PROTOCOL, **reply}) + "\n")
        replies.flush()

    yield send


def answer_requests(driver: PeerDriver, missing: str | None, send: Send) -> None:
    """Answer each line of standard input; where something is missing, every case is skipped for that reason."""
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            if missing is None:
                reply = driver.answer(request)
            else:
                reply = {"event": "case", "outcome": "skipped", "reason": missing}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reply = {"event": "error", "message": f"not a request: {error}"}
        send(reply)


def drive(experiment: str, file: str, words: list[str], make: Make, missing: str | None) -> int:
    """Run `describe` or `run` for a peer. Return the exit code.

    missing  why the peer cannot run here; None: it can
    """
    peer = Path(file)
    if not words or words[0] not in ("describe", "run"):
        print(f"usage: {peer.name} describe|run [--module FILE]", file=sys.stderr)
        return 2
    with protocol_streams() as send:
        if words[0] == "describe":
            names = {"experiment": experiment, "module": peer.stem}
            send({**names, "isa": None, "supported": missing is None, "reason": missing})
        else:
            answer_requests(PeerDriver(make), missing, send)
    return 0
