"""Campaigns in jobs of a batch system: submitted, awaited and collected. psij-python speaks with the scheduler."""
