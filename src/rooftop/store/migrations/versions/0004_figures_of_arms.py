"""Add the figures that an arm reports beside its time."""

import sqlalchemy as sa
from alembic import op

from rooftop.store.migrations.types import JSON

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("arm", schema=None) as batch_op:
        batch_op.add_column(sa.Column("figures", JSON, nullable=True))
