"""Store one campaign. Every fact is committed as soon as it is known, so a kill at any moment loses nothing."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

import rooftop
from rooftop.documents import Machine, Outcome, Roof
from rooftop.driver.protocol import Work
from rooftop.errors import Misuse
from rooftop.interrupts import uninterrupted
from rooftop.measure.arms import Arm, Role, Sample
from rooftop.measure.case_state import CaseState
from rooftop.store.protocol import Store
from rooftop.store.rows import Row, insert, insert_all, select, update
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

# What is told of a campaign that a copy has not completed.
IN_PART = "was copied in part only: run the 'rooftop sync' or 'rooftop collect' that copied it again"
_WORKED_EVERY_S = 0.05
_OF_CAMPAIGN = "WHERE campaign = ? ORDER BY id"
_SAME_CASE = "campaign = ? AND experiment = ? AND size = ? AND name = ?"


def now_iso(timespec: str = "seconds") -> str:
    """Return the current time in ISO 8601, UTC, to the second or as `datetime.isoformat` names it otherwise."""
    return datetime.now(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def new_name() -> str:
    """Return an id for a new campaign: the current date and time, UTC, and eight random hexadecimal digits."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


T = TypeVar("T")


class CampaignStore:
    """The `Journal` of one session of a campaign. An interrupt is held back until the current write is committed."""

    def __init__(
        self,
        connection: Store,
        campaign: CampaignRow,
        conditions: dict[str, Any],
        *,
        reading: bool = False,
    ) -> None:
        """Begin a session. A session that is only `reading` is not stored."""
        self._worked_s = 0.0  # when a sample last updated the session's `last_s`
        self._connection, self._campaign = connection, campaign
        self._rows: dict[int, ArmRow] = {}
        self._cases: dict[int, CaseRow] = {}
        now = time.time()
        self._here = SessionRow(campaign=campaign.id, started_s=now, last_s=now, conditions=conditions)
        if not reading:
            self._here.id = connection.written(self._begun)

    def _begun(self) -> int:
        """Add the session, unless a copy has begun to complete the campaign since it was read.

        A server lets the row wait for a copy that has claimed the campaign. So the mark is read after that.
        """
        number = insert(self._connection, self._here)
        (copying,) = self._connection.execute(
            "SELECT copying FROM campaign WHERE id = ?", [self._campaign.id]
        ).fetchone()
        if copying is not None:
            raise Misuse(f"campaign {self._campaign.id} {IN_PART}")
        return number

    @staticmethod
    def create(
        connection: Store,
        *,
        campaign: str,
        request: dict[str, Any],
        fingerprint: dict[str, Any],
        machine: Machine,
        cases: Sequence[CaseState],
        conditions: dict[str, Any],
    ) -> CampaignStore:
        """Store a new campaign and its cases in one transaction."""
        row = CampaignRow(
            id=campaign,
            started=now_iso(),
            rooftop=rooftop.__version__,
            request=request,
            fingerprint=fingerprint,
            machine=machine.model_dump(mode="json"),
        )
        kept = [
            CaseRow(
                campaign=campaign,
                position=position,
                experiment=case.experiment,
                size=case.size,
                name=case.name,
                parameters=case.parameters,
                nominal=case.nominal,
            )
            for position, case in enumerate(cases)
        ]

        def change() -> None:
            insert(connection, row)
            insert_all(connection, kept)

        connection.written(change)
        return CampaignStore(connection, row, conditions)

    @property
    def campaign(self) -> CampaignRow:
        return self._campaign

    def spent_s(self) -> float:
        """Return the seconds that all sessions have worked on the campaign so far."""
        return sum(row.last_s - row.started_s for row in self._sessions())

    def _sessions(self) -> list[SessionRow]:
        return select(self._connection, SessionRow, _OF_CAMPAIGN, self._campaign.id)

    def restore(self, case: CaseState) -> bool:
        """Restore `case` and its arms from earlier sessions. Return whether the case is already finished.

        Every stored rung still exists: the fingerprint, which was compared before, names all modules.
        """
        (row,) = select(
            self._connection, CaseRow, f"WHERE {_SAME_CASE}", self._campaign.id, case.experiment, case.size, case.name
        )
        assert row.id is not None
        self._cases[row.id] = row
        case.key, case.blocks, case.stopped = row.id, row.blocks, row.stopped
        case.cut = min(len(self._sessions()), case.blocks)
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
        """Return the names of a case's stored arms, without twins, in the order in which they were stored."""
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

    def _keep(self, change: Callable[[], T]) -> T:
        """Run a change as one transaction that also updates the session's `last_s`. Return what the change returns."""

        def with_last() -> T:
            kept = change()
            self._here.last_s = time.time()
            if self._here.id is not None:
                update(self._connection, self._here, "last_s")
            return kept

        return self._connection.written(with_last)

    def _update(self, row: Row, *names: str) -> None:
        """Write fields of a row, all if none is named."""
        self._keep(lambda: update(self._connection, row, *names))

    @uninterrupted()
    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        row = self._rows.get(arm.key) if arm.key is not None else None
        if row is None:
            assert case.key is not None
            row = ArmRow(case_id=case.key, name=arm.name, role=arm.role)
        row.outcome, row.reason, row.stage = arm.outcome, arm.reason, arm.stage
        row.error, row.tolerance = arm.error, arm.tolerance
        row.iterations, row.run_s, row.binding = arm.iterations, arm.run_s, arm.binding
        row.timeline, row.figures = arm.timeline, arm.figures
        row.work = arm.work.model_dump() if arm.work is not None else None
        if row.id is None:
            row.id = self._keep(lambda: insert(self._connection, row))
        else:
            self._update(row)
        arm.key = row.id
        self._rows[row.id] = row

    @uninterrupted()
    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        assert arm.key is not None
        assert self._here.id is not None
        content = asdict(sample) | {"ranks_ns": list(sample.ranks_ns) if sample.ranks_ns is not None else None}
        row = SampleRow(arm_id=arm.key, session_id=self._here.id, **content)
        late = (now := time.time()) > self._worked_s + _WORKED_EVERY_S
        if late:
            self._here.last_s = self._worked_s = now

        def change() -> None:
            insert(self._connection, row)
            if late:
                update(self._connection, self._here, "last_s")

        self._connection.written(change)

    @uninterrupted()
    def case_changed(self, case: CaseState) -> None:
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped = case.blocks, case.stopped
        self._update(row)

    @uninterrupted()
    def case_finished(self, case: CaseState) -> None:
        """Mark a case as finished: a resumed session does not measure it again."""
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped, row.finished = case.blocks, case.stopped, True
        self._update(row)

    # --- The campaign's request, roofs, conditions and files -------------------------------------------------------

    @uninterrupted()
    def keep_beside(self, found: Mapping[str, Any]) -> None:
        """Add entries to the request's "beside", which holds what was found out besides what the user asked for."""
        request = self._campaign.request
        self._campaign.request = request | {"beside": {**(request.get("beside") or {}), **found}}
        self._update(self._campaign, "request")

    @uninterrupted()
    def add_roofs(self, roofs: Sequence[Roof]) -> None:
        """Store roofs that have just been measured."""
        now = time.time()
        rows = [RoofRow(campaign=self._campaign.id, taken_s=now, roof=one.model_dump(mode="json")) for one in roofs]
        self._keep(lambda: [insert(self._connection, row) for row in rows])

    def roofs(self) -> list[Roof]:
        """Return all roofs measured within this campaign, the oldest first."""
        return [roof for _, roof in self.looks()]

    def looks(self) -> list[tuple[float, Roof]]:
        """Return all roofs measured within this campaign with their times in seconds since 1970, the oldest first."""
        rows = select(self._connection, RoofRow, _OF_CAMPAIGN, self._campaign.id)
        return [(row.taken_s, Roof.model_validate(row.roof)) for row in rows]

    def conditions(self) -> list[dict[str, Any]]:
        """Return the conditions at the start of every session and, if it was ended properly, at its end."""
        found: list[dict[str, Any]] = []
        for row in self._sessions():
            found += [row.conditions] + ([row.conditions_end] if row.conditions_end is not None else [])
        return found

    @uninterrupted()
    def keep_files(self, files: Mapping[Path, str | None]) -> None:
        """Store the contents of files on which the samples depend; None removes a file's."""
        paths = {os.fsencode(file): contents for file, contents in files.items()}

        def change() -> None:
            for path, contents in paths.items():
                if contents is None:
                    named = [self._campaign.id, path]
                    self._connection.execute("DELETE FROM file WHERE campaign = ? AND path = ?", named)
                else:
                    insert(self._connection, FileRow(self._campaign.id, path, contents))

        self._keep(change)

    @uninterrupted()
    def add_condition(self, name: str, value: Any) -> None:
        """Store one more condition of this session."""
        self._here.conditions = self._here.conditions | {name: value}
        self._update(self._here, "conditions")

    @property
    def ended(self) -> bool:
        """Whether `end_session` was called."""
        return self._here.conditions_end is not None

    @uninterrupted()
    def end_session(self, conditions: dict[str, Any]) -> None:
        """Store the conditions at the end of the session."""
        self._here.conditions_end = conditions
        self._update(self._here, "conditions_end")

    @uninterrupted()
    def finish(self) -> None:
        """Mark the campaign as finished: it cannot be resumed."""
        self._campaign.finished = now_iso()
        self._update(self._campaign, "finished")

    @uninterrupted()
    def forget(self) -> None:
        """Delete the campaign from the store if it has no samples."""
        arms = 'case_id IN (SELECT id FROM "case" WHERE campaign = ?)'
        if select(self._connection, SampleRow, f"JOIN arm ON arm.id = arm_id WHERE {arms} LIMIT 1", self._campaign.id):
            return

        def change() -> None:
            self._connection.execute(f"DELETE FROM arm WHERE {arms}", [self._campaign.id])
            for kind in (CaseRow, FileRow, RoofRow, SessionRow):
                self._connection.execute(f'DELETE FROM "{kind.table}" WHERE campaign = ?', [self._campaign.id])
            self._connection.execute("DELETE FROM campaign WHERE id = ?", [self._campaign.id])

        self._connection.written(change)


def files_of(connection: Store, campaign: str) -> dict[Path, str]:
    """Return the recorded contents of the files on which a campaign's samples depend, by path."""
    return {Path(os.fsdecode(row.path)): row.contents for row in select(connection, FileRow, _OF_CAMPAIGN, campaign)}


def sample_of(row: SampleRow) -> Sample:
    """Return a row as the sample that was stored."""
    ranks = tuple(row.ranks_ns) if row.ranks_ns is not None else None
    return Sample(row.block, row.position, row.iterations, row.elapsed_ns, row.taken_ns, ranks, row.figures)
