"""The store: every sample as it came, in an embedded SQLite file."""
