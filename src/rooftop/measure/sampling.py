"""Take the samples of a case one at a time, in random order. Each is kept at once; a failure ends its arm."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from rooftop.driver.executor import DriverFailed, Executor
from rooftop.driver.protocol import CaseReply, SampleReply
from rooftop.interrupts import raise_if_interrupted, uninterrupted
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState, Journal, Watcher

T = TypeVar("T")


def fail(arm: Arm, failure: DriverFailed) -> None:
    """End an arm whose driver failed, or gave a wrong answer."""
    arm.end("wrong" if failure.wrong else "failed", failure.message, failure.stage)


@dataclass(frozen=True)
class Sampling:
    """How samples of a case are taken, whoever decides which: plain interleaving, a race, tracing."""

    case: CaseState
    journal: Journal
    watcher: Watcher
    seed: int

    def first_run(self, arm: Arm, executor: Executor, team: Team, limit_s: float) -> CaseReply:
        """Start an arm's driver, and let it run and verify once. Raises DriverFailed."""
        arm.driver = executor.start(arm.module, team)
        return arm.driver.case(self.case.parameters, self.seed, limit_s)

    @staticmethod
    def right(arm: Arm, reply: CaseReply) -> bool:
        """Whether the first run was right; an arm whose first run was not is ended."""
        if reply.outcome == "ok":
            arm.outcome = "ok"
        else:
            arm.end(reply.outcome, reply.reason or "no reason given", reply.stage or "case")
        return reply.outcome == "ok"

    def block(self, tasks: Iterable[T], doing: str | None = None) -> Iterator[tuple[int, int, T]]:
        """Begin a block; yield its number, a position in it and the task there. `doing`: what the watcher is told."""
        raise_if_interrupted()
        block = self.case.blocks
        self.case.blocks += 1
        self.journal.case_changed(self.case)
        self.watcher.progressed(self.case, doing or f"block {block + 1}")
        for position, task in enumerate(block_order(tasks, self.seed, self.case.title, block)):
            yield block, position, task

    def take(self, arm: Arm, block: int, position: int, run: Callable[[], SampleReply]) -> SampleReply | DriverFailed:
        """Take one sample and keep it; return what was measured, or the failure that has ended the arm."""
        try:
            reply = run()
        except DriverFailed as failure:
            fail(arm, failure)
            self.journal.arm_changed(self.case, arm)
            return failure
        if arm.outcome is None:  # it had no run of its own before
            arm.outcome, arm.iterations = "ok", reply.iterations
            self.journal.arm_changed(self.case, arm)
        ranks = tuple(reply.ranks_ns) if reply.ranks_ns is not None else None
        sample = Sample(block, position, reply.iterations, reply.elapsed_ns, time.time_ns(), ranks, reply.figures)
        with uninterrupted():
            arm.add(sample)
            self.journal.sample_taken(self.case, arm, sample)
        return reply


def block_order(tasks: Iterable[T], seed: int, case: str, block: int) -> list[T]:
    """Return the order of `tasks` in a block, the same for the same arguments.

    Each two blocks share one random order, and the second takes it backwards, so that of any two tasks each goes first
    equally often. A task keeps its place when others retire.
    """

    def key(task: T) -> bytes:
        return hashlib.sha256(f"{seed}/{case}/{block // 2}/{task}".encode()).digest()

    ordered = sorted(tasks, key=key)
    forward_first = hashlib.sha256(f"{seed}/{case}/{block // 2}".encode()).digest()[0] & 1
    return ordered if block % 2 == forward_first else ordered[::-1]
