"""The tables. A change here needs a migration in ``migrations/versions``; a test compares the two."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map = {dict[str, Any]: JSON(none_as_null=True), list[Any]: JSON(none_as_null=True)}  # noqa: RUF012


class CampaignRow(Base):
    """One ``rooftop climb``, resumed or not. Times of day in seconds since 1970, `started` in ISO 8601, UTC."""

    __tablename__ = "campaign"

    id: Mapped[str] = mapped_column(primary_key=True)
    started: Mapped[str]
    rooftop: Mapped[str]
    request: Mapped[dict[str, Any]]  # what was asked for: names, size, only, threads, seed, budget
    fingerprint: Mapped[dict[str, Any]]  # build, machine and cases: must not change between sessions
    machine: Mapped[dict[str, Any]]  # documents.Machine as first seen
    finished: Mapped[str | None]


class SessionRow(Base):
    """One process that worked on a campaign: a resumed campaign has several."""

    __tablename__ = "session"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign: Mapped[str] = mapped_column(ForeignKey("campaign.id"), index=True)
    started_s: Mapped[float]
    last_s: Mapped[float]  # of the last thing that it kept
    conditions: Mapped[dict[str, Any]]
    conditions_end: Mapped[dict[str, Any] | None]


class CaseRow(Base):
    """One case of a campaign, in the order of measuring."""

    __tablename__ = "case"
    __table_args__ = (UniqueConstraint("campaign", "experiment", "size", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign: Mapped[str] = mapped_column(ForeignKey("campaign.id"), index=True)
    position: Mapped[int]
    experiment: Mapped[str]
    size: Mapped[str]
    name: Mapped[str]
    parameters: Mapped[dict[str, Any]]
    nominal: Mapped[float]
    blocks: Mapped[int] = mapped_column(default=0)
    stopped: Mapped[str | None]
    finished: Mapped[bool] = mapped_column(default=False)


class ArmRow(Base):
    """One rung, peer or twin on one case."""

    __tablename__ = "arm"
    __table_args__ = (UniqueConstraint("case_id", "name", "role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    case_id: Mapped[int] = mapped_column(ForeignKey("case.id"), index=True)
    name: Mapped[str]
    role: Mapped[str]  # "rung", "peer", "command", "point", "twin"
    outcome: Mapped[str | None]
    reason: Mapped[str | None]
    stage: Mapped[str | None]
    error: Mapped[float | None]
    tolerance: Mapped[float | None]
    iterations: Mapped[int] = mapped_column(default=0)
    run_s: Mapped[float] = mapped_column(default=0.0)
    work: Mapped[dict[str, Any] | None]
    binding: Mapped[list[Any] | None]
    timeline: Mapped[list[Any] | None]
    figures: Mapped[dict[str, Any] | None]


class SampleRow(Base):
    """One sample, as the driver gave it. Never changed, never deleted."""

    __tablename__ = "sample"

    id: Mapped[int] = mapped_column(primary_key=True)
    arm_id: Mapped[int] = mapped_column(ForeignKey("arm.id"), index=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("session.id"))
    block: Mapped[int]
    position: Mapped[int]
    iterations: Mapped[int]
    elapsed_ns: Mapped[float]
    ranks_ns: Mapped[list[Any] | None]
    figures: Mapped[dict[str, Any] | None]
    taken_ns: Mapped[int]


class RoofRow(Base):
    """One roof as measured within a campaign."""

    __tablename__ = "roof"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign: Mapped[str] = mapped_column(ForeignKey("campaign.id"), index=True)
    taken_s: Mapped[float]
    roof: Mapped[dict[str, Any]]  # documents.Roof
