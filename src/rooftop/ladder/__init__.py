"""Experiments and their ladders: what an experiment declares, where it lies, what was built of it."""
