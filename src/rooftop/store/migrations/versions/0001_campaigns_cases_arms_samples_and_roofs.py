"""Campaigns, cases, arms, samples and roofs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "campaign",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("started", sa.String(), nullable=False),
        sa.Column("rooftop", sa.String(), nullable=False),
        sa.Column("request", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("fingerprint", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("machine", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("finished", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "case",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("experiment", sa.String(), nullable=False),
        sa.Column("size", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("nominal", sa.Double(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.String(), nullable=True),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("campaign", "experiment", "size", "name"),
    )
    with op.batch_alter_table("case", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_case_campaign"), ["campaign"], unique=False)

    op.create_table(
        "roof",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("taken_s", sa.Double(), nullable=False),
        sa.Column("roof", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("roof", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_roof_campaign"), ["campaign"], unique=False)

    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("started_s", sa.Double(), nullable=False),
        sa.Column("last_s", sa.Double(), nullable=False),
        sa.Column("conditions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("conditions_end", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign"],
            ["campaign.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_session_campaign"), ["campaign"], unique=False)

    op.create_table(
        "arm",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("stage", sa.String(), nullable=True),
        sa.Column("error", sa.Double(), nullable=True),
        sa.Column("tolerance", sa.Double(), nullable=True),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("run_s", sa.Double(), nullable=False),
        sa.Column("work", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("binding", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"],
            ["case.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("case_id", "name", "role"),
    )
    with op.batch_alter_table("arm", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_arm_case_id"), ["case_id"], unique=False)

    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("arm_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("elapsed_ns", sa.Double(), nullable=False),
        sa.Column("ranks_ns", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("taken_ns", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["arm_id"],
            ["arm.id"],
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["session.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("sample", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sample_arm_id"), ["arm_id"], unique=False)


def downgrade() -> None:
    """Undo."""
    for table in ("sample", "arm", "session", "roof", "case", "campaign"):
        op.drop_table(table)
