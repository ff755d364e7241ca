"""Numbers, lists and durations as text."""
