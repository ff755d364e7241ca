"""Campaigns that grow in a store as real ones do, and what a store holds, in words that are the same in any store."""

from __future__ import annotations

import time
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from still_machine import StillMachine
from still_place import Place

from rooftop.command.driver import as_module
from rooftop.command.line import from_words
from rooftop.command.spec import Spec
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState
from rooftop.store.campaign_store import CampaignStore
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

COMMANDS = ("old", "new")
ROOF = StillMachine().machine(None).roofs[0]


class Growing:
    """One campaign, measured in one session at a time."""

    def __init__(self, store: Store, name: str, cases: int = 1) -> None:
        self.name, self._taken, self._blocks = name, 0, 0
        self.cases = [_case(f"case {number}") for number in range(cases)]
        self._journal = CampaignStore.create(
            store,
            campaign=name,
            request={"kind": "compare", "commands": [[one, one] for one in COMMANDS]},
            fingerprint={"machine": "still"},
            machine=Place().identity(),
            cases=self.cases,
            conditions={"load": 0},
        )
        self._restored()

    def _restored(self) -> None:
        for case in self.cases:
            self._journal.restore(case)

    def resume(self, store: Store) -> None:
        """Begin another session, in this store or another one that has the campaign."""
        (row,) = select(store, CampaignRow, "WHERE id = ?", self.name)
        self._journal = CampaignStore(store, row, {"load": 1})
        self.cases = [_case(case.name) for case in self.cases]
        self._restored()

    def measure(self, samples: int = 3) -> None:
        """Take samples of all arms in turn."""
        for case in self.cases:
            for arm in case.arms:
                if arm.key is None:
                    arm.outcome, arm.iterations, arm.run_s = "ok", 5, 0.01
                    self._journal.arm_changed(case, arm)
            case.blocks += 1
            self._journal.case_changed(case)
            for _ in range(samples):
                self._taken += 1
                arm = case.arms[self._taken % 2]
                ranks = (1.0, 2.0) if self._taken % 3 else None
                sample = Sample(case.blocks, self._taken % 2, 5, 1e7 + self._taken, time.time_ns(), ranks, {"x": 0.5})
                self._journal.sample_taken(case, arm, sample)

    def fail(self) -> None:
        """Change an arm that was stored."""
        case = self.cases[0]
        arm = case.arms[0]
        arm.outcome, arm.reason = "failed", f"exit code {self._taken}"
        self._journal.arm_changed(case, arm)

    def finish_case(self) -> None:
        self.cases[0].stopped = "resolved"
        self._journal.case_finished(self.cases[0])

    def look(self) -> None:
        self._journal.add_roofs([ROOF])

    def keep_file(self, contents: str | None) -> None:
        self._journal.keep_files({Path("/bin/old"): contents})

    def end(self) -> None:
        self._journal.keep_beside({"found": self._taken})
        self._journal.end_session({"load": 2})

    def finish(self) -> None:
        self._journal.finish()


def _case(name: str) -> CaseState:
    arms = [Arm(as_module(one, Spec(from_words([one]))), "command") for one in COMMANDS]
    return CaseState("compare", "", name, {"name": name}, 1.0, arms)


def contents(store: Store) -> dict[str, Any]:
    """Return all that a store holds, without the numbers that it gave the rows itself."""
    return {row.id: (row, _of_campaign(store, row.id)) for row in select(store, CampaignRow, "")}


def _of_campaign(store: Store, campaign: str) -> Any:
    of_campaign = "WHERE campaign = ? ORDER BY id"
    sessions = select(store, SessionRow, of_campaign, campaign)
    cases = select(store, CaseRow, of_campaign, campaign)
    begun = {row.id: row.started_s for row in sessions}
    names = {row.id: row.name for row in cases}
    arms = [row for row in select(store, ArmRow, "ORDER BY id") if row.case_id in names]
    arm_names = {row.id: (names[row.case_id], row.name, row.role) for row in arms}
    samples = [row for row in select(store, SampleRow, "ORDER BY id") if row.arm_id in arm_names]
    return [
        *([replace(row, id=None) for row in rows] for rows in (sessions, cases)),
        [(names[row.case_id], replace(row, id=None, case_id=0)) for row in arms],
        [
            (arm_names[row.arm_id], begun[row.session_id], replace(row, id=None, arm_id=0, session_id=0))
            for row in samples
        ],
        [replace(row, id=None) for row in select(store, RoofRow, of_campaign, campaign)],
        [astuple(replace(row, id=None)) for row in select(store, FileRow, of_campaign, campaign)],
    ]
