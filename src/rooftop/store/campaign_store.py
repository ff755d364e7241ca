"""Keeps one campaign: each fact is committed the moment it is known, so that a kill at any instant loses nothing."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import rooftop
from rooftop.documents import Machine, Outcome, Roof
from rooftop.driver.protocol import Work
from rooftop.errors import StoreError
from rooftop.interrupts import uninterrupted
from rooftop.measure.arms import Arm, Role, Sample
from rooftop.measure.case_state import CaseState
from rooftop.store.rows import insert, select, transaction, update
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

_WORKED_EVERY_S = 0.05
_OF_CAMPAIGN = "WHERE campaign = ? ORDER BY id"
_SAME_CASE = "campaign = ? AND experiment = ? AND size = ? AND name = ?"


def now_iso() -> str:
    """Return the present time of day in ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def new_name() -> str:
    """Return a campaign its name: the time of day, and something that tells apart."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


@contextmanager
def _writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit a block. Raises StoreError where something cannot be kept; what was kept before stays."""
    try:
        with transaction(connection):
            yield
    except sqlite3.Error as error:
        raise StoreError(f"the store cannot be written: {error}; free some space, then resume") from error


class CampaignStore:
    """The journal of one campaign, in one session of it. An interrupt waits until what is being written is kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        campaign: CampaignRow,
        conditions: dict[str, Any],
        *,
        reading: bool = False,
    ) -> None:
        """Begin a session of it; of one that only reads nothing is kept."""
        self._worked_s = 0.0  # when a sample last said that the session still works
        self._connection, self._campaign = connection, campaign
        self._rows: dict[int, ArmRow] = {}
        self._cases: dict[int, CaseRow] = {}
        now = time.time()
        self._here = SessionRow(campaign=campaign.id, started_s=now, last_s=now, conditions=conditions)
        if not reading:
            with _writing(connection):
                self._here.id = insert(connection, self._here)

    @staticmethod
    def create(
        connection: sqlite3.Connection,
        *,
        campaign: str,
        request: dict[str, Any],
        fingerprint: dict[str, Any],
        machine: Machine,
        cases: Sequence[CaseState],
        conditions: dict[str, Any],
    ) -> CampaignStore:
        """Begin a campaign with its cases, all in one transaction."""
        row = CampaignRow(
            id=campaign,
            started=now_iso(),
            rooftop=rooftop.__version__,
            request=request,
            fingerprint=fingerprint,
            machine=machine.model_dump(mode="json"),
        )
        with _writing(connection):
            insert(connection, row)
            for position, case in enumerate(cases):
                kept = CaseRow(
                    campaign=campaign,
                    position=position,
                    experiment=case.experiment,
                    size=case.size,
                    name=case.name,
                    parameters=case.parameters,
                    nominal=case.nominal,
                )
                insert(connection, kept)
        return CampaignStore(connection, row, conditions)

    @property
    def campaign(self) -> CampaignRow:
        """The campaign's own row."""
        return self._campaign

    def spent_s(self) -> float:
        """Seconds that all sessions have worked on it so far."""
        return sum(row.last_s - row.started_s for row in self._sessions())

    def _sessions(self) -> list[SessionRow]:
        return select(self._connection, SessionRow, _OF_CAMPAIGN, self._campaign.id)

    def restore(self, case: CaseState) -> bool:
        """Restore what earlier sessions found out of `case` and its arms; return True when it needs no more measuring.

        Rungs that no longer exist cannot be met here, since the fingerprint names every module.
        """
        (row,) = select(
            self._connection, CaseRow, f"WHERE {_SAME_CASE}", self._campaign.id, case.experiment, case.size, case.name
        )
        assert row.id is not None
        self._cases[row.id] = row
        case.key, case.blocks, case.stopped = row.id, row.blocks, row.stopped
        for kept in select(self._connection, ArmRow, "WHERE case_id = ? ORDER BY id", row.id):
            arm = next((arm for arm in case.arms if arm.name == kept.name and arm.role == kept.role), None)
            if arm is None and kept.role == "twin":
                original = next(arm for arm in case.arms if arm.name == kept.name)
                arm = Arm(original.module, "twin")
                case.arms.append(arm)
            if arm is not None:
                self._fill(arm, kept)
        return row.finished

    def arm_names(self, case: CaseState) -> list[str]:
        """Return the names of a case's arms that are kept, in the order in which they came; twins are left out."""
        case_id = f'(SELECT id FROM "case" WHERE {_SAME_CASE})'
        clause = f"WHERE role != 'twin' AND case_id = {case_id} ORDER BY id"
        names = (self._campaign.id, case.experiment, case.size, case.name)
        return [row.name for row in select(self._connection, ArmRow, clause, *names)]

    def _fill(self, arm: Arm, row: ArmRow) -> None:
        assert row.id is not None
        self._rows[row.id] = row
        arm.key, arm.role = row.id, cast(Role, row.role)
        arm.outcome = cast("Outcome | None", row.outcome)
        arm.reason, arm.stage, arm.error, arm.tolerance = row.reason, row.stage, row.error, row.tolerance
        arm.iterations, arm.run_s, arm.binding = row.iterations, row.run_s, row.binding
        arm.timeline, arm.figures = row.timeline, row.figures
        arm.work = Work.model_validate(row.work) if row.work is not None else None
        for kept in select(self._connection, SampleRow, "WHERE arm_id = ? ORDER BY id", row.id):
            arm.add(sample_of(kept))

    # --- Journal ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Commit a block, and that the session still works."""
        with _writing(self._connection):
            yield
            self._here.last_s = time.time()
            if self._here.id is not None:
                update(self._connection, self._here, "last_s")

    @uninterrupted()
    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""
        row = self._rows.get(arm.key) if arm.key is not None else None
        if row is None:
            assert case.key is not None
            row = ArmRow(case_id=case.key, name=arm.name, role=arm.role)
        row.outcome, row.reason, row.stage = arm.outcome, arm.reason, arm.stage
        row.error, row.tolerance = arm.error, arm.tolerance
        row.iterations, row.run_s, row.binding = arm.iterations, arm.run_s, arm.binding
        row.timeline, row.figures = arm.timeline, arm.figures
        row.work = arm.work.model_dump() if arm.work is not None else None
        with self._keeping():
            if row.id is None:
                row.id = insert(self._connection, row)
            else:
                update(self._connection, row)
        arm.key = row.id
        self._rows[row.id] = row

    @uninterrupted()
    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """See Journal."""
        assert arm.key is not None
        assert self._here.id is not None
        content = asdict(sample) | {"ranks_ns": list(sample.ranks_ns) if sample.ranks_ns is not None else None}
        with _writing(self._connection):
            insert(self._connection, SampleRow(arm_id=arm.key, session_id=self._here.id, **content))
            if (now := time.time()) > self._worked_s + _WORKED_EVERY_S:
                self._here.last_s = self._worked_s = now
                update(self._connection, self._here, "last_s")

    @uninterrupted()
    def case_changed(self, case: CaseState) -> None:
        """See Journal."""
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped = case.blocks, case.stopped
        with self._keeping():
            update(self._connection, row)

    @uninterrupted()
    def case_finished(self, case: CaseState) -> None:
        """Mark a case as one that no resumed session measures again."""
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped, row.finished = case.blocks, case.stopped, True
        with self._keeping():
            update(self._connection, row)

    # --- the campaign's surroundings -------------------------------------------------------------------------------

    @uninterrupted()
    def keep_beside(self, found: Mapping[str, Any]) -> None:
        """Keep something with what was asked: by name, beside what was kept there before."""
        request = self._campaign.request
        self._campaign.request = request | {"beside": {**(request.get("beside") or {}), **found}}
        with self._keeping():
            update(self._connection, self._campaign, "request")

    @uninterrupted()
    def add_roofs(self, roofs: Sequence[Roof]) -> None:
        """Keep roofs that were measured now."""
        now = time.time()
        with self._keeping():
            for roof in roofs:
                row = RoofRow(campaign=self._campaign.id, taken_s=now, roof=roof.model_dump(mode="json"))
                insert(self._connection, row)

    def roofs(self) -> list[Roof]:
        """Return all roofs measured within this campaign, in the order of time."""
        return [roof for _, roof in self.looks()]

    def looks(self) -> list[tuple[float, Roof]]:
        """Return all roofs measured within this campaign, each with its time in seconds since 1970, in that order."""
        rows = select(self._connection, RoofRow, _OF_CAMPAIGN, self._campaign.id)
        return [(row.taken_s, Roof.model_validate(row.roof)) for row in rows]

    def conditions(self) -> list[dict[str, Any]]:
        """Return the conditions at the start of every session, and at its end where it came to one."""
        found: list[dict[str, Any]] = []
        for row in self._sessions():
            found += [row.conditions] + ([row.conditions_end] if row.conditions_end is not None else [])
        return found

    @uninterrupted()
    def keep_files(self, files: Mapping[Path, str | None]) -> None:
        """Keep the contents of files that its samples belong to; None: no longer."""
        paths = {file: os.fsencode(file) for file in files}
        with self._keeping():
            for file, contents in files.items():
                if contents is None:
                    named = [self._campaign.id, paths[file]]
                    self._connection.execute("DELETE FROM file WHERE campaign = ? AND path = ?", named)
                else:
                    insert(self._connection, FileRow(self._campaign.id, paths[file], contents))

    @uninterrupted()
    def add_condition(self, name: str, value: Any) -> None:
        """Keep one more condition of this session."""
        self._here.conditions = self._here.conditions | {name: value}
        with self._keeping():
            update(self._connection, self._here, "conditions")

    @property
    def ended(self) -> bool:
        """Whether this session came to its end."""
        return self._here.conditions_end is not None

    @uninterrupted()
    def end_session(self, conditions: dict[str, Any]) -> None:
        """Keep the conditions at the end."""
        self._here.conditions_end = conditions
        with self._keeping():
            update(self._connection, self._here, "conditions_end")

    @uninterrupted()
    def finish(self) -> None:
        """Mark the campaign as one that cannot be resumed."""
        self._campaign.finished = now_iso()
        with self._keeping():
            update(self._connection, self._campaign, "finished")

    @uninterrupted()
    def forget(self) -> None:
        """Take the campaign out of the store where nothing was measured in it."""
        arms = 'case_id IN (SELECT id FROM "case" WHERE campaign = ?)'
        if select(self._connection, SampleRow, f"JOIN arm ON arm.id = arm_id WHERE {arms} LIMIT 1", self._campaign.id):
            return
        with _writing(self._connection):
            self._connection.execute(f"DELETE FROM arm WHERE {arms}", [self._campaign.id])
            for kind in (CaseRow, FileRow, RoofRow, SessionRow):
                self._connection.execute(f'DELETE FROM "{kind.table}" WHERE campaign = ?', [self._campaign.id])
            self._connection.execute("DELETE FROM campaign WHERE id = ?", [self._campaign.id])


def files_of(connection: sqlite3.Connection, campaign: str) -> dict[Path, str]:
    """Return the contents of the files that a campaign's samples belong to, by path."""
    return {Path(os.fsdecode(row.path)): row.contents for row in select(connection, FileRow, _OF_CAMPAIGN, campaign)}


def sample_of(row: SampleRow) -> Sample:
    """Return a sample as it was taken."""
    ranks = tuple(row.ranks_ns) if row.ranks_ns is not None else None
    return Sample(row.block, row.position, row.iterations, row.elapsed_ns, row.taken_ns, ranks, row.figures)
