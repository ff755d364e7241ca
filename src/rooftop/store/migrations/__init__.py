"""Alembic's migrations of the store, applied when it is opened."""
