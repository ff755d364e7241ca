"""Searches with a time limit: how they are asked to end, and how much of the time is left."""
