"""Add the timelines of ranks, one for each arm."""

import sqlalchemy as sa
from alembic import op

from rooftop.store.migrations.types import JSON

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("arm", schema=None) as batch_op:
        batch_op.add_column(sa.Column("timeline", JSON, nullable=True))
