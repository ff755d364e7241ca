"""Alembic's migrations of the store, run whenever it is opened."""
