"""Create the table of the files on which a campaign's samples depend."""

import sqlalchemy as sa
from alembic import op

from rooftop.store.migrations.types import WHOLE

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "file",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("path", sa.LargeBinary(), nullable=False),
        sa.Column("contents", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaign.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("file", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_campaign"), ["campaign"], unique=False)
