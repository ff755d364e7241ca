"""Add what was computed of finished campaigns, and the mark of campaigns that are being copied."""

import sqlalchemy as sa
from alembic import op

from rooftop.store.migrations.types import JSON, WHOLE

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "digest",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", JSON, nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("campaign", "name"),
    )
    with op.batch_alter_table("campaign", schema=None) as batch_op:
        batch_op.add_column(sa.Column("copying", sa.String(), nullable=True))
