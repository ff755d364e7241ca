"""The store: an SQLite file that keeps every sample as it was measured."""
