"""Create the tables of campaigns, cases, arms, samples and roofs."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from rooftop.store.migrations.types import JSON, WHOLE

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _json(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, JSON, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _whole(name: str) -> sa.Column[Any]:
    return sa.Column(name, WHOLE, nullable=False)


def _real(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.Double(), nullable=nullable)


def _refers(column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to])


def _create(table: str, *parts: sa.schema.SchemaItem, indexed: str | None = None) -> None:
    """Create a table, and the index of one column."""
    op.create_table(table, *parts, sa.PrimaryKeyConstraint("id"))
    if indexed is not None:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{indexed}"), [indexed], unique=False)


def upgrade() -> None:
    _create(
        "campaign",
        *(_text("id"), _text("started"), _text("rooftop"), _json("request"), _json("fingerprint"), _json("machine")),
        _text("finished", nullable=True),
    )
    _create(
        "case",
        *(_whole("id"), _text("campaign"), _whole("position"), _text("experiment"), _text("size"), _text("name")),
        *(_json("parameters"), _real("nominal"), _whole("blocks"), _text("stopped", nullable=True)),
        sa.Column("finished", sa.Boolean(), nullable=False),
        _refers("campaign", "campaign.id"),
        sa.UniqueConstraint("campaign", "experiment", "size", "name"),
        indexed="campaign",
    )
    _create(
        "roof",
        *(_whole("id"), _text("campaign"), _real("taken_s"), _json("roof")),
        _refers("campaign", "campaign.id"),
        indexed="campaign",
    )
    _create(
        "session",
        *(_whole("id"), _text("campaign"), _real("started_s"), _real("last_s"), _json("conditions")),
        _json("conditions_end", nullable=True),
        _refers("campaign", "campaign.id"),
        indexed="campaign",
    )
    _create(
        "arm",
        *(_whole("id"), _whole("case_id"), _text("name"), _text("role")),
        *(_text(name, nullable=True) for name in ("outcome", "reason", "stage")),
        *(_real("error", nullable=True), _real("tolerance", nullable=True), _whole("iterations"), _real("run_s")),
        *(_json("work", nullable=True), _json("binding", nullable=True)),
        _refers("case_id", "case.id"),
        sa.UniqueConstraint("case_id", "name", "role"),
        indexed="case_id",
    )
    _create(
        "sample",
        *(_whole("id"), _whole("arm_id"), _whole("session_id"), _whole("block"), _whole("position")),
        *(_whole("iterations"), _real("elapsed_ns"), _json("ranks_ns", nullable=True), _whole("taken_ns")),
        *(_refers("arm_id", "arm.id"), _refers("session_id", "session.id")),
        indexed="arm_id",
    )
