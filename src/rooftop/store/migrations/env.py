"""Alembic's entry point: runs the migrations on the store's connection."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=None, render_as_batch=True, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
