"""Keeps one campaign: each fact is committed the moment it is known, so that a kill at any instant loses nothing."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import Engine, bindparam, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

import rooftop
from rooftop.documents import Machine, Outcome, Roof
from rooftop.errors import StoreError
from rooftop.interrupts import uninterrupted
from rooftop.measure.arms import Arm, Role, Sample
from rooftop.measure.case_run import CaseState
from rooftop.protocol import Work
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, RoofRow, SampleRow, SessionRow

_WORKED_EVERY_S = 0.05
_ADD_SAMPLE = insert(SampleRow.__table__)  # type: ignore[arg-type]
_WORKED = update(SessionRow.__table__).where(SessionRow.id == bindparam("session")).values(last_s=bindparam("now"))  # type: ignore[arg-type]


def now_iso() -> str:
    """Return the present time of day in ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def new_name() -> str:
    """Return a campaign its name: the time of day, and something that tells apart."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


@contextmanager
def _writing(session: Session) -> Iterator[None]:
    """Raise StoreError where something cannot be kept; what was kept before stays."""
    try:
        yield
    except SQLAlchemyError as error:
        session.rollback()
        cause = getattr(error, "orig", error)
        raise StoreError(f"the store cannot be written: {cause}; free some space, then resume") from error


class CampaignStore:
    """The journal of one campaign, in one session of it. An interrupt waits until what is being written is kept."""

    def __init__(
        self, engine: Engine, campaign: CampaignRow, conditions: dict[str, Any], *, reading: bool = False
    ) -> None:
        """Begin a session of it; of one that only reads nothing is kept."""
        self._worked_s = 0.0  # when a sample last said that the session still works
        self._session = Session(engine, expire_on_commit=False)
        self._campaign = self._session.merge(campaign)
        self._rows: dict[int, ArmRow] = {}
        self._cases: dict[int, CaseRow] = {}
        now = time.time()
        self._here = SessionRow(campaign=campaign.id, started_s=now, last_s=now, conditions=conditions)
        if reading:
            return
        with _writing(self._session):
            self._session.add(self._here)
            self._session.commit()

    @staticmethod
    def create(
        engine: Engine,
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
        with Session(engine, expire_on_commit=False) as session, _writing(session):
            session.add(row)
            session.flush()
            for position, case in enumerate(cases):
                session.add(
                    CaseRow(
                        campaign=campaign,
                        position=position,
                        experiment=case.experiment,
                        size=case.size,
                        name=case.name,
                        parameters=case.parameters,
                        nominal=case.nominal,
                    )
                )
            session.commit()
        return CampaignStore(engine, row, conditions)

    @property
    def campaign(self) -> CampaignRow:
        """The campaign's own row."""
        return self._campaign

    def spent_s(self) -> float:
        """Seconds that all sessions have worked on it so far."""
        query = select(SessionRow).where(SessionRow.campaign == self._campaign.id)
        return sum(row.last_s - row.started_s for row in self._session.scalars(query))

    def restore(self, case: CaseState) -> bool:
        """Restore what earlier sessions found out of `case` and its arms; return True when it needs no more measuring.

        Rungs that no longer exist cannot be met here, since the fingerprint names every module.
        """
        query = select(CaseRow).filter_by(
            campaign=self._campaign.id, experiment=case.experiment, size=case.size, name=case.name
        )
        row = self._session.scalars(query).one()
        self._cases[row.id] = row
        case.key, case.blocks, case.stopped = row.id, row.blocks, row.stopped
        for kept in self._session.scalars(select(ArmRow).where(ArmRow.case_id == row.id)):
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
        query = (
            select(ArmRow.name)
            .join(CaseRow, ArmRow.case_id == CaseRow.id)
            .where(ArmRow.role != "twin")
            .filter(CaseRow.campaign == self._campaign.id, CaseRow.experiment == case.experiment)
            .filter(CaseRow.size == case.size, CaseRow.name == case.name)
        )
        return list(self._session.scalars(query.order_by(ArmRow.id)))

    def _fill(self, arm: Arm, row: ArmRow) -> None:
        self._rows[row.id] = row
        arm.key, arm.role = row.id, cast(Role, row.role)
        arm.outcome = cast("Outcome | None", row.outcome)
        arm.reason, arm.stage, arm.error, arm.tolerance = row.reason, row.stage, row.error, row.tolerance
        arm.iterations, arm.run_s, arm.binding = row.iterations, row.run_s, row.binding
        arm.timeline, arm.figures = row.timeline, row.figures
        arm.work = Work.model_validate(row.work) if row.work is not None else None
        for kept in self._session.scalars(select(SampleRow).where(SampleRow.arm_id == row.id).order_by(SampleRow.id)):
            arm.add(sample_of(kept))

    # --- Journal ---------------------------------------------------------------------------------------------------

    def _commit(self) -> None:
        with _writing(self._session):
            self._here.last_s = time.time()
            self._session.commit()

    @uninterrupted()
    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""
        row = self._rows.get(arm.key) if arm.key is not None else None
        if row is None:
            assert case.key is not None
            row = ArmRow(case_id=case.key, name=arm.name, role=arm.role)
            self._session.add(row)
        row.outcome, row.reason, row.stage = arm.outcome, arm.reason, arm.stage
        row.error, row.tolerance = arm.error, arm.tolerance
        row.iterations, row.run_s, row.binding = arm.iterations, arm.run_s, arm.binding
        row.timeline, row.figures = arm.timeline, arm.figures
        row.work = arm.work.model_dump() if arm.work is not None else None
        self._commit()
        arm.key = row.id
        self._rows[row.id] = row

    @uninterrupted()
    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """See Journal."""
        assert arm.key is not None
        content = asdict(sample)
        content["ranks_ns"] = list(sample.ranks_ns) if sample.ranks_ns is not None else None
        # Not by way of the session's objects: their bookkeeping takes longer than SQLite does.
        with _writing(self._session):
            self._session.execute(_ADD_SAMPLE, {"arm_id": arm.key, "session_id": self._here.id, **content})
            if (now := time.time()) > self._worked_s + _WORKED_EVERY_S:
                self._session.execute(_WORKED, {"session": self._here.id, "now": now})
                self._worked_s = now
            self._session.commit()

    @uninterrupted()
    def case_changed(self, case: CaseState) -> None:
        """See Journal."""
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped = case.blocks, case.stopped
        self._commit()

    @uninterrupted()
    def case_finished(self, case: CaseState) -> None:
        """Mark a case as one that no resumed session measures again."""
        assert case.key is not None
        row = self._cases[case.key]
        row.blocks, row.stopped, row.finished = case.blocks, case.stopped, True
        self._commit()

    # --- the campaign's surroundings -------------------------------------------------------------------------------

    @uninterrupted()
    def add_roofs(self, roofs: Sequence[Roof]) -> None:
        """Keep roofs that were measured now."""
        now = time.time()
        for roof in roofs:
            self._session.add(RoofRow(campaign=self._campaign.id, taken_s=now, roof=roof.model_dump(mode="json")))
        self._commit()

    def roofs(self) -> list[Roof]:
        """Return all roofs measured within this campaign, in the order of time."""
        query = select(RoofRow).where(RoofRow.campaign == self._campaign.id).order_by(RoofRow.id)
        return [Roof.model_validate(row.roof) for row in self._session.scalars(query)]

    def conditions(self) -> list[dict[str, Any]]:
        """Return the conditions at the start of every session, and at its end where it came to one."""
        query = select(SessionRow).where(SessionRow.campaign == self._campaign.id).order_by(SessionRow.id)
        found: list[dict[str, Any]] = []
        for row in self._session.scalars(query):
            found += [row.conditions] + ([row.conditions_end] if row.conditions_end is not None else [])
        return found

    @property
    def ended(self) -> bool:
        """Whether this session came to its end."""
        return self._here.conditions_end is not None

    @uninterrupted()
    def end_session(self, conditions: dict[str, Any]) -> None:
        """Keep the conditions at the end."""
        self._here.conditions_end = conditions
        self._commit()

    @uninterrupted()
    def finish(self) -> None:
        """Mark the campaign as one that cannot be resumed."""
        self._campaign.finished = now_iso()
        self._commit()

    @uninterrupted()
    def forget(self) -> None:
        """Take the campaign out of the store where nothing was measured in it."""
        cases = select(CaseRow.id).where(CaseRow.campaign == self._campaign.id)
        arms = select(ArmRow.id).where(ArmRow.case_id.in_(cases))
        if self._session.scalars(select(SampleRow.id).where(SampleRow.arm_id.in_(arms))).first() is not None:
            return
        with _writing(self._session):
            self._session.execute(delete(ArmRow).where(ArmRow.case_id.in_(cases)))
            for table in (CaseRow, RoofRow, SessionRow):
                self._session.execute(delete(table).where(table.campaign == self._campaign.id))
            self._session.execute(delete(CampaignRow).where(CampaignRow.id == self._campaign.id))
            self._session.commit()

    @uninterrupted()
    def close(self) -> None:
        """Leave the store."""
        self._session.close()


def sample_of(row: SampleRow) -> Sample:
    """Return a sample as it was taken."""
    ranks = tuple(row.ranks_ns) if row.ranks_ns is not None else None
    return Sample(row.block, row.position, row.iterations, row.elapsed_ns, row.taken_ns, ranks, row.figures)
